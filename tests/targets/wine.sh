#!/bin/sh
# wine.sh PROGRAM ARGUMENT...: runs a program for Windows, in a Windows of its own in target/targets/wine.
set -eu
cd "$(dirname "$0")/../.."
WINEPREFIX=$PWD/target/targets/wine
export WINEPREFIX WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
if ! [ -e "$WINEPREFIX/ready" ]; then
    mkdir -p "$WINEPREFIX"
    wineboot --init >/dev/null 2>&1
    # wine before 9 lacks this library, of which Rust's own needs one function
    system=$WINEPREFIX/drive_c/windows/system32
    [ -e "$system/bcryptprimitives.dll" ] ||
        x86_64-w64-mingw32-gcc -shared tests/targets/bcryptprimitives.c -o "$system/bcryptprimitives.dll" -ladvapi32
    touch "$WINEPREFIX/ready"
fi
exec wine "$@"
