#!/usr/bin/env python3
"""Prints a hash of the machine code of each kernel in an object file: code.py FILE. The rest of such a
file also tells with which options it has been made."""

import hashlib
import struct
import sys


def sections(data):
    """Name and contents of each section of a file in ELF, 64 bits."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, of_names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + k * size) for k in range(count)]
    names = heads[of_names][4]
    for name, _, _, _, offset, length in heads:
        start = names + name
        yield data[start : data.index(b"\0", start)].decode(), data[offset : offset + length]


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    code = {name: text for name, text in sections(data) if name.startswith(".text.")}
    if not code:
        sys.exit("there is no code")
    for name in sorted(code):
        print(name, hashlib.sha256(code[name]).hexdigest())


main()
