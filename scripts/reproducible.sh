#!/usr/bin/env bash
# Builds the policy module twice, in folders and with home folders of other names and lengths, and compares the bytes.
# The crates that are downloaded already are shared; nothing that was compiled is.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo_home=${CARGO_HOME:-$HOME/.cargo}
rustup_home=${RUSTUP_HOME:-$HOME/.rustup}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Builds a copy of the sources below the given folder.
build() {
  local folder=$1/sources home=$1/home
  mkdir -p "$folder" "$home/cargo"
  ln -s "$cargo_home/registry" "$home/cargo/registry"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$folder"
  HOME=$home CARGO_HOME=$home/cargo RUSTUP_HOME=$rustup_home \
    make --no-print-directory -C "$folder" policy.wasm >"$1/log" 2>&1 || { cat "$1/log" >&2; exit 1; }
}

build "$place/a"
build "$place/another-folder/of-a-longer-name"

first=$place/a/sources/policy.wasm
second="$place/another-folder/of-a-longer-name/sources/policy.wasm"
sha256sum "$first" "$second" | sed "s|$place/||"
cmp "$first" "$second"
if grep -aqE "$(dirname "$place")|$cargo_home" "$first"; then
  echo "the module names a folder of this machine" >&2
  exit 1
fi
echo "the same $(stat -c %s "$first") bytes from two folders and two homes"
