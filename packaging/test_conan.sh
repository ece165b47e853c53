#!/bin/sh
# `conan create` with the archive and the conandata.yml of `make dist`, without a network: builds both
# libraries, and links and runs a program with each.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/target/test-recipes/conan
rm -rf "$work"
mkdir -p "$work"
cp -r packaging/conan "$work/recipe"
sed "s|https://.*/|file://$PWD/target/dist/|" target/dist/conandata.yml >"$work/recipe/conandata.yml"
version=$(sed -n 's/^ *"\(.*\)":$/\1/p' "$work/recipe/conandata.yml")
export CONAN_HOME="$work/home"
conan=$PWD/target/packaging/bin/conan
"$conan" profile detect >"$work/log" 2>&1
for shared in True False; do
    unshare -n "$conan" create "$work/recipe" --version "$version" -o "quatint/*:shared=$shared" >>"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        exit 1
    }
done
find "$work/home" -path '*/p/lib/libquatint*' | sed 's|.*/||' | sort
rm -rf "$work"
echo "Conan: both libraries built without a network, a program linked and run with each"
