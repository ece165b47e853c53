# Small packages with the names of the real ones, containing only what the extensions use.
const STAND_INS = (
    ("CommonSolve", "38540f10-b2f7-11e9-35d8-d573e4eb0ff2", """
        function init end
        function step! end
        function solve! end
        solve(arguments...; options...) = solve!(init(arguments...; options...))
        """),
    ("Quaternions", "94ee1d12-ae83-5a48-8b1c-48b8ff168ae0", """
        struct Quaternion{T <: Real} <: Number
            s::T
            v1::T
            v2::T
            v3::T
        end
        Quaternion(s::Real, v1::Real, v2::Real, v3::Real) = Quaternion(promote(s, v1, v2, v3)...)
        Base.:*(a::Quaternion, b::Quaternion) = Quaternion(
            a.s * b.s - a.v1 * b.v1 - a.v2 * b.v2 - a.v3 * b.v3, a.s * b.v1 + a.v1 * b.s + a.v2 * b.v3 - a.v3 * b.v2,
            a.s * b.v2 - a.v1 * b.v3 + a.v2 * b.s + a.v3 * b.v1, a.s * b.v3 + a.v1 * b.v2 - a.v2 * b.v1 + a.v3 * b.s)
        Base.inv(q::Quaternion) = Quaternion(q.s, -q.v1, -q.v2, -q.v3)
        Base.:/(a::Quaternion, b::Quaternion) = a * inv(b)
        Base.:(==)(a::Quaternion, b::Quaternion) = (a.s, a.v1, a.v2, a.v3) == (b.s, b.v1, b.v2, b.v3)
        Base.convert(::Type{Quaternion{T}}, q::Quaternion) where {T} = Quaternion{T}(q.s, q.v1, q.v2, q.v3)
        export Quaternion
        """),
    ("Rotations", "6038ab10-8711-5258-84ad-4b1120ba62dc", """
        abstract type Rotation{N, T} <: AbstractMatrix{T} end
        struct QuatRotation{T} <: Rotation{3, T}
            w::T
            x::T
            y::T
            z::T
        end
        function QuatRotation(w, x, y, z, normalize::Bool = true)
            n = normalize ? sqrt(w^2 + x^2 + y^2 + z^2) : 1.0
            QuatRotation{Float64}(w / n, x / n, y / n, z / n)
        end
        struct RotX{T} <: Rotation{3, T}
            angle::T
        end
        QuatRotation(q::QuatRotation) = q
        QuatRotation(r::RotX) = QuatRotation(cos(r.angle / 2), sin(r.angle / 2), 0.0, 0.0)
        RotX(q::QuatRotation) = RotX(2 * atan(q.x, q.w))
        Base.convert(::Type{R}, r::R) where {R <: Rotation} = r
        Base.convert(::Type{R}, r::Rotation) where {R <: Rotation} = R(r)
        Base.size(::Rotation{N}) where {N} = (N, N)
        Base.getindex(::Rotation, i::Int) = error("nobody asks for the elements")
        export QuatRotation, RotX
        """),
)

"Runs a program with the stand-ins on its path, and the extension of the package `beside`, and returns what it prints."
function printed_beside(folder, beside, script)
    path = join([folder, joinpath(@__DIR__, ".."), "@stdlib"], Sys.iswindows() ? ';' : ':')
    # Julia before 1.9 does not load it by itself
    extension = joinpath(@__DIR__, "..", "ext", "Quatint$(beside)Ext.jl")
    loaded = "using Test, Quatint, $beside; isdefined(Base, :get_extension) || include($(repr(extension)))"
    clear = "foreach(println, detect_ambiguities(Quatint, $beside))"
    readchomp(setenv(`$(Base.julia_cmd()) --startup-file=no -e "$loaded; $clear; $script"`,
        merge(Dict(ENV), Dict("JULIA_LOAD_PATH" => path, "JULIA_DEPOT_PATH" => joinpath(folder, "depot")))))
end

function with_stand_ins(f)
    mktempdir() do folder
        for (name, uuid, source) in STAND_INS
            mkpath(joinpath(folder, name, "src"))
            write(joinpath(folder, name, "Project.toml"), "name = \"$name\"\nuuid = \"$uuid\"\nversion = \"1.0.0\"\n")
            write(joinpath(folder, name, "src", "$name.jl"), "module $name\n$(source)end\n")
        end
        f((beside, script) -> printed_beside(folder, beside, script))
    end
end

with_stand_ins() do printed
    @testset "quaternions of Quaternions and ours go together" begin
        @test printed("Quaternions", "print(orientation([0, 0, 1], 0))") == "Quatint.Quaternion(1.0, 0.0, 0.0, 0.0)"
        together = """
            q, p = orientation([0, 0, 1], 0.4), Quaternion(0.0, 1.0, 0.0, 0.0)
            body = orientation(Body([1, 2, 3]; orientation = q))
            theirs = Quaternion(q)
            println(theirs isa Quaternion{Float64}, Quaternions.Quaternion{Float64}[q, body] isa Vector{Quaternion{Float64}})
            println(q == theirs, theirs == body, q == p, p == q, q ≈ theirs, theirs ≈ q, p ≈ q)
            println(convert(Quatint.Quaternion, theirs) === q, Quatint.Quaternion(theirs) === q)
            println(body * p == theirs * p, p * body == p * theirs, body / p == theirs / p, p / body == p / theirs)
            println(typeof(body * p), rotate(theirs, [1, 0, 0]) == rotate(q, [1, 0, 0]))
            """
        answers = "truetrue\ntruetruefalsefalsetruetruefalse\ntruetrue\ntruetruetruetrue\nQuaternion{Float64}true"
        @test printed("Quaternions", together) == answers
    end

    @testset "rotations of Rotations are orientations" begin
        program = """
            r, q = RotX(0.4), orientation([1, 0, 0], 0.4)
            println(Quatint.Quaternion(r) ≈ q, QuatRotation(q) === QuatRotation(q.s, q.v1, q.v2, q.v3, false))
            println(rotate(r, [0, 1, 0]) ≈ rotate(q, [0, 1, 0]), rotate(r, [0 1; 1 0; 0 0]) ≈ rotate(q, [0 1; 1 0; 0 0]))
            println(rotate(r, Quatint.Vec3(0, 1, 0)) ≈ rotate(q, [0, 1, 0]))
            body = Body([1, 2, 3]; orientation = r)
            println(orientation(body) ≈ q, orientation(RotX, body).angle ≈ 0.4, orientation(RotX, (1, 0, 0), 0.3).angle ≈ 0.3)
            turned, _ = integrate(r, [1.0, 0, 0], [1.0 0 0; 0 2 0; 0 0 3], 0.1, q -> (q isa QuatRotation || error(); (0, 0, 0)))
            println(turned isa QuatRotation, convert(RotX, Quatint.Quaternion(turned)).angle ≈ 0.5)
            """
        @test printed("Rotations", program) == "truetrue\ntruetrue\ntrue\ntruetruetrue\ntruetrue"
    end

    @testset "the functions of CommonSolve are ours for our objects" begin
        program = """
            one, other = (Body([1, 2, 3]; angular_velocity = (1, 1, 1)) for _ in 1:2)
            Quatint.solve!(Quatint.step!(one, 0.1), 2; tolerance = 1e-6)
            CommonSolve.solve!(CommonSolve.step!(other, 0.1), 2; tolerance = 1e-6)
            println(orientation(one) === orientation(other), CommonSolve.step!(Ensemble(2), 0.1) isa Ensemble)
            sol = CommonSolve.solve(one, 5; tolerance = 1e-9, events = (t, q, ω) -> t - 3)
            integrator = CommonSolve.step!(CommonSolve.init(one, 5; tolerance = 1e-9), 1)
            println(sol isa Solution, CommonSolve.solve!(integrator).u[end].orientation ≈ sol(5).orientation, integrator.done)
            println(sol.events[1].time ≈ [3], CommonSolve.step!(CommonSolve.init(one, 5)) isa Quatint.Integrator)
            """
        @test printed("CommonSolve", program) == "truetrue\ntruetruetrue\ntruetrue"
    end
end

"Whether a type of the package is among those of the method's arguments: without one, the method would be piracy."
has_own_type(method::Method) = any(is_own, Base.unwrap_unionall(method.sig).parameters)
is_own(T::Union) = is_own(T.a) && is_own(T.b)
is_own(T::TypeVar) = is_own(T.ub)
is_own(T::UnionAll) = is_own(Base.unwrap_unionall(T))
is_own(T::DataType) = parentmodule(T) === Quatint || any(is_own, T.parameters)
is_own(value) = false

@testset "no method is ambiguous, has a parameter without a value, or is piracy" begin
    @test isempty(detect_ambiguities(Quatint))
    isdefined(Test, :detect_unbound_args) && @test isempty(Test.detect_unbound_args(Quatint))
    names_of(m) = (getfield(m, name) for name in names(m) if isdefined(m, name))
    functions = unique(f for m in (Base, LinearAlgebra, Serialization) for f in names_of(m) if f isa Function)
    ours = [method for f in functions for method in methods(f) if method.module === Quatint]
    @test length(ours) > 40
    @test all(has_own_type, ours)
end
