"""Metadata and wheels (PEP 427, 621 and 639): what pyproject.toml says in the form that pip reads, and the archive.

This is our own code so that pip fetches nothing for the build: where there is no network, crates and numpy are all that must be there.
"""

import base64
import functools
import hashlib
import importlib
import io
import os
import sys
import time
import zipfile
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent
ROOT = PYTHON.parent

HAS_TOML = sys.version_info >= (3, 11)  # in the standard library
FIRST = 315532800  # 1980, where the time of zip archives begins

# what metadata() reads of the table `project`, and what has no field
PASSED_ON = set("name description keywords authors license license-files classifiers urls requires-python dependencies readme dynamic".split())


@functools.cache
def table(file, name):
    """A table of a TOML file."""
    tomllib = importlib.import_module("tomllib" if HAS_TOML else "tomli")
    return tomllib.loads(file.read_text(encoding="utf-8"))[name]


def version():
    return table(ROOT / "Cargo.toml", "package")["version"]


def epoch():
    """The time of all files of an archive, so that it is the same each time; 0: not set."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or 0)


def metadata():
    """The file METADATA of a wheel, PKG-INFO of a source distribution: core metadata 2.4."""
    project = table(PYTHON / "pyproject.toml", "project")
    if unknown := set(project) - PASSED_ON:
        sys.exit(f"quatint: pyproject.toml has {', '.join(unknown)}, which metadata() does not pass on")
    fields = [("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", version())]
    fields += [("Summary", project["description"]), ("Keywords", ",".join(project["keywords"]))]
    fields += [("Author", author["name"]) for author in project["authors"]]
    fields += [("License-Expression", project["license"])]
    fields += [("License-File", file.name) for file in licences()]
    fields += [("Classifier", classifier) for classifier in project["classifiers"]]
    fields += [("Project-URL", f"{label}, {url}") for label, url in project["urls"].items()]
    fields += [("Requires-Python", project["requires-python"])]
    fields += [("Requires-Dist", requirement) for requirement in project["dependencies"]]
    fields += [("Description-Content-Type", "text/markdown; charset=UTF-8")]
    readme = (PYTHON / project["readme"]).read_text(encoding="utf-8")
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + readme


def licences():
    patterns = table(PYTHON / "pyproject.toml", "project")["license-files"]
    return sorted(file for pattern in patterns for file in PYTHON.glob(pattern))


def information(tag):
    """The name of the wheel's folder of metadata, and the texts of its files."""
    wheel = f"Wheel-Version: 1.0\nGenerator: quatint_build\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = {"METADATA": metadata(), "WHEEL": wheel}
    files |= {f"licenses/{file.name}": file.read_text(encoding="utf-8") for file in licences()}
    return f"quatint-{version()}.dist-info", files


def files_of(folder, pattern="*"):
    """The files below a folder, in order: name, contents, permissions."""
    for file in sorted(folder.rglob(pattern)):
        if file.is_file():
            mode = 0o755 if os.access(file, os.X_OK) else 0o644
            yield file.relative_to(folder).as_posix(), file.read_bytes(), mode


def add_to_zip(archive, name, data, mode):
    entry = zipfile.ZipInfo(name, time.gmtime(max(epoch(), FIRST))[:6])
    entry.create_system = 3  # Unix, whose permissions follow
    entry.external_attr = (0o100000 | mode) << 16
    archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


class Wheel:
    """A wheel that grows in memory: one that is not finished leaves no file."""

    def __init__(self, tag):
        self.tag, self.name, self.record = tag, f"quatint-{version()}-{tag}.whl", ""
        self.file = io.BytesIO()
        self.archive = zipfile.ZipFile(self.file, "w")

    def add(self, name, data, mode=0o644):
        add_to_zip(self.archive, name, data, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        self.record += f"{name},sha256={digest},{len(data)}\n"

    def add_files(self, name, folder, pattern="*"):
        for file, data, mode in files_of(folder, pattern):
            self.add(f"{name}/{file}", data, mode)

    def finish(self, directory):
        """Writes the wheel into a folder."""
        folder, files = information(self.tag)
        for name, text in files.items():
            self.add(f"{folder}/{name}", text.encode())
        record = f"{folder}/RECORD"
        self.add(record, f"{self.record}{record},,\n".encode())
        self.archive.close()
        Path(directory, self.name).write_bytes(self.file.getvalue())
