#!/bin/sh
# make_folders.sh PREFIX LIST FOLDER...: makes the folders of an installation.
#
# Those that were not there are added to the file LIST, in one of the folders, from which
# remove_folders.sh takes what it may remove. Folders in PREFIX are written relative to it, because
# it may be moved.
set -eu
prefix=$1
list=$2
shift 2

relative() {
    case $1 in
    "$prefix") echo . ;;
    "$prefix"/*) echo "./${1#"$prefix"/}" ;;
    *) echo "$1" ;;
    esac
}

made=
for folder in "$@"; do
    above=$folder
    while [ ! -d "$above" ]; do
        made="$made$(relative "$above")
"
        above=$(dirname "$above")
    done
    ${INSTALL:-install} -d "$folder"
done
[ -z "$made" ] || printf %s "$made" >>"$list"
