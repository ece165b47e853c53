#!/bin/sh
# vendored.sh FOLDER: writes the source of quatint, as git knows it, into an empty folder, with all
# crates beside it in vendor/ and the lines that lead cargo there. It builds without a network.
set -eu
cd "$(dirname "$0")/.."
folder=$1

mkdir -p "$folder"
git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory="$folder"
cd "$folder"
cargo vendor --locked --versioned-dirs >vendored.toml 2>vendored.log || {
    cat vendored.log >&2
    exit 1
}
{ echo && cat vendored.toml; } >>.cargo/config.toml
rm vendored.toml vendored.log
