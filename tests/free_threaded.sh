#!/bin/sh
# Runs the tests of the Python package on a free-threaded interpreter: tests/free_threaded.sh python3.14t
# It is not part of `make test`, because no package of Debian has such an interpreter. The packages
# are the newest, so two tests of mypy, which go with those of requirements.txt, are left out.
set -eu
interpreter=${1:?name a free-threaded Python, such as python3.14t}
cd "$(dirname "$0")/.."
root=$PWD/target/free-threaded
"$interpreter" -c 'import sys; sys.exit(getattr(sys, "_is_gil_enabled", lambda: True)())' || {
    echo "$interpreter is not a free-threaded Python 3.14 or newer" >&2
    exit 1
}

if [ ! -x "$root/bin/maturin" ]; then
    "$interpreter" -m venv "$root"
    "$root/bin/python" -m pip install --quiet --only-binary :all: cffi matplotlib maturin numba numpy pytest scipy
fi
rm -rf "$root/wheels"
PATH=$root/bin:$PATH maturin build --quiet --profile dev --features harness --interpreter "$root/bin/python" \
    --manifest-path bindings/python/Cargo.toml --target-dir "$root/build" --out "$root/wheels"
"$root/bin/python" -m pip install --quiet --force-reinstall --no-index --no-deps "$root"/wheels/*.whl

tests=$PWD/bindings/python/tests
cd "$root" # away from the folder of the package, which has no extension
MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1 env --default-signal=INT bin/python -m pytest --quiet -p no:cacheprovider \
    -k "not stubs_are_those and not mypy" "$tests"
