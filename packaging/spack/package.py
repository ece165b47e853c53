# Copyright of this recipe: the quatint developers, MIT OR Apache-2.0

import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Quatint(MakefilePackage):
    """Advances the orientation and angular velocity of rigid bodies under torque, with interfaces for C, C++ and Fortran. The same
    input gives the same bits on every processor."""

    homepage = "https://github.com/quatint/quatint"
    git = "https://github.com/quatint/quatint.git"

    # of the source, then of the crates in the libraries
    license("(MIT OR Apache-2.0) AND Apache-2.0 AND MIT")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("libs", default="shared,static", values=("shared", "static"), multi=True, description="The libraries to install")

    depends_on("c", type="build")
    depends_on("rust@1.91:", type="build")
    depends_on("gmake", type="build")

    # functions may change between minor versions while the major version is 0: the SONAME says so too
    sanity_check_is_file = [join_path("include", "quatint.h"), join_path("lib", "pkgconfig", "quatint.pc")]

    def setup_build_environment(self, env):
        # the crates are downloaded into the stage, unless they are vendored; nothing of the user's folder is read
        env.set("CARGO_HOME", join_path(self.stage.path, "cargo"))

    def build(self, spec, prefix):
        make()

    def install(self, spec, prefix):
        libraries = "both"
        for one, other in (("shared", "static"), ("static", "shared")):
            if not spec.satisfies(f"libs={other}"):
                libraries = one
        make("install", f"PREFIX={prefix}", f"LIBRARIES={libraries}", "DESTDIR=")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """A program prints what it prints for every build."""
        cc = Executable(os.environ["CC"])
        libraries = ["-lquatint", "-lm", f"-Wl,-rpath,{self.prefix.lib}"]
        if not self.spec.satisfies("libs=shared"):
            libraries = [join_path(self.prefix.lib, "libquatint.a"), "-lpthread", "-lm", "-ldl"]
        source, program = join_path("c_examples", "heavy_top.c"), join_path(self.stage.path, "heavy_top")
        cc(source, "-o", program, f"-I{self.prefix.include}", f"-L{self.prefix.lib}", *libraries)
        printed = Executable(program)(output=str)
        with open(join_path("tests", "heavy_top.txt")) as expected:
            if printed != expected.read():
                raise InstallError(f"heavy_top printed\n{printed}")
