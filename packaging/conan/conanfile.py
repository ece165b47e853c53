from conan import ConanFile
from conan.tools.files import get
from conan.tools.layout import basic_layout


class Quatint(ConanFile):
    """`conan create . --version X.Y.Z`, with the conandata.yml of `make dist`: from the source archive of a release, whose
    build needs no network."""

    name = "quatint"
    license = "(MIT OR Apache-2.0) AND Apache-2.0 AND MIT"  # of the source, then of the crates
    url = homepage = "https://github.com/quatint/quatint"
    description = "Advances the orientation and angular velocity of rigid bodies under torque"
    topics = ("rigid-body", "quaternion", "integrator", "simulation")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    languages = ["C"]

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def layout(self):
        basic_layout(self)

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def _libraries(self):
        return "shared" if self.options.shared else "static"

    def package_id(self):
        del self.info.settings.build_type  # Rust's release profile in any case
        del self.info.settings.compiler

    def build_id(self):
        self.info_build.options.shared = "either"  # cargo builds both libraries in one run

    def build(self):
        self.run("make", cwd=self.source_folder)

    def package(self):
        self.run(f"make install LIBRARIES={self._libraries()} PREFIX={self.package_folder} DESTDIR=", cwd=self.source_folder)

    def package_info(self):
        self.cpp_info.libs = ["quatint"]
        self.cpp_info.set_property("cmake_file_name", "quatint")
        self.cpp_info.set_property("cmake_target_name", "quatint::quatint")
        self.cpp_info.set_property("cmake_target_aliases", [f"quatint::{self._libraries()}"])
        self.cpp_info.set_property("pkg_config_name", "quatint")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"] if self.options.shared else ["pthread", "m", "dl"]
