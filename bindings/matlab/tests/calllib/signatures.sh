#!/bin/sh
# Prints the functions that a C header declares, one per line: name, result type, argument types. The parser is strict: it
# accepts no attributes and no extensions, and system headers provide plain typedefs only.
here=$(dirname "$0")
cc -E -P -DMATLAB_LOADLIBRARY -nostdinc -I "$here/plain" "$1" | python3 "$here/signatures.py"
