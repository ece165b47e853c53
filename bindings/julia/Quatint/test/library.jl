const HEADER = joinpath(@__DIR__, "..", "..", "..", "..", "include", "quatint.h")

# a package that Pkg has installed is without the header
isfile(HEADER) && @testset "every function of the header is here, with as many arguments" begin
    header = read(HEADER, String)
    header = replace(header, r"/\*.*?\*/"s => "")
    declared = Dict{Symbol, Int}()
    for found in eachmatch(r"^(?!typedef)[\w ]+[ *](qi_\w+)\(([^)]*)\);"m, header)
        arguments = strip(found[2])
        declared[Symbol(found[1])] = arguments == "void" ? 0 : length(split(arguments, ","))
    end
    @test length(declared) >= 70
    @test Set(keys(declared)) == Set(Quatint.FUNCTIONS)
    for (name, count) in declared
        @test first(methods(getfield(Quatint, name))).nargs - 1 == count
    end
end

@testset "a library that is not found is an error that names what was tried" begin
    script = "try; using Quatint; catch e; print(sprint(showerror, e)); end"
    project = joinpath(@__DIR__, "..")
    run_with(library) = read(setenv(`$(Base.julia_cmd()) --startup-file=no --project=$project -e $script`,
        merge(Dict(ENV), Dict("QUATINT_LIBRARY" => library))), String)
    text = run_with("/nowhere/libquatint.so")
    @test occursin("libquatint is not found", text) && occursin("/nowhere/libquatint.so", text) && occursin("QUATINT_LIBRARY", text)
    @test occursin("has no qi_version_number", run_with("libm.so.6"))
    @test run_with(get(ENV, "QUATINT_LIBRARY", "")) == ""
end

@testset "a library that is another one is passed over for the next" begin
    own = Quatint.dlpath(Quatint.LIBRARY[])
    @test Quatint.load_library(["/nowhere/libquatint.so", "libm.so.6", own]) === nothing
    @test Quatint.dlpath(Quatint.LIBRARY[]) == own
    @test occursin("is another one, as it has no qi_version_number", Quatint.load("libm.so.6"))
    pointers = [Quatint.dlsym(Quatint.LIBRARY[], name) for name in Quatint.FUNCTIONS]
    @test Quatint.misfit_of(pointers) === nothing
end

@testset "the library of an artifact that Pkg has installed is found in any depot, and no other" begin
    mktempdir() do folder
        list, hash, other = joinpath(folder, "Artifacts.toml"), "0123456789abcdef"^2 * "01234567", "f"^40
        @test Quatint.downloaded(list, [folder]) == []
        write(list, """
            [[libquatint]]
            arch = "aarch64"
            git-tree-sha1 = "$other"
            os = "linux"

            [[libquatint]]
            arch = "x86_64"
            git-tree-sha1 = "$hash"
            os = "linux"
            """)
        depots = [joinpath(folder, "first"), joinpath(folder, "second")]
        @test Quatint.downloaded(list, depots) == []
        archive = mkpath(joinpath(depots[2], "artifacts", hash, "quatint-1-linux"))
        mkpath(joinpath(depots[2], "artifacts", "a"^40, "another"))
        @test Quatint.downloaded(list, depots) == ["$archive/lib/libquatint.$(Quatint.Libdl.dlext)"]
    end
end
