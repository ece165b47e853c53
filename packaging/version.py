"""The version is that in Cargo.toml. This compares every other place where it stands, or writes it
there.

    version.py             compares; prints the places that differ, and fails
    version.py set X.Y.Z   writes it into Cargo.toml and all the others; then `make abi-baseline`
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# File and pattern: <V> is the version, <A> the part of it in the SONAME (MAJOR, or 0.MINOR), and
# <M>, <N> and <P> are its numbers. A pattern must be found, and may be found more than once.
PLACES = [
    ("CITATION.cff", r"^version: <V>$"),
    ("Cargo.lock", r'^name = "quatint(?:-capi|-cuda|-python)?"\nversion = "<V>"$'),
    ("Cargo.toml", r'^version = "<V>"$'),
    ("docs/install.md", r"`\.so\.<A>`, `\.so\.<V>`"),
    ("docs/install.md", r"find_package\(quatint <A> CONFIG"),
    ("docs/install.md", r"find_package\(quatint <A>\.\.\.<1 CONFIG"),
    ("docs/install.md", r"'quatint', version: '>= <A>'"),
    ("docs/install.md", r"`libquatint\.so\.<A>`, from 1"),
    ("docs/install.md", r"`libquatint\.so\.<A>` that the loader"),
    ("docs/install.md", r"`quatint-<A>\.dll`"),
    ("docs/install.md", r"`QUATINT_<A>`"),
    ("bindings/fortran/fpm.toml", r'^version = "<V>"$'),
    ("bindings/fortran/src/quatint_c.f90", r"\bQI_VERSION_MAJOR = <M>\b"),
    ("bindings/fortran/src/quatint_c.f90", r"\bQI_VERSION_MINOR = <N>\b"),
    ("bindings/fortran/src/quatint_c.f90", r"\bQI_VERSION_PATCH = <P>\b"),
    ("include/quatint.h", r"^#define QI_VERSION_MAJOR <M>$"),
    ("include/quatint.h", r"^#define QI_VERSION_MINOR <N>$"),
    ("include/quatint.h", r"^#define QI_VERSION_PATCH <P>$"),
    ("bindings/julia/Quatint/Project.toml", r'^version = "<V>"$'),
    ("bindings/julia/Quatint/src/functions.jl", r"^const QI_VERSION_MAJOR = Int32\(<M>\)$"),
    ("bindings/julia/Quatint/src/functions.jl", r"^const QI_VERSION_MINOR = Int32\(<N>\)$"),
    ("bindings/julia/Quatint/src/functions.jl", r"^const QI_VERSION_PATCH = Int32\(<P>\)$"),
    ("packaging/conan/conandata.yml", r'^  "<V>":$'),
    ("packaging/conan/conandata.yml", r"/v<V>/quatint-<V>-source"),
    ("packaging/conda/recipe.yaml", r'^  version: "<V>"$'),
    ("packaging/debian/changelog", r"\Aquatint \(<V>-1\)"),
    ("packaging/debian/control", r"\blibquatint<A>\b"),
    ("packaging/spack/package.py", r'^    version\("<V>", tag="v'),
    ("packaging/spack/package.py", r'", tag="v<V>"\)$'),
    ("packaging/vcpkg/vcpkg.json", r'^  "version": "<V>",$'),
    ("packaging/yggdrasil/build_tarballs.jl", r'^version = v"<V>"$'),
    ("packaging/yggdrasil/build_tarballs.jl", r"git rev-parse v<V>\^"),
    ("bindings/python/Cargo.toml", r'^version = "<V>"$'),
    ("capi/Cargo.toml", r'^version = "<V>"$'),
    ("cuda/Cargo.toml", r'^version = "<V>"$'),
    ("cuda/include/quatint_cuda.h", r'The version of this library, as "<V>"'),
    ("cuda/src/ffi/status.rs", r'The version of this library, as "<V>"'),
    ("cuda/include/quatint_cuda.h", r"^#define QI_CUDA_VERSION_MAJOR <M>$"),
    ("cuda/include/quatint_cuda.h", r"^#define QI_CUDA_VERSION_MINOR <N>$"),
    ("cuda/include/quatint_cuda.h", r"^#define QI_CUDA_VERSION_PATCH <P>$"),
    ("cuda/src/ffi/status.rs", r"^pub const QI_CUDA_VERSION_MAJOR: u32 = <M>;$"),
    ("cuda/src/ffi/status.rs", r"^pub const QI_CUDA_VERSION_MINOR: u32 = <N>;$"),
    ("cuda/src/ffi/status.rs", r"^pub const QI_CUDA_VERSION_PATCH: u32 = <P>;$"),
    ("src/ffi/failure.rs", r"^pub const QI_VERSION_MAJOR: u32 = <M>;$"),
    ("src/ffi/failure.rs", r"^pub const QI_VERSION_MINOR: u32 = <N>;$"),
    ("src/ffi/failure.rs", r"^pub const QI_VERSION_PATCH: u32 = <P>;$"),
    ("tests/abi/baseline.abi", r"soname='libquatint\.so\.<A>'"),
    ("tests/fortran/test_rotation.f90", r"qi_version_string\(\)\) == '<V>'"),
    ("tests/install/meson/meson.build", r"'quatint', version: '>= <A>'"),
]
FORMS = {"V": r"\d+\.\d+\.\d+", "A": r"\d+(?:\.\d+)?", "M": r"\d+", "N": r"\d+", "P": r"\d+"}


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def values(version):
    major, minor, patch = version.split(".")
    in_soname = f"0.{minor}" if major == "0" else major
    return {"V": version, "A": in_soname, "M": major, "N": minor, "P": patch}


def fields(pattern):
    """A regular expression with a group for each field, and the letters of the fields."""
    field = re.compile("<([VAMNP])>")
    expression = field.sub(lambda found: f"({FORMS[found[1]]})", pattern)
    return re.compile(expression, re.M), field.findall(pattern)


def differences(version):
    found = []
    for file, pattern in PLACES:
        expression, letters = fields(pattern)
        matches = list(expression.finditer((ROOT / file).read_text()))
        if not matches:
            found.append(f"{file}: nothing like {pattern}")
        for match in matches:
            wanted = [values(version)[letter] for letter in letters]
            if list(match.groups()) != wanted:
                found.append(f"{file}: {match[0].splitlines()[-1]!r} is not of version {version}")
    return found


def write(version):
    for file, pattern in PLACES:
        if file == "tests/abi/baseline.abi":
            continue  # written by `make abi-baseline`
        path = ROOT / file
        path.write_text(replaced(path.read_text(), pattern, version))


def replaced(text, pattern, version):
    """The text with this version in each field of the pattern."""
    expression, letters = fields(pattern)
    pieces = []
    end = 0
    for match in expression.finditer(text):
        for number, letter in enumerate(letters, 1):
            pieces += [text[end : match.start(number)], values(version)[letter]]
            end = match.end(number)
    return "".join(pieces) + text[end:]


if __name__ == "__main__":
    if sys.argv[1:2] == ["set"]:
        assert re.fullmatch(FORMS["V"], sys.argv[2]), "the version must be X.Y.Z"
        write(sys.argv[2])
    else:
        problems = differences(version())
        print(*problems, sep="\n", end="\n" if problems else "")
        sys.exit(bool(problems))
