#!/bin/sh
# The libraries do not depend on who builds them in which folder: two builds of the committed
# source, in folders of different names and with cargo's own folder in different places, give the
# same bytes. Called by `make reproducible`; `make test` leaves it out, because it builds the
# library twice.
set -eu
cd "$(dirname "$0")/.."

work=$PWD/target/tmp/reproducible
rm -rf "$work"
mkdir -p "$work/other_home"
# the crates, as `cargo fetch` downloads them; a copy, so that this works without a network
cargo fetch --locked --quiet
cp -r "${CARGO_HOME:-$HOME/.cargo}/registry" "$work/other_home/registry"

here=$work/here
there=$work/a_folder/with_a_longer_name
git clone --quiet . "$here"
git clone --quiet . "$there"
rustup=${RUSTUP_HOME:-$HOME/.rustup}
make -s -C "$here"
CARGO_HOME=$work/other_home RUSTUP_HOME=$rustup CARGO_NET_OFFLINE=true make -s -C "$there" TARGET_DIR=elsewhere

for library in libquatint.so libquatint.a; do
    cmp "$here/target/release/$library" "$there/elsewhere/release/$library"
    for folder in "$work" "$HOME/"; do
        if grep -qaF "$folder" "$here/target/release/$library"; then
            echo "$library names the folder $folder" >&2
            exit 1
        fi
    done
done
sha256sum "$here/target/release/libquatint.so" "$here/target/release/libquatint.a"
rm -rf "$work"
echo "two builds in different folders: identical libraries"
