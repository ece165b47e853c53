# make fuzz SECONDS=60   fuzz the C interface (libFuzzer, with the address sanitizer in C++ and in
#                        Rust); findings go to target/fuzz/found
# make fuzz-corpus       keep in fuzz/corpus the least set of inputs that reaches what all inputs
#                        found so far have reached
# make miri              the unsafe code of memory and threads, by tests of the Rust interface in
#                        Rust's interpreter; needs a nightly Rust
# make sanitize          the C tests and the corpus under the address, undefined-behaviour and
#                        thread sanitizers
#
# The sanitizers of rustc are behind switches of the compiler that are not stable: RUSTC_BOOTSTRAP
# allows them in the stable toolchain. The runtime is clang's, also for the Rust code, so that C++
# and Rust are checked by one.

SECONDS ?= 60
FUZZ    := $(TARGET_DIR)/fuzz
HOST    := $(shell rustc -vV | sed -n 's/^host: //p')

# Debug assertions find what a release would let pass: an overflow of integers, an index that
# `unsafe` code did not check.
CHECKED := RUSTC_BOOTSTRAP=1 \
    CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_PROFILE_RELEASE_OPT_LEVEL=2 \
    CARGO_PROFILE_RELEASE_DEBUG=line-tables-only \
    CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true \
    CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
# The flag of `.cargo/config.toml`, which cargo does not read where RUSTFLAGS are set. Without it
# the build takes twice as long.
QUICKLY := -Cllvm-args=-enable-noalias-to-md-conversion=0
COVERED := level=4 inline-8bit-counters pc-table trace-compares
SANCOV  := -Cpasses=sancov-module $(addprefix -Cllvm-args=-sanitizer-coverage-,$(COVERED))
ASAN_A  := $(FUZZ)/address/$(HOST)/release/libquatint.a
TSAN_A  := $(FUZZ)/thread/$(HOST)/release/libquatint.a
FUZZ_CC := -g -O1 -ffp-contract=off -Wall -Wextra -Wshadow -Iinclude
ASAN    := -fsanitize=address,undefined -fno-sanitize-recover=all
SYSTEM  := -lm -lpthread -ldl
# Memory that is asked for and cannot be had is NULL, as without a sanitizer.
NULLS   := ASAN_OPTIONS=allocator_may_return_null=1
FUZZ_SOURCES := $(wildcard fuzz/*.cpp fuzz/*.hpp) include/quatint.h

.PHONY: fuzz fuzz-corpus miri sanitize sanitize-address sanitize-thread

fuzz: $(FUZZ)/calls
	mkdir -p $(FUZZ)/corpus $(FUZZ)/found
	$(NULLS) $(FUZZ)/calls -max_total_time=$(SECONDS) -max_len=1500 -len_control=0 -timeout=60 \
	    -artifact_prefix=$(FUZZ)/found/ $(FUZZ)/corpus fuzz/corpus

fuzz-corpus: $(FUZZ)/calls
	rm -rf $(FUZZ)/least
	mkdir -p $(FUZZ)/least $(FUZZ)/corpus
	$(NULLS) $(FUZZ)/calls -set_cover_merge=1 $(FUZZ)/least fuzz/corpus $(FUZZ)/corpus
	rm -f fuzz/corpus/*
	cp $(FUZZ)/least/* fuzz/corpus

sanitize: sanitize-address sanitize-thread

C_TESTS_ADDRESS := $(patsubst tests/c/%.c,$(FUZZ)/%_address,$(wildcard tests/c/*.c))

sanitize-address: $(FUZZ)/replay_address $(C_TESTS_ADDRESS)
	for program in $(C_TESTS_ADDRESS); do $$program >/dev/null || exit 1; done
	for level in baseline avx2 avx512; do \
	    $(NULLS) QUATINT_SIMD=$$level $(FUZZ)/replay_address fuzz/corpus/* || exit 1; \
	done

# `setarch -R`: the thread sanitizer of an older clang cannot place its shadow memory where the
# kernel randomises much
sanitize-thread: $(FUZZ)/replay_thread $(FUZZ)/test_threads_thread
	setarch -R $(FUZZ)/test_threads_thread
	setarch -R $(FUZZ)/replay_thread fuzz/corpus/*

# Miri knows no intrinsics beyond SSE2 and no inline assembly, which libm has for a square root.
# These tests take several minutes, some others hours.
MIRI_TESTS := $(addprefix rust_api::,a_failure_says a_panic_in a_view_of callbacks_and) threads::
MIRI_FLAGS := -Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-deterministic-floats \
    -Zmiri-permissive-provenance

miri:
	rustup toolchain install nightly --profile minimal --component miri --component rust-src
	QUATINT_SIMD=baseline MIRIFLAGS="$(MIRI_FLAGS)" \
	    $(CARGO) +nightly miri test --features libm/force-soft-floats --target-dir $(FUZZ)/miri \
	    --lib --test rust -- $(MIRI_TESTS)

$(ASAN_A): $(SOURCES)
	$(CHECKED) RUSTFLAGS="$(QUICKLY) -Zsanitizer=address $(SANCOV)" \
	    $(CARGO) rustc --release -p quatint-capi --crate-type staticlib --target $(HOST) \
	    --target-dir $(FUZZ)/address
	touch $@

# The standard library is built too: its locks and its threads must be seen by the sanitizer.
$(TSAN_A): $(SOURCES)
	test -d "$$(rustc --print sysroot)/lib/rustlib/src/rust" || rustup component add rust-src
	$(CHECKED) RUSTFLAGS="$(QUICKLY) -Zsanitizer=thread" \
	    $(CARGO) rustc -Zbuild-std=std,panic_unwind --release -p quatint-capi --crate-type staticlib \
	    --target $(HOST) --target-dir $(FUZZ)/thread
	touch $@

$(FUZZ)/calls: $(FUZZ_SOURCES) $(ASAN_A)
	clang++ -std=c++17 $(FUZZ_CC) $(ASAN) -fsanitize=fuzzer fuzz/calls.cpp \
	    -o $@ $(ASAN_A) $(SYSTEM)

# The library is compiled with coverage, so the programs need the runtime that counts it: that of
# libFuzzer without its main function.
$(FUZZ)/replay_address: $(FUZZ_SOURCES) $(ASAN_A)
	clang++ -std=c++17 $(FUZZ_CC) $(ASAN) -fsanitize=fuzzer-no-link fuzz/calls.cpp fuzz/replay.cpp \
	    -o $@ $(ASAN_A) $(SYSTEM)

$(FUZZ)/%_address: tests/c/%.c tests/c/check.h include/quatint.h $(ASAN_A)
	clang -std=c99 $(FUZZ_CC) $(ASAN) -fsanitize=fuzzer-no-link $< \
	    -o $@ $(ASAN_A) $(SYSTEM)

$(FUZZ)/thread_runtime.o: fuzz/thread_runtime.c
	mkdir -p $(FUZZ)
	clang $(FUZZ_CC) -fno-builtin -c $< -o $@

$(FUZZ)/replay_thread: $(FUZZ_SOURCES) $(FUZZ)/thread_runtime.o $(TSAN_A)
	clang++ -std=c++17 $(FUZZ_CC) -fsanitize=thread fuzz/calls.cpp fuzz/replay.cpp \
	    $(FUZZ)/thread_runtime.o -o $@ $(TSAN_A) $(SYSTEM)

$(FUZZ)/%_thread: tests/c/%.c tests/c/check.h include/quatint.h $(FUZZ)/thread_runtime.o $(TSAN_A)
	clang -std=c99 $(FUZZ_CC) -fsanitize=thread $< $(FUZZ)/thread_runtime.o \
	    -o $@ $(TSAN_A) $(SYSTEM)
