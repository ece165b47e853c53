# make         the release library: target/release/libquatint.so and .a, beside include/quatint.h
# make demo    compile a C program against it, integrate real bodies, show and draw the result
# make test    every test of every language; sets up what they need
# make bench   quatint beside the same method written by hand in C, and callbacks beside those in C, in one run
# make bench-octave  a torque function in Octave beside the same torque as a C callback, in one run
# make bench-peers  quatint beside GSL, SUNDIALS, Boost.odeint, ODE and Bullet; writes docs/peers.md and docs/peers.svg
# make bench-julia  torques in Julia beside those in C, and `integrate` beside Julia's own arrays
# make header  refresh include/quatint.h from src/ffi
# make bindings  refresh what Fortran and Julia declare of include/quatint.h, from that header
# make install, make uninstall    PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR=: see install.mk
# make docs    the Rust documentation, and the reference of the C and C++ headers: target/doc/quatint, target/doc/c

CC      ?= cc
CFLAGS  ?= -O2
CARGO   ?= cargo
TARGET_DIR ?= target
RELEASE := $(TARGET_DIR)/release
SO      := $(RELEASE)/libquatint.so
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
MAJOR   := $(firstword $(subst ., ,$(VERSION)))
SOURCES := Cargo.toml Cargo.lock build.rs $(shell find src -name '*.rs')
LINK     = -Iinclude -L$(RELEASE) -lquatint -lm -Wl,-rpath,$(abspath $(RELEASE))
CASES   := c_examples/cases/toutatis.case c_examples/cases/t_handle.case c_examples/cases/heavy_top.case

.PHONY: all demo test bench bench-octave bench-peers bench-julia header bindings docs clean

all: $(SO).$(MAJOR)

include install.mk

# a program looks for the SONAME, not for the name it was linked with
$(SO).$(MAJOR): $(SO)
	ln -sf libquatint.so $@

$(SO): $(SOURCES)
	$(CARGO) build --release --lib --target-dir $(TARGET_DIR)
	touch $@

target/demo/tumble: c_examples/tumble.c include/quatint.h $(SO).$(MAJOR)
	mkdir -p target/demo
	$(CC) -std=c99 $(CFLAGS) $< -o $@ $(LINK)

$(RELEASE)/quatint-plot: tools/plot/Cargo.toml $(shell find tools/plot/src -name '*.rs') Cargo.lock
	$(CARGO) build --release --quiet -p quatint-plot --target-dir target
	touch $@

demo: target/demo/tumble $(RELEASE)/quatint-plot
	target/demo/tumble -o target/demo $(CASES)
	$(RELEASE)/quatint-plot target/demo/tumble.svg $(patsubst c_examples/cases/%.case,target/demo/%.csv,$(CASES))
	@echo; echo "the picture: target/demo/tumble.svg"

test:
	tests/setup.sh
	$(CARGO) test --workspace

target/bench/%: benches/%.c benches/measure.h benches/by_hand.h include/quatint.h $(SO).$(MAJOR)
	mkdir -p target/bench
	gcc -O3 -march=native -Wall -Wextra $< -o $@ $(LINK)

# a file for each language that torques are written in
target/bench/callbacks: benches/callbacks.c benches/callbacks_cpp.cpp benches/callbacks_fortran.f90 fortran/quatint.f90 \
        benches/measure.h include/quatint.h include/quatint.hpp $(SO).$(MAJOR)
	mkdir -p target/bench
	gcc -O3 -march=native -Wall -Wextra -Iinclude -c benches/callbacks.c -o $@.o
	g++ -std=c++17 -O3 -march=native -Wall -Wextra -Iinclude -c benches/callbacks_cpp.cpp -o $@_cpp.o
	gfortran -O3 -march=native -Wall -Jtarget/bench -c fortran/quatint.f90 -o $@_module.o
	gfortran -O3 -march=native -Wall -Wno-unused-dummy-argument -Jtarget/bench -c benches/callbacks_fortran.f90 -o $@_fortran.o
	g++ $@.o $@_cpp.o $@_fortran.o $@_module.o -o $@ $(LINK) -lgfortran

bench: target/bench/one_body target/bench/callbacks target/bench/ensembles
	target/bench/one_body
	target/bench/callbacks
	target/bench/ensembles
	@for level in avx2 baseline; do QUATINT_SIMD=$$level target/bench/ensembles 4096; done

OCTAVE := octave-cli --norc --no-history

bench-octave: $(SO).$(MAJOR)
	mkdir -p target/bench
	cd matlab && $(OCTAVE) --eval build_quatint
	mkoctfile --mex -O3 $(LINK) matlab/bench/bench_mex.c -o target/bench/bench_mex.mex
	$(OCTAVE) --path matlab --path matlab/bench --path target/bench --eval bench

include benches/peers/peers.mk

bench-julia: $(SO).$(MAJOR)
	tests/setup_julia.sh
	PATH=$(CURDIR)/target/julia:$$PATH julia --startup-file=no --project=julia/Quatint julia/bench.jl

header:
	QUATINT_REFRESH=1 $(CARGO) test --quiet --test header the_committed_header

bindings:
	$(CARGO) run --quiet -p quatint-bindings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --lib
	(cat docs/Doxyfile; echo "PROJECT_NUMBER = $(VERSION)") | doxygen -

clean:
	$(CARGO) clean
