#!/bin/sh
# The pages of docs/ as a searchable site, target/site/index.html, with the references of C, C++ and
# Rust in it. `make site` makes the references and installs mdBook before.
set -eu
cd "$(dirname "$0")/.."
repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)/blob/main
source=target/site-source
site=target/site

# A page with its links as they are on the site, and with its formulas (```math) as MathJax reads them.
# What is not there is in the repository.
page() {
    sed -E -e 's#\]\(docs/SUMMARY\.md\)#](toc.html)#g' -e 's#\]\(docs/#](#g' \
        -e 's#\]\((\.\./)?include/quatint\.(hp*)\)#](reference/c/quatint_8\2.html)#g' \
        -e 's#\]\(\.\./src/lib\.rs\)#](reference/rust/quatint/index.html)#g' \
        -e 's#\]\(\.\./README\.md#](README.md#g' \
        -e "s#\]\(\.\./#]($repository/#g" "$1" |
        awk '/^```math$/ { print "<div>\\["; formula = 1; next }
            formula && /^```$/ { print "\\]</div>"; formula = 0; next }
            { print }'
}

rm -rf "$source" "$site"
mkdir -p "$source/src"
cp docs/book.toml "$source"
cp docs/*.svg "$source/src"
# the first page; its links in capitals are to files beside it
page README.md | sed -E "s#\]\(([A-Z])#]($repository/\1#g" >"$source/src/README.md"
for path in docs/*.md; do page "$path" >"$source/src/$(basename "$path")"; done
target/tools/bin/mdbook build --dest-dir "$PWD/$site" "$source"

mkdir -p "$site/reference/rust"
cp -R target/doc/c "$site/reference/c"
# rustdoc writes into target/doc, where the reference of C is, too
for part in target/doc/*; do
    [ "$part" = target/doc/c ] || cp -R "$part" "$site/reference/rust"
done
echo "the site: $site/index.html"
