# Everything here runs on a fresh machine: what is missing is installed first. `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO_HOME ?= $(HOME)/.cargo
export CARGO_HOME
export PATH := $(CARGO_HOME)/bin:$(PATH)

TARGET := wasm32-wasip1
MODULE := target/$(TARGET)/release/lws_replica_placement.wasm
# What the policy is compared with: nothing, and the injection in two usual ways.
BASELINE := target/$(TARGET)/release/lws_baseline_
BASELINES := $(patsubst %,$(BASELINE)%.wasm,noop typed value)
# Some of their code is compiled for WASI alone.
POLICIES := --package lws-replica-placement $(patsubst %,--package lws-baseline-%,noop typed value)
BASELINE_SOURCES := $(shell find bench/baselines -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock rust-toolchain.toml
HOST := target/debug/lws-placement
SOURCES := build.rs $(shell find src -name '*.rs') Cargo.toml Cargo.lock rust-toolchain.toml
# The contract is part of the host: `explain` prints its rules.
HOST_SOURCES := $(shell find crates src -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock docs/design.md
# Paths of this machine stay out of the module, so that the same source gives the same bytes anywhere.
REMAP := --remap-path-prefix=$(CURDIR)=/src --remap-path-prefix=$(CARGO_HOME)=/cargo

# The page: the policy's own code for browsers and Node, and what is around it.
WEB := wasm32-unknown-unknown
WEB_MODULE := target/$(WEB)/playground/lws_playground.wasm
WEB_CODE := playground/pkg/lws_playground_bg.wasm
WEB_SOURCES := $(shell find crates/expand crates/manifest crates/playground crates/review src -name '*.rs' -o -name Cargo.toml) \
  $(wildcard examples/install/*.yaml) Cargo.toml Cargo.lock rust-toolchain.toml docs/design.md
PAGE_SOURCES := $(shell find playground/src playground/examples -type f) $(wildcard examples/*.yaml) \
  $(addprefix playground/,index.html package.json tsconfig.json vite.config.ts package/types.d.ts)
NODE_PACKAGE := playground/package/lib/lws_playground_bg.wasm

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-zA-Z0-9_.-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 24

.PHONY: run
run: annotated-policy.wasm $(HOST) ## review the example: which nodes each replica asks for
	@$(HOST) review -f examples/vllm.yaml --settings examples/settings.yaml

.PHONY: test
test: check playground-test reproducible ## all tests

.PHONY: check
check: lint unit imports e2e-tests ## formatting, lints, unit tests, the module and its cases

.PHONY: lint
lint: toolchain ## formatting and clippy, warnings denied
	cargo fmt --all --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --target $(TARGET) $(POLICIES) --lib --locked -- -D warnings

# What these need comes from PyPI into target/venv. They are no part of `make test`, which asks for no Python.
LINTERS := target/venv/installed

.PHONY: lint-extra
lint-extra: lint-workflows lint-scripts lint-yaml ## workflows, scripts and YAML by their own linters; needs python3 with venv

.PHONY: lint-workflows
lint-workflows: $(LINTERS)
	target/venv/bin/actionlint -shellcheck target/venv/bin/shellcheck
	target/venv/bin/zizmor --offline --quiet --persona pedantic .github/workflows

.PHONY: lint-scripts
lint-scripts: $(LINTERS)
	git ls-files -z | xargs -0 awk 'FNR == 1 && /^#!.*[\/ ](sh|bash|bats)$$/ { print FILENAME } { nextfile }' \
	  | xargs target/venv/bin/shellcheck

.PHONY: lint-yaml
lint-yaml: $(LINTERS)
	git ls-files -z '*.yml' '*.yaml' | xargs -0 target/venv/bin/yamllint --strict

$(LINTERS): .github/lint-requirements.txt
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { echo 'python3 with its venv module is missing; install it (Debian: python3-venv), then run make again' >&2; exit 1; }
	python3 -m venv --clear target/venv
	target/venv/bin/pip install --quiet --disable-pip-version-check --requirement .github/lint-requirements.txt
	@touch $@

.PHONY: fmt
fmt: toolchain ## format the sources
	cargo fmt --all

.PHONY: unit
unit: annotated-policy.wasm baselines ## unit tests and the tests of the host
	cargo test --workspace --locked

.PHONY: soak
soak: annotated-policy.wasm ## the properties at ten times their length, a million replicas among them
	PROPERTY_FACTOR=10 cargo test --locked --package lws-replica-placement \
	  --test properties --test update_properties --test set_properties --test value_properties
	PROPERTY_FACTOR=10 cargo test --locked --package lws-placement --test module_properties
	PROPERTY_FACTOR=10 cargo test --locked --package lws-fuzz

# Installs a tool once for the user: name and version.
tool = command -v $(1) >/dev/null || cargo install $(1) --version $(2) --locked

FUZZ_SECONDS ?= 1800
FUZZ_TARGETS := annotations manifest payload settings
# No code here is unsafe, so there is nothing for a sanitizer to find.
FUZZ_RUN := cargo +nightly fuzz run --sanitizer none

.PHONY: fuzz
fuzz: toolchain fuzz-tools ## each fuzz target for FUZZ_SECONDS (1800)
	cargo run --quiet --locked --package lws-fuzz --example seeds -- target/fuzz-seeds
	cd fuzz; for target in $(FUZZ_TARGETS); do \
	  mkdir -p ../target/fuzz-corpus/$$target; \
	  $(FUZZ_RUN) $$target ../target/fuzz-corpus/$$target corpus/$$target ../target/fuzz-seeds/$$target \
	    -- -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1; \
	done

.PHONY: fuzz-corpus
fuzz-corpus: toolchain fuzz-tools ## keep what fuzzing found: of each target the 70 inputs that together reach most, and old findings
	cd fuzz; for target in $(FUZZ_TARGETS); do \
	  kept=../target/fuzz-kept/$$target; rm -rf $$kept; mkdir -p $$kept; \
	  $(FUZZ_RUN) $$target $$kept corpus/$$target ../target/fuzz-corpus/$$target ../target/fuzz-seeds/$$target \
	    -- -set_cover_merge=1 -use_counters=0; \
	  find corpus/$$target -type f ! -name 'found-*' -delete; \
	  ls -tr $$kept | head -70 | (cd $$kept && xargs cp -t $(CURDIR)/fuzz/corpus/$$target); \
	done

.PHONY: fuzz-tools
fuzz-tools: toolchain
	@$(call tool,cargo-fuzz,0.13.2)
	@rustup toolchain list | grep -q ^nightly || rustup toolchain install nightly --profile minimal

.PHONY: mutants
mutants: toolchain ## change the policy and the expansion in every small way; a test must notice (hours; goes on where it ended)
	@$(call tool,cargo-mutants,27.1.0)
	cargo mutants --output target --iterate --package lws-replica-placement --package lws-expand

.PHONY: coverage
coverage: toolchain ## lines of the policy that the native tests reach: 98 % at least
	@$(call tool,cargo-llvm-cov,0.9.1)
	cargo llvm-cov --locked --package lws-replica-placement --package lws-review --lib --tests \
	  --ignore-filename-regex '/(crates|tests)/' --fail-under-lines 98

.PHONY: load
load: policy.wasm ## a million requests over all cores: throughput, latency, memory
	cargo run --quiet --locked --package lws-bench --bin load -- policy.wasm

.PHONY: deny
deny: toolchain ## licences, sources and known faults of the dependencies
	@$(call tool,cargo-deny,0.20.2)
	cargo deny --workspace --locked check bans licenses sources
	@if cargo deny --workspace --locked fetch db; then cargo deny --workspace --locked check --disable-fetch advisories; \
	else echo 'advisories are left out: their database cannot be had'; fi

.PHONY: reproducible
reproducible: toolchain ## the module's bytes from two folders and two homes
	scripts/reproducible.sh

.PHONY: imports
imports: annotated-policy.wasm $(HOST) ## the module imports nothing but waPC and WASI
	@$(HOST) inspect annotated-policy.wasm
	@foreign=$$($(HOST) inspect -o json annotated-policy.wasm | tr ',' '\n' | sed -n 's/.*"module": *"\([^"]*\)".*/\1/p' \
	  | sort -u | grep -vxE 'wapc|wasi_snapshot_preview1' || true); \
	if [ -n "$$foreign" ]; then echo "the module imports from $$foreign" >&2; exit 1; fi

.PHONY: e2e-tests
e2e-tests: annotated-policy.wasm $(HOST) ## every case in e2e-tests/cases through the module
	$(HOST) test e2e-tests/cases
	@missing=; for tool in kwctl bats jq; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	if [ -z "$$missing" ]; then POLICY=annotated-policy.wasm LWS_PLACEMENT=$(HOST) bats e2e-tests/e2e.bats; \
	else echo "e2e.bats is left out: not installed:$$missing"; fi

.PHONY: playground
playground: playground/dist/index.html ## the page that runs the policy, in playground/dist

.PHONY: playground-serve
playground-serve: playground ## serve the page on this machine alone
	npm --prefix playground run serve

.PHONY: picture
picture: playground chromium ## the README's picture, drawn by the page
	CHROMIUM=$$(command -v chromium) node playground/picture.js

.PHONY: playground-package
playground-package: $(NODE_PACKAGE) ## the package for Node, in target
	cd playground/package && npm pack --pack-destination $(CURDIR)/target

.PHONY: playground-test
playground-test: playground $(NODE_PACKAGE) $(HOST) annotated-policy.wasm chromium ## the page, its code in Node and in a browser, its package
	cargo clippy --package lws-playground --lib --test web --target $(WEB) --locked -- -D warnings
	export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner CHROMEDRIVER=$$(command -v chromedriver); \
	cargo test --package lws-playground --target $(WEB) --test web --locked; \
	WASM_BINDGEN_USE_BROWSER=1 cargo test --package lws-playground --target $(WEB) --test web --locked
	rm -rf target/cases
	$(HOST) test e2e-tests/cases --export target/cases | tail -n 1
	CASES=$(CURDIR)/target/cases CHROMIUM=$$(command -v chromium) npm --prefix playground test

BENCH_OUTPUT ?= markdown
# Natively the policy's code is built as it is for the module. That takes minutes, as wasmtime is built so too;
# BENCH_PROFILE=quick saves most of them after a change, and flatters the policy by a tenth of what native takes.
BENCH_PROFILE ?= release
BENCH_RUN := cargo run --quiet --profile $(BENCH_PROFILE) --locked --package lws-bench -- measure --policy policy.wasm --baselines $(dir $(BASELINE))

.PHONY: bench
bench: policy.wasm baselines ## time, fuel, memory and size, beside modules that inject in the usual way; BENCH_OUTPUT=json
	@$(BENCH_RUN) --output $(BENCH_OUTPUT)

.PHONY: bench-page
bench-page: policy.wasm baselines ## the same, and its figures into docs/performance.md
	@$(BENCH_RUN) --page docs/performance.md

.PHONY: bench-accept
bench-accept: export BENCH_REASON = $(REASON)
bench-accept: policy.wasm ## what the module costs from now on, REASON="why that is good": the tests hold it to that
	@cargo run --quiet --locked --package lws-bench -- accept --policy policy.wasm --reason "$$BENCH_REASON"

PROFILE_CASE ?= pod-16KiB-injected

.PHONY: profile
profile: toolchain ## where the instructions go, by function of the native library; needs valgrind; PROFILE_CASE=pod-4KiB-unread
	@command -v valgrind >/dev/null || { echo 'valgrind is missing; install it (Debian: valgrind), then run make again' >&2; exit 1; }
	@mkdir -p target/profile
	@cargo run --quiet --locked --package lws-bench -- payload $(PROFILE_CASE) >target/profile/payload.json
	@CARGO_PROFILE_RELEASE_STRIP=none \
	  cargo build --quiet --release --locked --package lws-replica-placement --example answer
	@valgrind --quiet --tool=callgrind --callgrind-out-file=target/profile/callgrind.out \
	  target/release/examples/answer 200 <target/profile/payload.json
	@callgrind_annotate target/profile/callgrind.out | cut -c1-160 | sed -n '1,50p'

.PHONY: baselines
baselines: $(BASELINES) ## the modules that the policy is compared with

policy.wasm: $(MODULE) ## the policy module
	cp $(MODULE) $@

annotated-policy.wasm: policy.wasm policy-metadata.yml docs/usage.md $(HOST) ## the module with its metadata, as kwctl annotate makes it
	$(HOST) annotate --metadata policy-metadata.yml --usage docs/usage.md --output $@ policy.wasm

# The date of a release goes with its version: CREATED_AT=2026-12-24T12:00:00Z gives it, else the file keeps its own.
artifacthub-pkg.yml: policy-metadata.yml questions-ui.yml $(HOST) ## the package file for Artifact Hub, as kwctl scaffolds it
	$(HOST) artifacthub --metadata policy-metadata.yml --questions questions-ui.yml --output $@ $(CREATED_AT:%=--created-at %)

$(MODULE): $(SOURCES) | toolchain
	CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$(REMAP)" \
	  cargo build --package lws-replica-placement --release --target $(TARGET) --locked
	@touch $@

# Each by itself: built together they would share the features of their dependencies, and none would be what it is alone.
$(BASELINES): $(BASELINE)%.wasm: $(BASELINE_SOURCES) | toolchain
	CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$(REMAP)" \
	  cargo build --package lws-baseline-$* --release --target $(TARGET) --locked
	@touch $@

$(HOST): $(HOST_SOURCES) | toolchain
	cargo build --package lws-placement --locked
	@touch $@

playground/dist/index.html: $(WEB_CODE) $(PAGE_SOURCES) playground/node_modules/.package-lock.json
	npm --prefix playground run build
	@touch $@

$(NODE_PACKAGE): $(WEB_CODE)
	mkdir -p $(@D)
	cp playground/pkg/lws_playground.js playground/pkg/lws_playground_bg.wasm $(@D)

# wasm-bindgen writes the JavaScript anew even where nothing changed in it.
$(WEB_CODE): $(WEB_MODULE) | wasm-bindgen
	wasm-bindgen --target web --out-dir $(@D) --remove-name-section --remove-producers-section $(WEB_MODULE)
	@touch $@

$(WEB_MODULE): $(WEB_SOURCES) | toolchain
	CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$(REMAP)" \
	  cargo build --package lws-playground --profile playground --target $(WEB) --locked
	@touch $@

playground/node_modules/.package-lock.json: playground/package.json playground/package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2>/dev/null \
	  || { echo 'Node 20.19 or newer is missing; install it from https://nodejs.org, then run make again' >&2; exit 1; }
	npm --prefix playground ci --no-audit --no-fund
	@touch $@

.PHONY: wasm-bindgen
wasm-bindgen: toolchain ## the wasm-bindgen tool, in the version that Cargo.lock has
	@version=$$(grep -A1 '^name = "wasm-bindgen"$$' Cargo.lock | sed -n 's/^version = "\(.*\)"/\1/p'); \
	test "$$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $$version" \
	  || cargo install --no-default-features wasm-bindgen-cli --version $$version

.PHONY: chromium
chromium: ## a browser for the tests, Debian's
	@if ! { command -v chromium && command -v chromedriver; } >/dev/null; then \
	  command -v apt-get >/dev/null || { echo 'chromium and chromedriver are missing; install both, then run make again' >&2; exit 1; }; \
	  sudo=$$([ $$(id -u) = 0 ] || echo sudo); \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y --no-install-recommends chromium chromium-driver; \
	fi

.PHONY: toolchain
toolchain: ## the Rust toolchain and targets of rust-toolchain.toml
	@command -v cargo >/dev/null || { echo 'Rust is missing; install it from https://rustup.rs, then run make again' >&2; exit 1; }
	@if command -v rustup >/dev/null; then \
	  channel=$$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml); \
	  have=$$(rustup target list --installed --toolchain $$channel 2>/dev/null || true); \
	  for target in wasm32-wasip1 wasm32-unknown-unknown; do \
	    grep -qx $$target <<<"$$have" || rustup toolchain install $$channel --profile minimal --component rustfmt,clippy --target $$target --no-self-update; \
	  done; \
	fi

.PHONY: clean
clean: ## remove everything that was built
	cargo clean
	rm -f policy.wasm annotated-policy.wasm
	rm -rf playground/dist playground/pkg playground/package/lib playground/node_modules
