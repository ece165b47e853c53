#!/bin/sh
# Called by `make bench-python`, which builds the library first: installs the package into an
# environment of its own, target/bench/python, because that of the tests has neither the package nor
# JAX, and runs bench.py there.
set -eu
cd "$(dirname "$0")/../../.."
bin=$PWD/target/bench/python/bin
install() { "$bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

[ -x "$bin/python" ] || "${PYTHON:-python3}" -m venv target/bench/python
install --only-binary :all: -r bindings/python/requirements.txt -r bindings/python/bench/requirements.txt
PATH=$bin:$PATH # of maturin
install --no-index --no-deps --no-build-isolation --force-reinstall ./bindings/python
"$bin/python" bindings/python/bench/bench.py
