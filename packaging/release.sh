#!/bin/sh
# release.sh [tag]: makes and checks all that a release of the version in Cargo.toml consists of.
# Without the word `tag` it changes nothing, in the repository or elsewhere; with it, it adds the
# tag, and prints the commands that publish. To raise the version:
#
#     packaging/version.py set X.Y.Z && make abi-baseline
#
# and give the section "Unreleased" of CHANGELOG.md its number and date.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
step() { echo "release $version: $1"; }

step "the version is the same everywhere"
python3 packaging/version.py

step "CHANGELOG.md has its section, and nothing unreleased"
heading=$(grep '^## ' CHANGELOG.md | head -1)
echo "$heading" | grep -Eqx "## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}" || {
    echo "the first section is \"$heading\", and not \"## $version - YYYY-MM-DD\"" >&2
    exit 1
}

step "all is committed, and the tag is free"
[ -z "$(git status --porcelain)" ] || {
    git status --short >&2
    exit 1
}
if git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; then
    echo "there is a tag v$version" >&2
    exit 1
fi

step "the interface is that of the baseline, and the SONAME has the version"
tests/abi/abi.sh check

step "archives, wheels, source distribution, checksums"
make dist
make test-dist

step "packages of the recipes"
make test-recipes

if [ "${1:-}" = tag ]; then
    git tag --annotate "v$version" --message "quatint $version"
    step "tagged. What publishes it, from here:"
else
    step "complete; a dry run. \`make release TAG=yes\` adds the tag; then:"
fi
cat <<END
    # the workflow "release" builds the same files and attaches them to a draft
    git push origin v$version
    # in target/dist, and again on what the workflow has attached: the files are the same
    sha256sum -c SHA256SUMS
    # a commit of its own, after the archives can be downloaded
    cp target/dist/Artifacts.toml bindings/julia/Quatint/
END
