#!/bin/sh
# Sets up what the tests need besides Rust. As root on Debian or Ubuntu it installs the packages; elsewhere it says what is
# missing, in one line, and fails: a test that cannot run has not passed.
set -eu

missing=
# package:command or file
for need in gcc:cc gcc:gcc g++:g++ clang:clang gfortran:gfortran valgrind:valgrind binutils:nm binutils:readelf \
    pkg-config:pkg-config cmake:cmake meson:meson ninja-build:ninja doxygen:doxygen octave:octave octave-dev:mkoctfile \
    gnuplot-nox:gnuplot ghostscript:gs fonts-freefont-otf:/usr/share/fonts/opentype/freefont/FreeSans.otf \
    libeigen3-dev:/usr/include/eigen3/Eigen/Core python3-pycparser:/usr/lib/python3/dist-packages/pycparser/__init__.py \
    libopenmpi-dev:mpicc openmpi-bin:mpirun abigail-tools:abidw abigail-tools:abidiff; do
    what=${need#*:}
    case $what in # not `-e` for a command: this folder has one of the name `cmake`
    /*) [ -e "$what" ] ;;
    *) command -v "$what" >/dev/null 2>&1 ;;
    esac || missing="$missing ${need%%:*}"
done

if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing:$missing"
        apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing libc6-dev libc6-dbg >/dev/null
    else
        echo "make test needs these Debian packages (or what your system calls them):$missing" >&2
        exit 1
    fi
fi

# The sanitizers of clang are in a package that depends on its version.
if [ ! -e "$(clang -print-file-name=libclang_rt.asan-x86_64.a)" ] && [ "$(uname -m)" = x86_64 ]; then
    version=$(clang -dumpversion | cut -d. -f1)
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing: libclang-rt-$version-dev"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "libclang-rt-$version-dev" >/dev/null
    else
        echo "make test needs the sanitizer runtime of clang $version (Debian: libclang-rt-$version-dev)" >&2
        exit 1
    fi
fi

"$(dirname "$0")/setup_julia.sh"
"$(dirname "$0")/setup_python.sh"
"$(dirname "$0")/setup_fpm.sh"
