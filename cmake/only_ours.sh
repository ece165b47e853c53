#!/bin/sh
# only_ours.sh LIBRARY: makes one object of the static library LIBRARY, outside of which only the
# functions qi_* have a name. A program may then link another static library of Rust too, whichever
# compiler has made that: both contain Rust's standard library, and its `rust_eh_personality` twice is
# an error.
#
# For ELF. LD and OBJCOPY are those of the processor of the library; without ones that understand it,
# it stays as it is, which only such programs notice.
set -eu
library=$1
ld=${LD:-ld}
objcopy=${OBJCOPY:-objcopy}
folder=$(mktemp -d "$(dirname "$library")/only_ours.XXXXXX")
trap 'rm -rf "$folder"' EXIT
object=$folder/quatint.o

# Groups are what two objects may both have; a name in one that the other drops would be missing.
# Of .llvmbc only the compiler of Rust knows what to do with it, and `ar` may stumble over it.
{
    "$ld" -r --force-group-allocation --whole-archive "$library" -o "$object" &&
        "$objcopy" --remove-section=.llvmbc --remove-section=.llvmcmd \
            --wildcard --keep-global-symbol='qi_*' "$object" &&
        "${AR:-ar}" rcsD "$folder/one.a" "$object"
} >"$folder/log" 2>&1 || {
    echo "quatint: $library keeps the names of Rust's standard library: $(head -n 1 "$folder/log")" >&2
    exit 0
}
mv "$folder/one.a" "$library"
