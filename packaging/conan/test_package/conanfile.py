import io
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Test(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            printed = io.StringIO()
            self.run(os.path.join(self.cpp.build.bindir, "heavy_top"), printed, env="conanrun")
            with open(os.path.join(self.recipe_folder, "..", "..", "..", "tests", "heavy_top.txt")) as expected:
                assert printed.getvalue() == expected.read(), printed.getvalue()
