#!/bin/sh
# fpm, the Fortran package manager, for the tests: that on the PATH, else target/fpm/bin/fpm, which
# pip installs from its wheel of this version. It prints nothing and takes no time where that is
# there already.
set -eu
cd "$(dirname "$0")/.."
version=0.12.0

command -v fpm >/dev/null 2>&1 && exit 0
[ -x target/fpm/bin/fpm ] && exit 0
echo "installing fpm $version into target/fpm"
rm -rf target/fpm
{ "${PYTHON:-python3}" -m venv target/fpm &&
    target/fpm/bin/pip install --quiet --disable-pip-version-check --only-binary :all: "fpm==$version"; } || {
    rm -rf target/fpm
    echo "make test needs fpm on the PATH (pip install fpm), and cannot install it here" >&2
    exit 1
}
