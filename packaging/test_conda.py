"""Builds the conda package by its recipe with rattler-build in a copy of the source, without a
network and with the tools of this machine, because there is no channel to take others from. Lets
rattler-build test the package, unpacks it elsewhere, and links and runs a program there."""

import os
import shutil
import sys
import warnings
from pathlib import Path

from linking import ROOT, check_program_with, output

WORK = ROOT / "target" / "test-recipes" / "conda"


def build(source, channel, packages):
    import rattler_build

    warnings.simplefilter("ignore", DeprecationWarning)
    os.environ["QUATINT_OWN_TOOLS"] = "yes"
    recipe = source / "packaging" / "conda" / "recipe.yaml"
    rattler_build.build_recipes([recipe], channel=[channel.as_uri()], output_dir=packages)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    source = WORK / "source"
    channel = WORK / "channel"
    packages = WORK / "packages"
    unpacked = WORK / "unpacked"
    empty = '{"info": {}, "packages": {}, "packages.conda": {}}'
    for subdir in ("noarch", "linux-64", "linux-aarch64"):
        (channel / subdir).mkdir(parents=True)
        (channel / subdir / "repodata.json").write_text(empty)
    output(ROOT / "packaging" / "vendored.sh", source)
    output("unshare", "-n", sys.executable, __file__, "build", source, channel, packages)
    (package,) = packages.glob("linux-*/libquatint-*.conda")
    unpacked.mkdir()
    output("cmake", "-E", "tar", "xf", package, cwd=unpacked)
    (contents,) = unpacked.glob("pkg-*.tar.zst")
    output("cmake", "-E", "tar", "xf", contents.name, cwd=unpacked)
    environ = {**os.environ, "PKG_CONFIG_PATH": f"{unpacked}/lib/pkgconfig"}
    flags = "$(pkg-config --cflags --libs quatint) -Wl,-rpath,$PWD/lib"
    check_program_with(flags, unpacked, environ)
    print(f"{package.name}: {package.stat().st_size // 1024} KiB")
    shutil.rmtree(WORK)
    print("conda: built without a network, a program linked and run with the unpacked package")


if __name__ == "__main__":
    if sys.argv[1:2] == ["build"]:
        build(*map(Path, sys.argv[2:]))
    else:
        main()
