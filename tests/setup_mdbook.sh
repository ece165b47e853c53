#!/bin/sh
# mdBook for `make site`, built by cargo into target/tools, in some minutes. Where that version is
# there already, this prints nothing and takes no time.
set -eu
cd "$(dirname "$0")/.."
version=0.4.52

installed=$(target/tools/bin/mdbook --version 2>/dev/null || true)
[ "$installed" != "mdbook v$version" ] || exit 0

echo "building mdBook $version into target/tools"
# without its server, which the site does not need
cargo install --quiet --locked --no-default-features --features search --version "$version" \
    --root target/tools mdbook ||
    { echo "make site needs mdBook $version, and cargo cannot install it" >&2; exit 1; }
