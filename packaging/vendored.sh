#!/bin/sh
# vendored.sh FOLDER [COMMIT]: writes the source of quatint into an empty folder, as it is now or in that
# commit, but only files that git knows, with all crates beside it in vendor/ and the lines that lead
# cargo there. It builds without a network.
set -eu
cd "$(dirname "$0")/.."
folder=$1

mkdir -p "$folder"
if [ -n "${2:-}" ]; then
    git archive --format=tar --output="$folder/committed.tar" "$2"
    tar xf "$folder/committed.tar" -C "$folder"
    rm "$folder/committed.tar"
else
    git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory="$folder"
fi
cd "$folder"
cargo vendor --locked --versioned-dirs >vendored.toml 2>vendored.log || {
    cat vendored.log >&2
    exit 1
}
{ echo && cat vendored.toml; } >>.cargo/config.toml
rm vendored.toml vendored.log
