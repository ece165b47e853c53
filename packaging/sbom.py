"""The bill of materials of a library or of the Python extension, as CycloneDX has it: the crates whose
code is in it, with versions, licences and checksums."""

import json
import re
import sys
import tomllib
import uuid
from datetime import datetime, timezone
from pathlib import Path

import limits

ROOT = Path(__file__).resolve().parent.parent


def linked(triple, package):
    """What each crate in the library of this package needs, by name and version, without procedural macros, build
    scripts and tests. (The graph of `cargo metadata` has the features that the tools ask for, too.)
    """
    options = [f"--package={package}", "--edges=normal,no-proc-macro", f"--target={triple}"]
    options += ["--prefix=depth", "--no-dedupe"]
    needs = {}
    path = []  # from the package to the crate of the line
    for line in cargo("tree", "--locked", *options).splitlines():
        depth, name, version = re.match(r"(\d+)(\S+) v(\S+)", line).groups()
        crate = (name, version)
        needs.setdefault(crate, set())
        del path[int(depth) :]
        if path:
            needs[path[-1]].add(crate)
        path.append(crate)
    return needs


def cargo(*arguments):
    return output("cargo", *arguments)


def output(*command):
    result = limits.run(command, cwd=ROOT)
    if result.returncode != 0:
        sys.exit(f"sbom.py: {' '.join(command)}\n{result.stderr}")
    return result.stdout


def component(package, checksums):
    name = package["name"]
    version = package["version"]
    address = f"pkg:cargo/{name}@{version}"
    entry = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if package.get("description"):
        entry["description"] = " ".join(package["description"].split())
    if (name, version) in checksums:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
    if package.get("repository"):
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def standard_library():
    rustc = output("rustc", "--version").split()[1]
    return {
        "type": "library",
        "bom-ref": f"rust-std@{rustc}",
        "name": "Rust standard library",
        "version": rustc,
        "licenses": [{"expression": "MIT OR Apache-2.0"}],
    }


def components_of(crates):
    """The entries of these crates, each a name and a version."""
    packages = json.loads(cargo("metadata", "--locked", "--format-version=1"))["packages"]
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {}
    for entry in lock["package"]:
        if "checksum" in entry:
            checksums[entry["name"], entry["version"]] = entry["checksum"]
    components = {}
    for package in packages:
        crate = (package["name"], package["version"])
        if crate in crates:
            components[crate] = component(package, checksums)
    return components


def bill_of_materials(triple, epoch, package="quatint"):
    """The JSON text for the library of one target of Rust, or for the extension, which is the package
    quatint-python. It is the same for the same Cargo.lock and time."""
    needs = linked(triple, package)
    components = components_of(needs)
    reference = {crate: entry["bom-ref"] for crate, entry in components.items()}
    dependencies = []
    for crate in needs:
        needed = sorted(reference[other] for other in needs[crate])
        dependencies.append({"ref": reference[crate], "dependsOn": needed})
    (built,) = [crate for crate in needs if crate[0] == package]
    subject = components.pop(built)
    time = datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    contents = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": subject,
            "properties": [{"name": "target", "value": triple}],
        },
        "components": [
            *sorted(components.values(), key=lambda entry: entry["bom-ref"]),
            standard_library(),
        ],
        "dependencies": sorted(dependencies, key=lambda entry: entry["ref"]),
    }
    text = json.dumps(contents, sort_keys=True)
    contents["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_OID, text))
    return json.dumps(contents, indent=1, ensure_ascii=False) + "\n"
