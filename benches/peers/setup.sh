#!/bin/sh
# Installs the packages that `make bench-peers` needs besides Rust, like tests/setup.sh for the tests.
set -eu

missing=
# package:command or file
for need in gcc:gcc g++:g++ pkg-config:pkg-config libgsl-dev:/usr/include/gsl/gsl_odeiv2.h \
    libsundials-dev:/usr/include/arkode/arkode_erkstep.h libboost-dev:/usr/include/boost/numeric/odeint.hpp \
    libode-dev:/usr/include/ode/ode.h libbullet-dev:/usr/include/bullet/btBulletDynamicsCommon.h; do
    what=${need#*:}
    [ -e "$what" ] || command -v "$what" >/dev/null 2>&1 || missing="$missing ${need%%:*}"
done

if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing:$missing"
        apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing libc6-dev >/dev/null
    else
        echo "make bench-peers needs these Debian packages (or what your system calls them):$missing" >&2
        exit 1
    fi
fi
