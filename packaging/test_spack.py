"""Runs the Spack recipe with stand-ins for Spack's words, because Spack cannot be had from a package registry: the recipe is loaded, its
directives are noted, and its phases build and install the library; the check after the installation runs."""

import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "test-recipes" / "spack"
directives = []


class Run:
    def __init__(self, *words):
        self.words = [str(word) for word in words]

    def __call__(self, *arguments, output=None):
        result = subprocess.run([*self.words, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{self.words} {arguments}\n{result.stdout}{result.stderr}")
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


def stand_ins():
    module = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on"):
        setattr(module, name, lambda *words, _name=name, **more: directives.append((_name, words, more)))
    module.MakefilePackage = type("MakefilePackage", (), {})
    module.join_path = lambda *parts: "/".join(map(str, parts))
    module.make = Run("make", f"TARGET_DIR={ROOT}/target")
    module.which = module.Executable = Run
    module.InstallError = RuntimeError
    module.run_after = module.on_package_attributes = lambda *_, **__: lambda function: function
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    stand_ins()
    names = {}
    exec(compile((ROOT / "packaging/spack/package.py").read_text(), "package.py", "exec"), names)
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    assert ("version", (version,), {"tag": f"v{version}"}) in directives, directives
    rust = re.search(r'^rust-version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    assert ("depends_on", (f"rust@{rust}:",), {"type": "build"}) in directives, directives
    for libs in (("shared", "static"), ("shared",), ("static",)):
        package = names["Quatint"]()
        prefix = Prefix(WORK / "-".join(libs))
        package.prefix, package.spec, package.compiler = prefix, Spec(libs), types.SimpleNamespace(cc="cc")
        package.stage = types.SimpleNamespace(path=str(WORK))
        package.setup_build_environment(types.SimpleNamespace(set=lambda name, value: None))
        package.build(package.spec, prefix)
        package.install(package.spec, prefix)
        for file in names["Quatint"].sanity_check_is_file:
            assert Path(prefix, file).is_file(), file
        found = {"shared": Path(prefix.lib, "libquatint.so").exists(), "static": Path(prefix.lib, "libquatint.a").exists()}
        assert {name for name in found if found[name]} == set(libs), found
        package.check_install()
    shutil.rmtree(WORK)
    print("Spack: the recipe runs with stand-ins for Spack's words, for each choice of libraries")


if __name__ == "__main__":
    main()
