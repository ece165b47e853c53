#!/bin/sh
# Sets up what the tests need besides Rust. As root on Debian or Ubuntu it installs the packages;
# elsewhere it says what is missing, in one line, and fails: a test that cannot run has not passed.
set -eu

. "$(dirname "$0")/packages.sh"

# A disk that is full fails in the middle of a test, in a place that does not say so.
free=$(df -Pk . | awk 'END { print int($4 / 1000000) }')
built=$(du -sk target 2>/dev/null | awk 'END { print int($1 / 1000000) }')
if [ "$((free + built))" -lt 5 ]; then
    echo "make test needs 5 GB on the disk of $(pwd), where $free GB are free (.ci/run: 7 GB)" >&2
    exit 1
fi

install_missing "make test needs" \
    gcc:cc gcc:gcc g++:g++ clang:clang gfortran:gfortran \
    valgrind:valgrind binutils:nm binutils:readelf abigail-tools:abidw abigail-tools:abidiff \
    pkg-config:pkg-config cmake:cmake meson:meson ninja-build:ninja doxygen:doxygen \
    octave:octave octave-dev:mkoctfile octave-quaternion:/usr/share/doc/octave-quaternion/copyright \
    gnuplot-nox:gnuplot ghostscript:gs \
    fonts-freefont-otf:/usr/share/fonts/opentype/freefont/FreeSans.otf \
    libeigen3-dev:/usr/include/eigen3/Eigen/Core \
    python3-pycparser:/usr/lib/python3/dist-packages/pycparser/__init__.py \
    libopenmpi-dev:mpicc openmpi-bin:mpirun libc6-dev libc6-dbg

# The sanitizers of clang are in a package that depends on its version.
if [ ! -e "$(clang -print-file-name=libclang_rt.asan-x86_64.a)" ] && [ "$(uname -m)" = x86_64 ]; then
    install_packages "make test needs" "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
fi

"$(dirname "$0")/setup_julia.sh" & # beside the others: all wait for the network
julia=$!
failed=0
{ "$(dirname "$0")/setup_python.sh" && "$(dirname "$0")/setup_fpm.sh"; } || failed=1
wait "$julia" || failed=1
exit "$failed"
