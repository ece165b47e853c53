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
    built = normpath(joinpath(@__DIR__, "..", "..", "..", "..", "target", "release", "libquatint.$(Libdl.dlext)"))
    by_pkg = normpath(joinpath(@__DIR__, "..", "deps", "libquatint.$(Libdl.dlext)"))
    [built; downloaded(); by_pkg; "libquatint.$(Libdl.dlext).$ABI"; "libquatint"]
end

"""
The libraries of artifacts, if the package has an Artifacts.toml, as `make dist` writes it. Pkg has installed the one for this machine:
a folder with the name of its hash in a depot. Pkg itself could tell, but takes a third of a second to load.
"""
function downloaded(list = normpath(joinpath(@__DIR__, "..", "Artifacts.toml")), depots = DEPOT_PATH)
    isfile(list) || return String[]
    hashes = [found[1] for found in eachmatch(r"git-tree-sha1 = \"([0-9a-f]{40})\"", read(list, String))]
    folders = filter(isdir, [joinpath(depot, "artifacts", hash) for depot in depots for hash in hashes])
    ["$prefix/lib/libquatint.$(Libdl.dlext)" for folder in folders for prefix in readdir(folder; join = true)]
end

"Loads a library if it is one for this package; else returns why it is not."
function load(name)
    library = try
        dlopen(name)
    catch failure
        return sprint(showerror, failure)
    end
    pointers = [dlsym(library, function_name; throw_error = false) for function_name in FUNCTIONS]
    missing_one = findfirst(isnothing, pointers)
    misfit = missing_one === nothing ? misfit_of(pointers) : "it has no $(FUNCTIONS[missing_one])"
    if misfit !== nothing
        file = dlpath(library)
        dlclose(library)
        return "$file is another one, as $misfit: this package needs libquatint $VERSION_OF_HEADER"
    end
    for (place, pointer) in zip(POINTERS, pointers)
        place[] = pointer
    end
    LIBRARY[] = library
    nothing
end

"Why the version is not one that this package can use; `nothing`: it is."
function misfit_of(pointers)
    number = ccall(pointers[findfirst(==(:qi_version_number), FUNCTIONS)], Cuint, ())
    version = VersionNumber(number >> 16, number >> 8 & 0xff, number & 0xff)
    is_same_abi = version.major == VERSION_OF_HEADER.major && (version.major > 0 || version.minor == VERSION_OF_HEADER.minor)
    is_same_abi && version >= VERSION_OF_HEADER ? nothing : "it is version $version"
end

function load_library(names = candidates())
    tried = String[]
    for name in names
        misfit = load(name)
        misfit === nothing && return nothing
        push!(tried, "  $name: $misfit")
    end
    error("""
        libquatint is not found. Tried
        $(join(tried, "\n"))
        Build it with `make` in the repository, or install it on the loader's search path, or set the environment variable
        QUATINT_LIBRARY to the file. If Pkg.add installed this package, `Pkg.build("Quatint")` builds it.""")
end
