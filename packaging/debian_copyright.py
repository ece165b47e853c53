"""Completes debian/copyright in a folder that packaging/vendored.sh has made: for each crate in vendor/
its licence and its authors, as its Cargo.toml has them, and the text of each licence.

    debian_copyright.py FOLDER
"""

import re
import sys
import tomllib
from pathlib import Path

# what Debian calls a licence, where SPDX has another name
NAMES = {"MIT": "Expat", "LGPL-2.1-or-later": "LGPL-2.1+", "Unicode-3.0": "Unicode-3"}
# those whose text each Debian system has
COMMON = {"Apache-2.0": "Apache-2.0", "LGPL-2.1+": "LGPL-2.1", "MPL-2.0": "MPL-2.0"}
EXCEPTION = "Apache-2.0 with LLVM exception"


def expression(spdx):
    """An expression of SPDX as Debian writes it."""
    spdx = spdx.replace("Apache-2.0 WITH LLVM-exception", EXCEPTION)
    for old, new in ((") AND ", ", and "), ("(", ""), ("/", " or "), (" OR ", " or "), (" AND ", " and ")):
        spdx = spdx.replace(old, new)
    for old, new in NAMES.items():
        spdx = re.sub(rf"(?<!\S){re.escape(old)}(?![^\s,])", new, spdx)
    return spdx


def names(spdx):
    """The licences in an expression."""
    return re.split(",? (?:or|and) ", expression(spdx))


def stanza(folder, package):
    authors = [re.sub(r"\s*<.*", "", author) for author in package.get("authors", [])]
    holders = ", ".join(authors) or f"the authors of {package['name']}"
    return "\n".join(
        [
            f"Files: vendor/{folder.name}/*",
            f"Copyright: {holders}",
            f"License: {expression(package['license'])}",
        ]
    )


def text_of(name, folders):
    """The text of a licence: Debian's own copy, or that in one of the crates that are under it."""
    if name in COMMON:
        return f"On Debian systems its text is in\n/usr/share/common-licenses/{COMMON[name]}."
    for folder in folders:
        files = sorted(folder.glob("*LICEN[CS]E*"))
        for file in files:
            text = file.read_text().strip()
            if name == EXCEPTION and "LLVM Exceptions" in text:
                _, exception = text.split("LLVM Exceptions", 1)
                return f"{text_of('Apache-2.0', [])}\n\nLLVM Exceptions{exception}"
            is_named = name.split("-")[0].lower() in file.name.lower()
            if name != EXCEPTION and (len(files) == 1 or is_named):
                return text
    sys.exit(f"debian_copyright.py: no text of {name}")


def indented(text):
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(f" {line}" if line else " ." for line in lines)


def main(root):
    file = root / "debian" / "copyright"
    text = file.read_text()
    defined = set(re.findall(r"^License: (\S+)\n ", text, re.M))
    users = {}
    stanzas = []
    for folder in sorted((root / "vendor").iterdir()):
        package = tomllib.loads((folder / "Cargo.toml").read_text())["package"]
        stanzas.append(stanza(folder, package))
        for name in names(package["license"]):
            users.setdefault(name, []).append(folder)
    texts = []
    for name in sorted(set(users) - defined):
        texts.append(f"License: {name}\n{indented(text_of(name, users[name]))}")
    assert "Files: vendor/*\n" not in text and stanzas
    head, own = text.split("\n\nLicense: ", 1)
    file.write_text("\n\n".join([head, *stanzas, f"License: {own.strip()}", *texts]) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
