#!/bin/sh
# Installs the packages that `make bench-peers` needs besides Rust, like tests/setup.sh for the tests.
set -eu

. "$(dirname "$0")/../../tests/packages.sh"

install_missing "make bench-peers needs" gcc:gcc g++:g++ pkg-config:pkg-config libgsl-dev:/usr/include/gsl/gsl_odeiv2.h \
    libsundials-dev:/usr/include/arkode/arkode_erkstep.h libboost-dev:/usr/include/boost/numeric/odeint.hpp \
    libode-dev:/usr/include/ode/ode.h libbullet-dev:/usr/include/bullet/btBulletDynamicsCommon.h libc6-dev
