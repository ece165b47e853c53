#!/bin/sh
# The functions that a C header declares, one a line: name, type of the result, types of the arguments. The header is read as a
# strict parser reads it: no attributes, no extensions, nothing from the system but plain typedefs.
here=$(dirname "$0")
cc -E -P -DMATLAB_LOADLIBRARY -nostdinc -I "$here/plain" "$1" | python3 "$here/signatures.py"
