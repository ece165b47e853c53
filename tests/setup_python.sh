#!/bin/sh
# Python for the tests: a virtual environment in target/python with the packages of
# bindings/python/requirements.txt. It is made with the python3 on the PATH, or with $PYTHON, and made anew
# if that or the list of packages changes. Where it is there already, this prints nothing and takes
# no time.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/target/python
python=${PYTHON:-python3}

fail() {
    echo "make test needs Python 3.11 or newer with venv, and the packages of bindings/python/requirements.txt: $1" >&2
    exit 1
}
. tests/packages.sh
who="make test needs"

command -v "$python" >/dev/null 2>&1 || install_packages "$who" python3
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "$python is $("$python" --version)"
# Debian has the module that puts pip into the environment in a package of its own
"$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages "$who" python3-venv
"$python" -c 'import ensurepip, venv' 2>/dev/null || fail "$python has no ensurepip"

stamp=$("$python" -c 'import sys; print(sys.version, sys.base_prefix)' && cat bindings/python/requirements.txt)
if [ -x "$root/bin/python" ] && [ "$stamp" = "$(cat "$root/stamp" 2>/dev/null)" ]; then exit 0; fi

echo "making the virtual environment target/python"
rm -rf "$root"
"$python" -m venv "$root"
# --only-binary: a package without a wheel for this Python must not be compiled for an hour
"$root/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement bindings/python/requirements.txt ||
    fail "pip cannot install them"
"$root/bin/python" -m pip check >/dev/null || fail "$("$root/bin/python" -m pip check)"
echo "$stamp" >"$root/stamp"
