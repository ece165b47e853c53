#!/bin/sh
# remove_folders.sh DESTDIR PREFIX LIST FOLDER...: removes the file LIST that make_folders.sh has
# written, and each FOLDER and each folder that LIST names, if it is empty. DESTDIR, which may be
# empty, stands before all names.
set -eu
destdir=$1
prefix=$2
list=$destdir$3
shift 3

# In the reverse order what is in a folder comes before the folder.
made=$(sort -r "$list" 2>/dev/null || true)
rm -f "$list"
for folder in "$@"; do
    rmdir "$destdir$folder" 2>/dev/null || true
done
echo "$made" | while IFS= read -r line; do
    case $line in
    '') continue ;;
    /*) folder=$line ;;
    *) folder=$prefix/${line#.} ;;
    esac
    rmdir "$destdir$folder" 2>/dev/null || true
done
