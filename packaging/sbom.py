"""The bill of materials of a library, as CycloneDX has it: the crates whose code is in it, with versions, licences and checksums."""

import json
import re
import subprocess
import tomllib
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def linked(triple):
    """What each crate in the library needs, by name and version, as cargo's tree shows it; without procedural macros, build scripts and
    tests. (The graph of `cargo metadata` has the features that the tools ask for, too.)"""
    options = ["--package=quatint", "--edges=normal,no-proc-macro", f"--target={triple}", "--prefix=depth", "--no-dedupe"]
    needs, path = {}, []
    for line in cargo("tree", "--locked", *options).splitlines():
        depth, name, version = re.match(r"(\d+)(\S+) v(\S+)", line).groups()
        path[int(depth) :] = [(name, version)]
        needs.setdefault(path[-1], set())
        if len(path) > 1:
            needs[path[-2]].add(path[-1])
    return needs


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def component(package, checksums):
    name, version = package["name"], package["version"]
    entry = {
        "type": "library",
        "bom-ref": f"pkg:cargo/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if package.get("description"):
        entry["description"] = " ".join(package["description"].split())
    if (name, version) in checksums:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
    if package.get("repository"):
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def bill_of_materials(triple, epoch):
    """The JSON text for the library of one target of Rust; the same for the same Cargo.lock and time."""
    packages = json.loads(cargo("metadata", "--locked", "--format-version=1"))["packages"]
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(entry["name"], entry["version"]): entry["checksum"] for entry in lock["package"] if "checksum" in entry}
    needs = linked(triple)
    components = {
        (package["name"], package["version"]): component(package, checksums)
        for package in packages
        if (package["name"], package["version"]) in needs
    }
    reference = {key: entry["bom-ref"] for key, entry in components.items()}
    subject = next(components.pop(key) for key in needs if key[0] == "quatint")
    rustc = subprocess.run(["rustc", "--version"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()[1]
    standard = {"type": "library", "bom-ref": f"rust-std@{rustc}", "name": "Rust standard library", "version": rustc}
    standard["licenses"] = [{"expression": "MIT OR Apache-2.0"}]
    contents = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": subject,
            "properties": [{"name": "target", "value": triple}],
        },
        "components": [*sorted(components.values(), key=lambda entry: entry["bom-ref"]), standard],
        "dependencies": sorted(
            ({"ref": reference[key], "dependsOn": sorted(reference[dep] for dep in needs[key])} for key in needs),
            key=lambda entry: entry["ref"],
        ),
    }
    contents["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(contents, sort_keys=True)))
    return json.dumps(contents, indent=1, ensure_ascii=False) + "\n"
