#!/bin/sh
# versioned.sh STATIC SHARED VERSION: links the shared library SHARED of all that is in the library STATIC,
# which only_ours.sh has made, so that each function has the symbol version QUATINT_VERSION, or that of
# another library of ours, after the name of SHARED.
#
# A process may then have two versions of quatint, that of the program and that of a plug-in: each calls
# its own. Without, the loader takes for both whichever it finds first. The linker of rustc has a version
# script already and takes no second one, hence once more, by CC.
set -eu
static=$1
shared=$2
version=$3
folder=$(mktemp -d "$(dirname "$shared")/versioned.XXXXXX")
trap 'rm -rf "$folder"' EXIT

library=$(basename "$shared" .so) # libquatint or libquatint_cuda
case $library in
libquatint) ours='qi_*' ;;
libquatint_*) ours="qi_${library#libquatint_}_*" ;;
esac
node=$(echo "${library#lib}" | tr '[:lower:]' '[:upper:]')_$version
echo "$node { global: $ours; local: *; };" >"$folder/versions"
# nodelete: a program may unload its plug-ins, and the code of threads that are about to end must stay
# shellcheck disable=SC2086 # CC may have arguments
${CC:-cc} -shared -Wl,--whole-archive "$static" -Wl,--no-whole-archive -Wl,--version-script="$folder/versions" \
    -Wl,-soname,"$library.so.$version" -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack \
    -Wl,--gc-sections -Wl,--strip-debug -Wl,--build-id=sha1 -Wl,--as-needed -lm -lpthread -ldl -o "$folder/$library.so" \
    >"$folder/log" 2>&1 || {
    echo "quatint: $shared has no symbol versions: $(head -n 1 "$folder/log")" >&2
    exit 0
}
mv "$folder/$library.so" "$shared"
