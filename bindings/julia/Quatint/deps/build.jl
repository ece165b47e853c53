# Builds libquatint for a package that Pkg has installed by itself: `Pkg.add(url = ..., subdir = "bindings/julia/Quatint")` copies only
# this folder, and keeps a clone of the whole repository. The library is built from the commit in the clone that has this very
# package, and put beside this file. Needs git and a Rust toolchain. Does nothing if there is a library already.

using Libdl

const PACKAGE = normpath(joinpath(@__DIR__, ".."))
const NAME = "libquatint.$dlext"

# A source tree around the package is built with `make`.
in_source_tree() = isfile(joinpath(PACKAGE, "..", "..", "..", "Cargo.toml"))

"Whether there is a library of this name whose version the package can use."
function loadable(name)
    library = dlopen(name; throw_error = false)
    library === nothing && return false
    number_of = dlsym(library, :qi_version_number; throw_error = false)
    number = number_of === nothing ? Cuint(0) : ccall(number_of, Cuint, ())
    dlclose(library)
    version = VersionNumber(number >> 16, number >> 8 & 0xff, number & 0xff)
    needed = VersionNumber(match(r"^version = \"(.*)\"$"m, read(joinpath(PACKAGE, "Project.toml"), String))[1])
    is_same_abi = version.major == needed.major && (version.major > 0 || version.minor == needed.minor)
    is_same_abi && version >= needed
end

# Pkg downloads the library where there is an Artifacts.toml
has_library() = !isempty(get(ENV, "QUATINT_LIBRARY", "")) || isfile(joinpath(PACKAGE, "Artifacts.toml")) || loadable("libquatint")

"The hash that git gives the files of this folder, without those of an earlier build."
function hash_of_package()
    mktempdir() do folder
        run(`git init --quiet --bare $folder`)
        git(arguments) = Cmd(`git --git-dir=$folder --work-tree=$PACKAGE -c core.autocrlf=false $arguments`; dir = PACKAGE)
        run(git(`add --all --force -- . :!deps/build.log :!deps/$NAME`))
        chomp(read(git(`write-tree`), String))
    end
end

"The clone and the commit with the package of this folder."
function origin()
    hash = hash_of_package()
    for depot in DEPOT_PATH, clone in readdir_of(joinpath(depot, "clones"))
        for commit in split(output_of(`git -C $clone rev-list --all`))
            tree = chomp(output_of(`git -C $clone rev-parse --verify --quiet $commit:bindings/julia/Quatint`))
            tree == hash && return clone, commit
        end
    end
    error("""
        Pkg has no clone of the repository with this package. Build the library there with `make`, and then either install it
        with `make install` or set the environment variable QUATINT_LIBRARY to target/release/$NAME.""")
end

output_of(command) = read(pipeline(ignorestatus(command); stderr = devnull), String) # nothing if it fails

readdir_of(folder) = isdir(folder) ? [joinpath(folder, name) for name in readdir(folder)] : String[]

function build()
    Sys.which("cargo") === nothing &&
        error("libquatint must be built, but there is no Rust toolchain (cargo) on the PATH: see rustup.rs, then Pkg.build(\"Quatint\")")
    clone, commit = origin()
    mktempdir() do folder
        run(`git clone --quiet --no-checkout $clone $folder`)
        run(`git -C $folder checkout --quiet --detach $commit`)
        target = joinpath(folder, "target")
        cd(() -> run(`cargo build --release -p quatint-capi --locked --target-dir $target`), folder)
        cp(joinpath(target, "release", NAME), joinpath(@__DIR__, NAME); force = true)
    end
end

in_source_tree() || has_library() || build()
