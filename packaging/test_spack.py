"""Runs the Spack recipe with stand-ins for Spack's words, because Spack cannot be had from a
package registry: the recipe is loaded, its directives are noted, its phases build and install the
library, and the check after the installation runs."""

import os
import re
import shutil
import sys
import tomllib
import types
from pathlib import Path

import limits

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "test-recipes" / "spack"
directives = []


class Run:
    def __init__(self, *words):
        self.words = [str(word) for word in words]

    def __call__(self, *arguments, output=None):
        command = [*self.words, *(str(argument) for argument in arguments)]
        result = limits.run(command, limits.BUILD, cwd=ROOT)
        if result.returncode:
            raise RuntimeError(f"{command}\n{result.stdout}{result.stderr}")
        return result.stdout if output is str else None


class Prefix(str):
    lib = property(lambda self: Prefix(f"{self}/lib"))
    include = property(lambda self: Prefix(f"{self}/include"))


class Spec:
    """libs=... as it was asked for."""

    def __init__(self, libs):
        self.libs = libs

    def satisfies(self, condition):
        (wanted,) = re.fullmatch(r"libs=([a-z,]+)", condition).groups()
        return set(wanted.split(",")) <= set(self.libs)


def directive(name):
    """A word of the recipe, of which every use is noted."""

    def note(*words, **more):
        directives.append((name, words, more))

    return note


def ignored(*_, **__):
    """A decorator that leaves its function as it is."""
    return lambda function: function


def stand_ins():
    module = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on"):
        setattr(module, name, directive(name))
    module.join_path = lambda *parts: "/".join(map(str, parts))
    module.make = Run("make", f"TARGET_DIR={ROOT}/target")
    module.which = Run
    module.Executable = Run
    module.InstallError = RuntimeError
    module.run_after = ignored
    module.on_package_attributes = ignored
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = module
    # since Spack 1.0 the kinds of packages are not among Spack's own words
    *parents, name = "spack_repo.builtin.build_systems.makefile".split(".")
    for number in range(len(parents)):
        parent = ".".join(parents[: number + 1])
        sys.modules[parent] = types.ModuleType(parent)
    makefile = types.ModuleType(name)
    makefile.MakefilePackage = type("MakefilePackage", (), {})
    sys.modules[".".join([*parents, name])] = makefile


def recipe():
    """The class of the recipe, which is loaded as Spack does it."""
    names = {}
    code = (ROOT / "packaging/spack/package.py").read_text()
    exec(compile(code, "package.py", "exec"), names)
    return names["Quatint"]


def check_directives():
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]
    version = manifest["version"]
    rust = manifest["rust-version"]
    assert ("version", (version,), {"tag": f"v{version}"}) in directives, directives
    assert ("depends_on", (f"rust@{rust}:",), {"type": "build"}) in directives, directives


def build_and_install(package, libs):
    """Runs the phases of the recipe as for `libs=...`."""
    prefix = Prefix(WORK / "-".join(libs))
    package.prefix = prefix
    package.spec = Spec(libs)
    os.environ.setdefault("CC", "cc")  # Spack sets it to its own
    package.stage = types.SimpleNamespace(path=str(WORK))
    package.setup_build_environment(types.SimpleNamespace(set=lambda name, value: None))
    package.build(package.spec, prefix)
    package.install(package.spec, prefix)
    for file in package.sanity_check_is_file:
        assert Path(prefix, file).is_file(), file
    assert Path(prefix.lib, "libquatint.so").exists() == ("shared" in libs), libs
    assert Path(prefix.lib, "libquatint.a").exists() == ("static" in libs), libs
    package.check_install()


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    stand_ins()
    package = recipe()
    check_directives()
    for libs in (("shared", "static"), ("shared",), ("static",)):
        build_and_install(package(), libs)
    shutil.rmtree(WORK)
    print("Spack: the recipe runs with stand-ins for Spack's words, for each choice of libraries")


if __name__ == "__main__":
    main()
