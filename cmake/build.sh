#!/bin/sh
# build.sh FOLDER "FILE..." CARGO ARGUMENT...: builds with cargo, so that each FILE is in
# FOLDER/release.
#
# Where cargo itself puts a file depends on CARGO_BUILD_TARGET and on the configuration files that
# cargo reads, so this script asks cargo. A file that cargo has not made is an error: an empty or an
# old one in its place would go unnoticed.
set -eu

folder=$1
files=$2
shift 2
mkdir -p "$folder/release"
list=$folder/release/built-files.json

cost="40 seconds on two cores and 1.2 GB of memory"
echo "quatint: cargo builds $files; the library takes $cost" >&2
start=$(date +%s)

# As a setting of cargo, the flags are added to those of the user; RUSTFLAGS, if set, replaces them.
flags=$("$(dirname "$0")/rustflags.sh")

"$@" --release --locked --target-dir "$folder" --message-format=json-render-diagnostics \
    --config "build.rustflags = $flags" >"$list"

# Whether the library is for a system whose files are ELF.
is_elf() {
    case ${CARGO_BUILD_TARGET:-$(uname -s)} in
    *darwin* | *Darwin* | *windows* | *MINGW* | *MSYS* | *CYGWIN* | *wasm*) return 1 ;;
    esac
}

for file in $files; do
    built=$(grep -o "\"[^\"]*/release/$file\"" "$list" | tr -d '"' | tail -n 1)
    if [ ! -s "$built" ]; then
        echo "$0: cargo has not built $file" >&2
        exit 1
    fi
    if [ ! "$built" -ef "$folder/release/$file" ]; then
        # Cargo may have linked another file to it, which must keep its contents.
        rm -f "$folder/release/$file"
        cp "$built" "$folder/release/$file"
    fi
    # Cargo leaves the time stamp of a file that a changed source does not change, and make would
    # build it for ever.
    touch -c "$folder/release/$file"
done

# The files of cargo keep their contents: these scripts put others into their places.
case " $files " in
*" libquatint.so libquatint.a "* | *" libquatint_cuda.so libquatint_cuda.a "*)
    if is_elf; then
        here=$(dirname "$0")
        version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../Cargo.toml" | head -n 1)
        # as build.rs of capi/ has it: MAJOR, or 0.MINOR
        case $version in
        0.*) version=${version%.*} ;;
        *) version=${version%%.*} ;;
        esac
        library=$folder/release/${files%%.*}
        "$here/only_ours.sh" "$library.a"
        "$here/versioned.sh" "$library.a" "$library.so" "$version"
    fi
    ;;
esac
echo "quatint: built in $(($(date +%s) - start)) s" >&2
