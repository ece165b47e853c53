#!/usr/bin/env python3
"""The source of Rust's core library, from the pages of the component rust-docs, which show each of
its files: core_from_docs.py PAGES FOLDER. The pages have all that the compiler reads but the texts
of some comments, in place of which there are empty files."""

import html
import os
import re
import sys


def source(page):
    """The text of the file that a page shows."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    code = re.search(r'<pre class="rust"><code>(.*?)</code></pre>', text, re.S)
    if code is None:
        sys.exit(f"{page} shows no source")
    numbered = re.sub(r"<a href=#\d+ id=\d+ data-nosnippet>\d+</a>", "", code[1])
    return html.unescape(re.sub(r"<[^>]*>", "", numbered))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    pages, folder = sys.argv[1:]
    comments = set()
    for place, _, names in os.walk(pages):
        for name in names:
            if not name.endswith(".rs.html"):
                continue
            page = os.path.join(place, name)
            path = os.path.relpath(page, pages)[: -len(".html")]
            # two libraries that core includes lie beside it
            if not path.startswith(("stdarch", "portable-simd")):
                path = os.path.join("core", "src", path)
            path = os.path.join(folder, path)
            text = source(page)
            write(path, text)
            for comment in re.findall(r'"([\w./-]+\.md)"', text):
                comments.add(os.path.normpath(os.path.join(os.path.dirname(path), comment)))
    for comment in comments:
        write(comment, "")


main()
