#!/usr/bin/env python3
"""The pages of docs/ as a searchable site, target/site/index.html, with the references of C, C++ and
Rust in it, and those of Python and Julia made from their docstrings. `make site` makes the
references of C, C++ and Rust and installs mdBook before. It needs Python 3.11 and no network."""

import pathlib
import re
import shutil
import subprocess

import references

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "target/site-source"
SITE = ROOT / "target/site"
CARGO = dict(re.findall(r'^(version|repository) = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.M))
REPOSITORY = CARGO["repository"] + "/blob/main"

# a paragraph that is a few words, a colon, and links to programs that have the names of languages
LINK = r"\[(C|C\+\+|Fortran|Julia|MATLAB|Python|Rust)\]\(([^)]+)\)"
PROGRAMS = re.compile(rf"^([^\[\]:]+): ({LINK}(?:,\s+{LINK})*)\.$")
# the names that mdBook colours code by
COLOURS = {".c": "c", ".cpp": "cpp", ".jl": "julia", ".py": "python", ".rs": "rust,ignore"}


def tabs(paragraph):
    """The programs of a paragraph of links, each in a part that can be opened; programs.js makes tabs of
    the parts. On the page of a forge the links remain."""
    found = PROGRAMS.match(paragraph)
    if not found:
        return paragraph
    words, links = found[1], re.findall(LINK, found[2])
    parts = [] if words in ("Programs", "The program") else [words + ":", ""]
    parts.append('<div class="programs">')
    for number, (language, path) in enumerate(links):
        opened = " open" if number == 0 else ""
        parts += [f'<details{opened} data-language="{language}">', f"<summary>{language}</summary>", ""]
        file = pathlib.PurePosixPath(path)
        if file.parts[0] == "..":
            kind = COLOURS.get(file.suffix, "")
            parts += [f"[{file.name}]({path})", "", f"```{kind}", f"{{{{#include {path}}}}}", "```"]
        else:
            parts.append(f"[The program in {language}]({path})")
        parts += ["", "</details>"]
    return "\n".join([*parts, "</div>"])


def outside_of_code(page, change):
    """The page, with `change` made to each paragraph that is not in a block of code."""
    parts = re.split(r"(^```.*?^```$)", page, flags=re.M | re.S)
    for number in range(0, len(parts), 2):
        parts[number] = "\n\n".join(change(paragraph) for paragraph in parts[number].split("\n\n"))
    return "".join(parts)


def with_links_of_the_site(text):
    """What is not on the site is in the repository. Files that are included keep their paths."""
    for old, new in [
        (r"\]\(docs/SUMMARY\.md\)", "](toc.html)"),
        (r"\]\(docs/", "]("),
        (r"\]\((?:\.\./)?include/quatint\.(hp*)\)", r"](reference/c/quatint_8\1.html)"),
        (r"\]\(\.\./src/lib\.rs\)", "](reference/rust/quatint/index.html)"),
        (r"\]\(\.\./README\.md", "](README.md"),
        (r"\]\(\.\./", f"]({REPOSITORY}/"),
    ]:
        text = re.sub(old, new, text)
    return text


def with_titles(text):
    """Links that are named by the file of a page get the title of the page."""

    def titled(link):
        if link[1] != link[2]:
            return link[0]
        title = (ROOT / "docs" / link[1]).read_text().split("\n")[0].removeprefix("# ")
        return f"[“{title}”]({link[2]}{link[3] or ''})"

    return re.sub(r"\[(?:docs/)?([a-z-]+\.md)\]\((?:docs/)?([a-z-]+\.md)(#[^)]*)?\)", titled, text)


def page(path):
    text = outside_of_code(path.read_text(), lambda paragraph: tabs(with_titles(paragraph).strip("\n")))
    text = with_links_of_the_site(text)
    # formulas, as MathJax reads them
    return re.sub(r"^```math\n(.*?)^```$", r"<div>\\[\n\1\\]</div>", text, flags=re.M | re.S)


def write_pages(folder):
    for path in (ROOT / "docs").glob("*.md"):
        (folder / path.name).write_text(page(path))
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, folder)
    # the first page; its links in capitals are to files beside it
    readme = re.sub(r"\]\(([A-Z])", rf"]({REPOSITORY}/\1", page(ROOT / "README.md"))
    (folder / "README.md").write_text(readme)

    contents, reference_page = folder / "SUMMARY.md", folder / "reference.md"
    entries = ""
    for language, text in references.pages(ROOT).items():
        name = f"reference-{language.lower()}.md"
        (folder / name).write_text(text)
        row = next(line for line in reference_page.read_text().split("\n") if line.startswith(f"| {language} "))
        linked = row.replace("also on the site", f"[also here]({name})")
        assert linked != row
        reference_page.write_text(reference_page.read_text().replace(row, linked))
        entries += f"  - [Functions in {language}]({name})\n"
    reference = "- [Reference](reference.md)\n"
    assert reference in contents.read_text()
    contents.write_text(contents.read_text().replace(reference, reference + entries))


def main():
    for folder in (SOURCE, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    (SOURCE / "src").mkdir(parents=True)
    for folder in ("examples", "c_examples"):
        shutil.copytree(ROOT / folder, SOURCE / folder)
    book = (ROOT / "docs/site/book.toml").read_text()
    (SOURCE / "book.toml").write_text(book.replace("VERSION", CARGO["version"]))
    for name in ("programs.js", "programs.css"):
        shutil.copy(ROOT / "docs/site" / name, SOURCE)
    write_pages(SOURCE / "src")
    mdbook = ROOT / "target/tools/bin/mdbook"
    subprocess.run([mdbook, "build", "--dest-dir", SITE, SOURCE], check=True)

    shutil.copytree(ROOT / "target/doc/c", SITE / "reference/c")
    # rustdoc writes into target/doc, where the reference of C is, too
    rust = shutil.ignore_patterns("c")
    shutil.copytree(ROOT / "target/doc", SITE / "reference/rust", ignore=lambda folder, names:
                    rust(folder, names) if pathlib.Path(folder) == ROOT / "target/doc" else set())
    print(f"the site: {SITE}/index.html")


if __name__ == "__main__":
    main()
