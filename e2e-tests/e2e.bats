#!/usr/bin/env bats
# The main cases of the contract under kwctl, Kubewarden's own host.
#
# Requests, settings and the answers that they are held to come from the files in cases/: lws-placement runs and exports
# them, and fails here too where a case fails. From kwctl's answer are compared: allowed, message, code, patch, warnings.
# `make e2e-tests` runs this where kwctl, bats and jq are installed. POLICY and LWS_PLACEMENT name another module and
# another lws-placement than those that make builds.

bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/.." || return 1
  local tool
  for tool in kwctl jq; do
    command -v "$tool" >/dev/null || skip "$tool is not installed; the cases run without it by: make e2e-tests"
  done
  export POLICY="${POLICY:-annotated-policy.wasm}"
  local host="${LWS_PLACEMENT:-target/debug/lws-placement}"
  local file
  for file in "$POLICY" "$host"; do
    if [[ ! -f $file ]]; then
      echo "$file is missing; build it by: make annotated-policy.wasm" >&2
      return 1
    fi
  done
  export CASES="$BATS_FILE_TMPDIR/cases"
  local said
  if ! said=$("$host" test e2e-tests/cases --policy "$POLICY" --export "$CASES"); then
    grep -v '^ok' <<<"$said" >&2
    return 1
  fi
}

setup() {
  cd "$BATS_TEST_DIRNAME/.." || return 1
}

# What of an answer counts; the patch by what it does, however it is written.
essence() {
  jq --sort-keys '{
    allowed,
    message: .status.message,
    code: .status.code,
    patch: (if .patch then .patch | @base64d | fromjson else null end),
    warnings: (.warnings // [])
  }'
}

# kwctl answers the request of a case as the case wants it.
holds() {
  holds_with "$1" --settings-path "$CASES/$1.settings.json"
}

holds_with() {
  local case="$1" wanted given
  shift
  wanted=$(essence <"$CASES/$case.answer.json")
  run --separate-stderr kwctl run --request-path "$CASES/$case.request.json" "$@" "$POLICY"
  if [[ $status -ne 0 ]]; then
    printf 'kwctl ended with %s:\n%s\n%s\n' "$status" "$output" "${stderr:-}"
    return 1
  fi
  given=$(essence <<<"$output") || return 1
  diff --label "$case wants" --label "kwctl gives" -u <(echo "$wanted") <(echo "$given")
}

# kwctl takes no settings like those of a case, and says a word of why.
refuses_settings() {
  local settings="$CASES/$1.settings.json" request="$CASES/p02-pod-of-no-set.request.json"
  run kwctl run --request-path "$request" --settings-path "$settings" "$POLICY"
  echo "$output"
  [[ $status -ne 0 && $output == *"$2"* ]]
}

@test "settings: a misspelt field is refused" {
  refuses_settings c02-misspelt-field-suggests-the-nearest replicaSpecificNodeSelector
}

@test "settings: a refused key is refused" {
  refuses_settings c05-refused-key-hostname-os-arch kubernetes.io/hostname
}

@test "settings: given as JSON they count as from a file" {
  local case=p05-worker-value-from-leader-name
  holds_with "$case" --settings-json "$(<"$CASES/$case.settings.json")"
}

@test "pod: a worker gets its leader's name" { holds p05-worker-value-from-leader-name; }
@test "pod: a leader gets its own name" { holds p05-leader-value-from-its-own-name; }
@test "pod: the next replica gets another value" { holds p05-next-replica-next-value; }
@test "pod: a pod of no set passes" { holds p02-pod-of-no-set; }
@test "pod: a deletion passes" { holds p01-delete; }
@test "pod: where nothing is asked nothing changes" { holds p04-nothing-asked; }
@test "pod: an empty leader name is rejected" { holds p05-empty-leader-name; }
@test "pod: a forged leader name is rejected" { holds p06-worker-of-another-statefulset; }
@test "pod: a leader that is left out stays as it is" { holds p05-members-workers-leaves-the-leader-out; }
@test "pod: a worker gets its subgroup's value" { holds p05-subgroup-of-worker-2-of-5; }
@test "pod: an overlong value is hashed" { holds c07-leader-name-of-64-hash; }
@test "pod: an overlong value is rejected" { holds c07-leader-name-of-64-reject; }
@test "pod: an annotation extends the settings" { holds a01-extend-appends-to-the-settings; }
@test "pod: a malformed annotation is rejected" { holds a02-malformed-key; }
@test "pod: the stamp beats the settings" { holds p04-stamp-beats-settings; }
@test "pod: a pod with a node is left, with a warning" { holds p08-pod-with-a-node; }
@test "pod: null fields are empty ones" { holds i05-null-selector-and-tolerations; }
@test "pod: another value in the selector is rejected" { holds i01-another-value; }
@test "pod: node affinity without a match is rejected" { holds i02-no-term-matches; }
@test "pod: a toleration that is there is not added again" { holds i04-one-of-two-entries-there; }
@test "pod: all conflicts stand in one message" { holds i06-every-conflict-in-one-message; }
@test "pod: the policy's own output does not change" { holds i07-own-output-again; }

@test "update: a leader without a name waits" { holds p07-nameless-leader; }
@test "update: it is placed when its gate is lifted" { holds p10-gate-lifted-by-lws-injects-the-name; }
@test "update: a pod older than the policy passes" { holds p11-pod-older-than-the-policy; }
@test "update: a rewritten leader name is rejected" { holds p11-leader-name-rewritten-before-a-node; }

@test "validate: a missing key is rejected" { holds v01-key-missing; }
@test "validate: nothing is ever patched" { holds v05-validate-never-mutates; }

@test "set: both templates are stamped" { holds s06-created-with-both-templates; }
@test "set: new settings alone roll nothing" { holds s06-new-settings-and-nothing-else; }
@test "set: a template that fixes the key is rejected" { holds s02-worker-template-fixes-our-key; }
@test "set: templates that ask for different keys are rejected" { holds a03-templates-with-different-keys; }
@test "set: a surge that makes values too long is rejected" { holds s04-name-of-61-with-10-replicas-and-5-percent-surge; }
@test "set: a key without a toleration is a warning" { holds s08-selector-key-without-a-toleration; }
