#!/bin/sh
# one_header.sh INCLUDE_FOLDER: prints quatint.hpp with its parts, which stand in quatint/, in their
# places. So one header is installed.
set -eu

cd "$1"
while IFS= read -r line; do
    case $line in
    '#include "quatint/'*)
        part=${line#'#include "'}
        cat "${part%'"'}"
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done <quatint.hpp
