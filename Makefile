# make               build the release libraries, target/release/libquatint.so and libquatint.a, for
#                    include/quatint.h
# make demo          compile and run a C program that integrates real bodies, and plot the result
# make install, make uninstall    PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR=: see install.mk
# make cuda          build the experimental library for GPUs, target/release/libquatint_cuda.so and
#                    libquatint_cuda.a, for cuda/include/quatint_cuda.h (docs/gpu.md); needs no CUDA
# make docs          build the Rust documentation (target/doc/quatint) and the C and C++ reference
#                    (target/doc/c)
# make site          the pages of docs/ as a searchable site, target/site/index.html, with both
#                    references; builds mdBook first
#
# Tests
# make check         the quick tests: the Rust library alone, formatting and lints; needs nothing
#                    but Rust and a C compiler
# make test          run all tests of all languages, after installing what they need
# make test-cuda     the part of it that tests the library for GPUs, cuda/, without a GPU
# make test-cuda-coverage
#                    how many lines of the kernels these tests run, and that it is enough
# make test-ptxas    what NVIDIA's assembler makes of its kernels: registers and spills, each below its
#                    ceiling, and equal code with and without contraction; installs the assembler.
#                    ARCHITECTURES="sm_80": of these alone
# make device-check  build the checks of a device, target/device_check, which cuda/device.sh runs on
#                    a machine with a GPU, in ten minutes
# make test-lammps   LAMMPS with fix quatint beside its fix nve/asphere, on 1 and 2 ranks; installs
#                    Debian's LAMMPS first
# make test-liggghts LIGGGHTS with the fixes of quatint beside its own; installs Debian's, and
#                    compiles another with superquadrics, in five minutes; BODIES=clumps does not
# make test-targets  the library on other processors and systems, in emulators or linked only:
#                    docs/platforms.md; installs cross compilers
# make metamorphic PROBLEMS=100000    random generic problems turned, scaled, cut in parts, said in
#                    other ways: more of them than make test takes
# make mutants       change src/kernel, src/method and src/solve in one place after the other, and
#                    list what no quick test notices; days, SHARD=7/300 an hour
# make fuzz, make miri, make sanitize    libFuzzer, Rust's interpreter and the sanitizers: see
#                    fuzz/fuzz.mk
# make reproducible  build the libraries twice, in two folders, and compare them; some ten minutes
#
# Measurements
# make bench         compare quatint with the same method written by hand in C, and callbacks in C++
#                    and Fortran with C
# make bench-octave  compare a torque function in Octave with the same torque as a C callback
# make bench-julia   compare torques in Julia with those in C, and `integrate` with the same method
#                    in Julia's own arrays
# make bench-python  compare torques in Python with those in C, and many bodies with PCDM in numpy
#                    and JAX; installs the package in target
# make bench-peers   compare quatint with GSL, SUNDIALS, Boost.odeint, ODE and Bullet; write
#                    docs/peers-tables.md and docs/peers.svg
# make bench-evaluations   torques and times of solutions beside scipy's, the torque being in Python
# make bench-energy  energy over a million steps, method by method; write docs/energy.svg
# make bench-clumps  rigid clumps in a box with velocity Verlet: energy and time, beside Richardson
#                    iterations by hand
# make bench-random  1.2e9 deviates, dipoles in a field on 1e8 samples, the cost of random torques
# make bench-mpi     what migration between two ranks costs, and how the example scales
#
# Generated files and releases
# make header        regenerate include/quatint.h from src/ffi
# make bindings      regenerate what the languages have of include/quatint.h and of the table of the
#                    interface, tools/bindings/interface.toml
# make install-cuda, make uninstall-cuda    that library, its header and its file for pkg-config
# make ptx           compile the kernels for GPUs to cuda/ptx/quatint.ptx; installs a target of Rust
# make cuda-header   regenerate cuda/include/quatint_cuda.h from cuda/src/ffi
# make abi-baseline  record the present binary interface in tests/abi and in Debian's symbols file;
#                    refused if it changed incompatibly within one SONAME
# make third-party   regenerate THIRD-PARTY.md and bindings/python/THIRD-PARTY-PYTHON.md, the
#                    licences of the crates, from Cargo.lock
# make dist, make test-dist, make test-recipes, make release    packages for users without Rust: see
#                    packaging/packaging.mk

CC      ?= cc
CFLAGS  ?= -O2
CARGO   ?= cargo
TARGET_DIR ?= target
RELEASE := $(TARGET_DIR)/release
# The system that the libraries are for: linux, macos or windows.
ifeq ($(shell uname -s),Darwin)
TARGET_OS ?= macos
else ifeq ($(OS),Windows_NT)
TARGET_OS ?= windows
else
TARGET_OS ?= linux
endif
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# The version in the SONAME, as build.rs has it: MAJOR, or 0.MINOR.
ABI     := $(shell echo '$(VERSION)' | sed 's/^\(0\.[0-9]*\|[1-9][0-9]*\)\..*/\1/')

# The name that cargo gives the shared library.
SHARED_linux    := libquatint.so
SHARED_macos    := libquatint.dylib
SHARED_windows  := quatint.dll
# The name by which the loader looks for it at run time.
LOADED_linux    := libquatint.so.$(ABI)
LOADED_macos    := libquatint.$(ABI).dylib
LOADED_windows  := quatint-$(ABI).dll

SHARED  := $(SHARED_$(TARGET_OS))
SO      := $(RELEASE)/$(SHARED)
LOADED  := $(RELEASE)/$(LOADED_$(TARGET_OS))

SOURCES := Cargo.toml Cargo.lock build.rs capi/Cargo.toml capi/build.rs $(shell find src capi/src -name '*.rs')
LINK     = -Iinclude -L$(RELEASE) -lquatint -lm -Wl,-rpath,$(abspath $(RELEASE))

.PHONY: all demo docs site clean
.PHONY: check test metamorphic mutants test-lammps test-liggghts test-targets reproducible
.PHONY: bench bench-octave bench-julia bench-python bench-peers bench-evaluations
.PHONY: bench-energy bench-clumps bench-random bench-mpi
.PHONY: header bindings third-party abi-baseline
.PHONY: cuda install-cuda uninstall-cuda ptx cuda-header test-cuda test-cuda-coverage test-ptxas device-check

all: $(LOADED)

include install.mk
include packaging/packaging.mk

$(LOADED): $(SO)
	ln -sf $(SHARED) $@

$(SO): $(SOURCES)
	cmake/build.sh "$(TARGET_DIR)" "$(SHARED) libquatint.a" $(CARGO) build -p quatint-capi

target/demo/tumble: c_examples/tumble.c include/quatint.h $(LOADED)
	mkdir -p target/demo
	$(CC) -std=c99 $(CFLAGS) $< -o $@ $(LINK)

PLOT_SOURCES := tools/plot/Cargo.toml $(shell find tools/plot/src -name '*.rs') Cargo.lock

# for this machine, whatever CARGO_BUILD_TARGET says
$(RELEASE)/quatint-plot: $(PLOT_SOURCES)
	cmake/build.sh "$(TARGET_DIR)" quatint-plot \
	    env -u CARGO_BUILD_TARGET $(CARGO) build --quiet -p quatint-plot

CASES := $(addprefix c_examples/cases/,toutatis.case t_handle.case heavy_top.case)

demo: target/demo/tumble $(RELEASE)/quatint-plot
	target/demo/tumble -o target/demo $(CASES)
	$(RELEASE)/quatint-plot target/demo/tumble.svg target/demo $(CASES)
	@echo
	@echo "the picture: target/demo/tumble.svg"

check:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --features harness -- -D warnings
	$(CARGO) test --locked --quiet --features harness --test portable --test rust --test house \
	    -- --skip docs::

test:
	tests/setup.sh
	$(CARGO) test --locked --workspace --features harness

cuda:
	cmake/build.sh "$(TARGET_DIR)" "libquatint_cuda.so libquatint_cuda.a" \
	    $(CARGO) build -p quatint-cuda
	ln -sf libquatint_cuda.so $(RELEASE)/libquatint_cuda.so.$(ABI)

install-cuda: cuda
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(INCLUDEDIR)"
	$(INSTALL) -m 755 $(RELEASE)/libquatint_cuda.so \
	    "$(DESTDIR)$(LIBDIR)/libquatint_cuda.so.$(VERSION)"
	for link in .$(ABI) ""; do \
	    ln -sf libquatint_cuda.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libquatint_cuda.so$$link"; \
	done
	$(INSTALL) -m 644 $(RELEASE)/libquatint_cuda.a "$(DESTDIR)$(LIBDIR)"
	$(INSTALL) -m 644 cuda/include/quatint_cuda.h "$(DESTDIR)$(INCLUDEDIR)"
	sed -e 's|@PREFIX@|$(call pc_prefix)|' -e 's|@LIBDIR@|$(call pc_folder,$(LIBDIR))|' \
	    -e 's|@INCLUDEDIR@|$(call pc_folder,$(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|' \
	    cmake/quatint_cuda.pc.in >"$(DESTDIR)$(LIBDIR)/pkgconfig/quatint_cuda.pc"

uninstall-cuda:
	for file in so so.$(ABI) so.$(VERSION) a; do \
	    rm -f "$(DESTDIR)$(LIBDIR)/libquatint_cuda.$$file"; \
	done
	rm -f "$(DESTDIR)$(LIBDIR)/pkgconfig/quatint_cuda.pc" "$(DESTDIR)$(INCLUDEDIR)/quatint_cuda.h"

ptx:
	cuda/ptx/make.sh

cuda-header:
	QUATINT_REFRESH=1 $(CARGO) test --locked --quiet -p quatint-cuda --features harness \
	    --test gpu the_committed_header

# static but for the system's own libraries, and libcuda.so.1, which it loads
device-check:
	$(CARGO) build --locked --release -p quatint-cuda --example device_check
	cp $(RELEASE)/examples/device_check $(TARGET_DIR)/device_check
	$(CARGO) build --locked --release -p quatint-cuda
	cp $(RELEASE)/libquatint_cuda.so $(TARGET_DIR)/libquatint_cuda.so

test-cuda:
	$(CARGO) test --locked -p quatint-cuda --features harness

# not part of `make test`, because it runs the same tests again
test-cuda-coverage:
	cuda/tests/coverage.sh

# not part of `make test`: the assembler is a download of some 30 MB
test-ptxas:
	tests/setup_ptxas.sh
	cuda/ptx/ptxas.sh $(ARCHITECTURES)

# not part of `make test`: LAMMPS and MPI are large packages
test-lammps: $(LOADED)
	tests/lammps.sh

# not part of `make test` either: it compiles LIGGGHTS, in five minutes
BODIES ?= superquadrics clumps
test-liggghts: $(LOADED)
	tests/liggghts.sh $(BODIES)

# not part of `make test`: a build for each target, half an hour. TARGETS="aarch64-linux ..." are
# some; TARGETS=fast is what .ci/run does
test-targets:
	tests/targets.sh $(TARGETS)

# not part of `make test`: four thousand changes, each of which is built and tested, in a minute or
# more
SHARD ?= 0/1
MUTANTS := target/tools/bin/cargo-mutants

$(MUTANTS):
	$(CARGO) install cargo-mutants --locked --root target/tools

mutants: $(MUTANTS)
	PATH="$(abspath target/tools/bin):$$PATH" $(CARGO) mutants --output target --jobs 1 \
	    --no-shuffle --shard $(SHARD) --sharding round-robin \
	    --file 'src/kernel/**' --file 'src/method/**' --file 'src/solve/**' \
	    -- --test portable --test rust

target/bench/%: benches/%.c benches/measure.h benches/by_hand.h benches/richardson.h \
        include/quatint.h $(LOADED)
	mkdir -p target/bench
	gcc -O3 -march=native -Wall -Wextra $< -o $@ $(LINK)

# one source file for each language in which torques are written
CALLBACKS := benches/callbacks.c benches/callbacks_cpp.cpp benches/callbacks_fortran.f90
CALLBACK_FLAGS := -O3 -march=native -Wall

target/bench/callbacks: $(CALLBACKS) bindings/fortran/quatint.f90 $(FORTRAN_PARTS) benches/measure.h \
        include/quatint.h $(wildcard include/*.hpp include/quatint/*.hpp) $(LOADED)
	mkdir -p target/bench
	gcc $(CALLBACK_FLAGS) -Wextra -Iinclude -c benches/callbacks.c -o $@.o
	g++ -std=c++17 $(CALLBACK_FLAGS) -Wextra -Iinclude -c benches/callbacks_cpp.cpp -o $@_cpp.o
	gfortran $(CALLBACK_FLAGS) -Jtarget/bench -c bindings/fortran/quatint.f90 -o $@_module.o
	gfortran $(CALLBACK_FLAGS) -Wno-unused-dummy-argument -Jtarget/bench \
	    -c benches/callbacks_fortran.f90 -o $@_fortran.o
	g++ $@.o $@_cpp.o $@_fortran.o $@_module.o -o $@ $(LINK) -lgfortran

PROBLEMS ?= 100000

metamorphic:
	QUATINT_PROBLEMS=$(PROBLEMS) $(CARGO) test --locked --release --test rust metamorphic::

bench: target/bench/one_body target/bench/callbacks target/bench/ensembles
	target/bench/one_body
	target/bench/callbacks
	target/bench/ensembles
	@for level in avx2 baseline; do QUATINT_SIMD=$$level target/bench/ensembles 4096; done

OCTAVE := octave-cli --norc --no-history

bench-octave: $(LOADED)
	mkdir -p target/bench
	cd bindings/matlab && $(OCTAVE) --eval build_quatint
	mkoctfile --mex -O3 $(LINK) bindings/matlab/bench/bench_mex.c -o target/bench/bench_mex.mex
	$(OCTAVE) --path bindings/matlab --path bindings/matlab/bench --path target/bench --eval bench

include benches/peers/peers.mk
include fuzz/fuzz.mk

bench-energy: target/bench/energy $(RELEASE)/quatint-plot
	target/bench/energy > target/bench/energy.csv
	$(RELEASE)/quatint-plot energy target/bench/energy.csv docs/energy.svg

bench-clumps: target/bench/clumps
	target/bench/clumps

bench-random: target/bench/random
	target/bench/random

MPIRUN := mpirun --oversubscribe --allow-run-as-root

target/bench/mpi: benches/mpi.c benches/measure.h c_examples/mpi_bodies.c include/quatint.h \
        $(LOADED)
	mkdir -p target/bench
	mpicc -O3 -march=native -ffp-contract=off -Wall -Wextra $< -o $@ $(LINK)

bench-mpi: target/bench/mpi
	$(MPIRUN) -n 2 target/bench/mpi

bench-julia: $(LOADED)
	tests/setup_julia.sh
	PATH=$(CURDIR)/target/julia:$$PATH julia --startup-file=no \
	    --project=bindings/julia/Quatint bindings/julia/bench.jl

bench-python: $(LOADED)
	bindings/python/bench/run.sh

header:
	QUATINT_REFRESH=1 $(CARGO) test --locked --quiet --features harness --test house \
	    the_committed_header

third-party:
	QUATINT_REFRESH=1 $(CARGO) test --locked --quiet --features harness --test house \
	    third_party

abi-baseline:
	tests/abi/abi.sh renew
	QUATINT_REFRESH=1 $(CARGO) test --locked --quiet --features harness --test house -- the_symbols_file_of_debian

reproducible:
	tests/reproducible.sh

bindings:
	$(CARGO) run --locked --quiet -p quatint-bindings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --lib -p quatint --features capi
	(cat docs/doxygen/Doxyfile; echo "PROJECT_NUMBER = $(VERSION)") | doxygen -

site: docs
	tests/setup_mdbook.sh
	docs/site/site_pages.py

clean:
	$(CARGO) clean
