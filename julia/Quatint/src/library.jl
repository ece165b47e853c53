# Finds and loads libquatint: the file named by the environment, else the one in the surrounding build tree, else the one that
# Pkg has downloaded as Artifacts.toml says, else the one that deps/build.jl has built, else the system's.

const VERSION_OF_HEADER = VersionNumber(QI_VERSION_MAJOR, QI_VERSION_MINOR, QI_VERSION_PATCH)

"The version in the SONAME: MAJOR, or 0.MINOR."
const ABI = VERSION_OF_HEADER.major > 0 ? "$(VERSION_OF_HEADER.major)" : "0.$(VERSION_OF_HEADER.minor)"

const LIBRARY = Ref{Ptr{Cvoid}}(C_NULL)

"The names under which the library is searched, in this order."
function candidates()
    named = get(ENV, "QUATINT_LIBRARY", "")
    isempty(named) || return [named]
    built = normpath(joinpath(@__DIR__, "..", "..", "..", "target", "release", "libquatint.$(Libdl.dlext)"))
    by_pkg = normpath(joinpath(@__DIR__, "..", "deps", "libquatint.$(Libdl.dlext)"))
    [built; downloaded(); by_pkg; "libquatint.$(Libdl.dlext).$ABI"; "libquatint"]
end

"The library of the artifact for this machine, if the package has an Artifacts.toml, as `make dist` writes it, and Pkg has installed it."
function downloaded()
    list = normpath(joinpath(@__DIR__, "..", "Artifacts.toml"))
    isfile(list) || return String[]
    # not among the dependencies: Pkg takes a third of a second to load, and no other user of the package needs it
    artifacts = Base.require(Base.PkgId(Base.UUID("44cfe95a-1eb2-52ea-b672-e2afdf69b78f"), "Pkg")).Artifacts
    hash = Base.invokelatest(artifacts.artifact_hash, "libquatint", list)
    (hash === nothing || !Base.invokelatest(artifacts.artifact_exists, hash)) && return String[]
    prefixes = readdir(Base.invokelatest(artifacts.artifact_path, hash); join = true)
    ["$prefix/lib/libquatint.$(Libdl.dlext)" for prefix in prefixes]
end

function load_library()
    tried = String[]
    for name in candidates()
        try
            LIBRARY[] = dlopen(name)
            break
        catch failure
            push!(tried, "  $name: " * sprint(showerror, failure))
        end
    end
    LIBRARY[] == C_NULL && error("""
        libquatint is not found. Tried
        $(join(tried, "\n"))
        Build it with `make` in the repository, or install it on the loader's search path, or set the environment variable
        QUATINT_LIBRARY to the file. If Pkg.add installed this package, `Pkg.build("Quatint")` builds it.""")
    for (name, pointer) in zip(FUNCTIONS, POINTERS)
        found = dlsym(LIBRARY[], name; throw_error = false)
        found === nothing && error("$(dlpath(LIBRARY[])) has no $name: this package needs libquatint $VERSION_OF_HEADER")
        pointer[] = found
    end
    number = qi_version_number()
    version = VersionNumber(number >> 16, number >> 8 & 0xff, number & 0xff)
    fits = version >= VERSION_OF_HEADER && version.major == VERSION_OF_HEADER.major &&
        (version.major > 0 || version.minor == VERSION_OF_HEADER.minor)
    fits || error("$(dlpath(LIBRARY[])) is libquatint $version, but this package needs $VERSION_OF_HEADER")
    nothing
end
