# Stand-ins for types of a caller's packages: a quaternion with different operations than ours, a static vector, numbers
# with units.

struct Quat{T <: Real}
    s::T
    v1::T
    v2::T
    v3::T
    norm::Bool # a fifth field, so that Quat{T} has no constructor from four numbers
end
Quat(s, v1, v2, v3) = Quat(promote(s, v1, v2, v3)..., false)

struct Static3{T} <: AbstractVector{T}
    numbers::NTuple{3, T}
end
Base.size(::Static3) = (3,)
Base.getindex(v::Static3, i::Int) = v.numbers[i]
Base.map(f, v::Static3) = Static3(map(f, v.numbers))

"A number of `scale` basic units, with the exponents of kg, m and s."
struct WithUnit{D} <: Number
    value::Float64
    scale::Float64
end
const Plain = WithUnit{(0, 0, 0)}
unit(D, scale = 1.0) = WithUnit{D}(1.0, scale)
Base.:*(x::Real, u::WithUnit{D}) where {D} = WithUnit{D}(x * u.value, u.scale)
Base.:*(u::WithUnit, x::Real) = x * u
Base.:*(a::WithUnit{A}, b::WithUnit{B}) where {A, B} = WithUnit{A .+ B}(a.value * b.value, a.scale * b.scale)
Base.:/(a::WithUnit{A}, b::WithUnit{B}) where {A, B} = WithUnit{A .- B}(a.value / b.value, a.scale / b.scale)
Base.oneunit(u::WithUnit{D}) where {D} = WithUnit{D}(1.0, u.scale)
Base.convert(::Type{Float64}, u::Plain) = u.value * u.scale
Base.convert(::Type{Float64}, ::WithUnit{D}) where {D} = throw(DomainError(D, "not without a dimension"))

"The algorithm in ordinary arrays, as it is written down, to compare with."
function plain_pcdm(q, ω, I, h, torque, steps)
    mul(a, b) = [a[1] * b[1] - dot(a[2:4], b[2:4]); a[1] * b[2:4] + b[1] * a[2:4] + cross(a[2:4], b[2:4])]
    turn(q, v) = mul(mul(q, [0; v]), [q[1]; -q[2:4]])[2:4]
    back(q, v) = turn([q[1]; -q[2:4]], v)
    spin(v) = (n = norm(v); n == 0 ? [1.0, 0, 0, 0] : [cos(n / 2); sin(n / 2) * v / n])
    for _ in 1:steps
        w = back(q, ω)
        a = I \ (back(q, torque(q)) - cross(w, I * w))
        half = mul(spin(turn(q, w + a * h / 4) * h / 2), q)
        wh = w + a * h / 2
        a = I \ (back(half, torque(half)) - cross(wh, I * wh))
        q = mul(spin(turn(half, wh) * h), q)
        ω = turn(q, w + a * h)
    end
    q, ω
end

inertia, field = [2.0 0.1 0; 0.1 3 0; 0 0 4], [0.3, -0.2, 0.1]
torque_on(q) = [q[2] * field[3] - q[1], q[3] * field[1], q[4] * field[2] + q[1]]

@testset "integrate is the algorithm, for arrays" begin
    q0, ω0 = [0.5, 0.5, -0.5, 0.5], [1.0, -2, 0.5]
    for steps in (1, 100)
        q, ω = integrate(q0, ω0, inertia, 0.01, torque_on, steps)
        expected = plain_pcdm(q0, ω0, inertia, 0.01, torque_on, steps)
        @test q isa Vector{Float64} && ω isa Vector{Float64}
        @test q ≈ expected[1] atol = 1e-11
        @test ω ≈ expected[2] atol = 1e-11
    end
    @test integrate(q0, ω0, inertia, 0.01, torque_on) == integrate(q0, ω0, inertia, 0.01, torque_on, 1)
    @test integrate(q0, ω0, inertia, 0.01, torque_on; IbInv = inv(inertia)) == integrate(q0, ω0, inertia, 0.01, torque_on)
    @test integrate(q0, ω0, inertia, 0.01, torque_on, 0) == (q0, ω0)
    @test q0 == [0.5, 0.5, -0.5, 0.5] && ω0 == [1.0, -2, 0.5]
end

@testset "integrate takes and gives the caller's own types" begin
    expected = plain_pcdm([1.0, 0, 0, 0], [1.0, -2, 0.5], inertia, 0.01, torque_on, 10)
    on(q::Quat) = Static3(Tuple(torque_on([q.s, q.v1, q.v2, q.v3])))
    for one in (1, 1.0, 1.0f0)
        q, ω = integrate(Quat(one, zero(one), zero(one), zero(one)), Static3((1.0, -2.0, 0.5)), inertia, 0.01, on, 10)
        @test q isa Quat{Float64} && ω isa Static3{Float64}
        @test [q.s, q.v1, q.v2, q.v3] ≈ expected[1] && collect(ω) ≈ expected[2]
    end
    q, ω = integrate(Quat(1, 0, 0, 0), Static3((1, -2, 0)), inertia, 0.01, on)
    @test ω isa Static3{Float64}
    q, ω = integrate(Quat(1, 0, 0, 0), [1, -2, 0], inertia, 0.01, q -> [0, 0, 0])
    @test ω isa Vector{Float64}
end

@testset "units go in and come out, of mixed scales too, and dimensions are checked" begin
    kg_mm2, per_ms, µs, N_mm = unit((1, 2, 0), 1e-6), unit((0, 0, -1), 1e3), unit((0, 0, 1), 1e-6), unit((1, 2, -2), 1e-3)
    # the same quantities in kg, m and s
    q, ω = integrate([1.0, 0, 0, 0], [1e3, -2e3, 5e2], 1e-6 * inertia, 1e-5, q -> 1e-3 * torque_on(q), 10)
    Q, Ω = integrate(Quat(1, 0, 0, 0), [x * per_ms for x in (1, -2, 0.5)], [x * kg_mm2 for x in inertia], 10 * µs,
        q -> [x * N_mm for x in torque_on([q.s, q.v1, q.v2, q.v3])], 10)
    @test [Q.s, Q.v1, Q.v2, Q.v3] ≈ q rtol = 1e-12
    @test Ω isa Vector{typeof(per_ms)}
    @test [x.value * x.scale for x in Ω] ≈ ω rtol = 1e-12
    rates = Static3((1 * per_ms, 0 * per_ms, 0 * per_ms))
    @test integrate(Quat(1, 0, 0, 0), rates, [x * kg_mm2 for x in inertia], 10 * µs, q -> [0, 0, 0] .* N_mm)[2] isa Static3{typeof(per_ms)}

    good = (Quat(1, 0, 0, 0), [x * per_ms for x in (1, -2, 0.5)], [x * kg_mm2 for x in inertia], 10 * µs)
    force = q -> [x * unit((1, 1, -2)) for x in (0, 0, 1)]
    for wrong in (() -> integrate(good..., force), () -> integrate(good[1:3]..., 1 * unit((0, 1, 0)), q -> [0, 0, 0] .* N_mm),
        () -> integrate([1.0, 0, 0, 0] .* unit((0, 1, 0)), good[2:4]..., q -> [0, 0, 0] .* N_mm))
        failure = try wrong() catch x; x end
        @test failure isa ArgumentError && occursin(r"this is WithUnit.*the wrong dimension", failure.msg)
    end
end

@testset "rotate and orientation" begin
    @test rotate(orientation([0.0, 0, 1], pi / 4), [1.0, 0, 0]) ≈ [sqrt(2) / 2, sqrt(2) / 2, 0]
    @test rotate(inv(orientation([0.0, 0, 1], pi / 2)), [0.0, 1, 0]) ≈ [1, 0, 0]
    @test orientation([0.0, 0, 1], 0.0) ≈ Quaternion(1, 0, 0, 0)
    @test orientation([0.0, 0, 1], pi) ≈ [cos(pi / 2), 0, 0, sin(pi / 2)]
    q = Quat(cos(0.1), sin(0.1), 0.0, 0.0)
    @test rotate(q, Static3((0.0, 1.0, 0.0))) isa Static3{Float64}
    @test rotate(q, (0, 1, 0)) isa Tuple
    @test rotate(q, [0, 1, 0]) isa Vector{Float64}
    @test rotate(q, view([0, 1, 0], 1:3)) == rotate(view([q.s, q.v1, q.v2, q.v3], :), [0, 1, 0]) == rotate(q, [0, 1, 0])
    @test rotate(q, 1:3) isa Vector{Float64} && rotate(q, 1:3) == rotate(q, [1, 2, 3])
    turned = rotate(q, [x * unit((0, 1, 0), 1e-3) for x in (0, 1, 0)])
    @test [x.value for x in turned] ≈ [0, cos(0.2), sin(0.2)] && turned[1].scale == 1e-3
    @test rotate([1, 0, 0, 0], [1, 2, 3]) == [1, 2, 3]
    @test @inferred(orientation((0, 0, 1), 0.3)) isa Quaternion
    a, b = orientation((1, 2, 3), 0.4), orientation((0, 1, 0), 1.1)
    @test rotate(a * b, Vec3(1, 2, 3)) ≈ rotate(a, rotate(b, Vec3(1, 2, 3)))
end

@testset "an inertia of equal moments may be a number or a multiple of I" begin
    q0, ω0 = [1.0, 0, 0, 0], [1.0, -2, 0.5]
    expected = integrate(q0, ω0, [2.0 0 0; 0 2 0; 0 0 2], 0.01, torque_on, 10)
    @test integrate(q0, ω0, 2, 0.01, torque_on, 10) == integrate(q0, ω0, 2.0I, 0.01, torque_on, 10) == expected
    kg, per_s, s, Nm = unit((1, 2, 0)), unit((0, 0, -1)), unit((0, 0, 1)), unit((1, 2, -2))
    _, ω = integrate(Quat(1, 0, 0, 0), ω0 .* per_s, 2 * kg, 0.01 * s, q -> [1, 0, 0] .* Nm, 10)
    @test [x.value for x in ω] ≈ integrate(q0, ω0, 2, 0.01, q -> [1.0, 0, 0], 10)[2]
    @test integrate(q0, ω0, 2I, 0.01, torque_on, 10; tolerance = 1e-9)[1] ≈ expected[1] atol = 1e-5
end

@testset "numbers of other kinds go in, and the results are those of Float64" begin
    big = integrate(BigFloat[1, 0, 0, 0], BigFloat[1, -2, 0.5], inertia, big"0.01", torque_on)
    @test big == integrate([1.0, 0, 0, 0], [1.0, -2, 0.5], inertia, 0.01, torque_on)
    @test integrate(Float32[1, 0, 0, 0], Float32[1, -2, 0.5], inertia, 0.5, torque_on)[2] isa Vector{Float64}
    @test_throws QuatintError rotate([1.0, 0, 0, 0], [NaN, 0, 0])
    @test orientation((0, 0, 2), 0.3) == orientation((0, 0, 1), 0.3) # the axis may have any length
end

@testset "the errors of the drop-in" begin
    arguments = ([1.0, 0, 0, 0], [1.0, 0, 0], inertia, 0.01)
    @test_throws Stopped integrate(arguments..., q -> throw(Stopped("here")), 5)
    @test_throws DimensionMismatch integrate(arguments..., q -> [1, 2])
    @test_throws DimensionMismatch integrate([1.0, 0, 0], arguments[2:4]..., torque_on)
    @test_throws DimensionMismatch integrate(arguments[1], [1.0, 0], inertia, 0.01, torque_on)
    @test_throws DimensionMismatch integrate(arguments[1:2]..., [1.0 0; 0 1], 0.01, torque_on)
    @test_throws QuatintError integrate(arguments[1:2]..., -inertia, 0.01, torque_on)
    @test_throws QuatintError integrate(arguments[1:3]..., NaN, torque_on)
    @test_throws QuatintError integrate([1.0, 1, 0, 0], arguments[2:4]..., torque_on)
    @test_throws ArgumentError integrate(arguments..., torque_on, -1)
    @test_throws QuatintError rotate([0, 0, 0, 0], [1, 2, 3])
    @test_throws DimensionMismatch rotate([1, 0, 0, 0], [1, 2])
end

@testset "orientations come as another type of quaternion" begin
    body = Body([1, 2, 3]; orientation = (0, 1, 0, 0))
    @test orientation(Quat, body) === Quat(0.0, 1.0, 0.0, 0.0)
    @test orientation(Quat, (0, 0, 1), 0.0) === Quat(1.0, 0.0, 0.0, 0.0)
end

@testset "a torque that returns a static vector or a tuple allocates nothing, and a function that fills rows neither" begin
    steps(object, n) = (for _ in 1:n; step!(object, 1e-3) end)
    turned(q) = rotate(q, Vec3(0, 0, 1))
    for torque in ((t, q, ω) -> (v = turned(q); Static3((v[2], -v[1], t))), (t, q, ω) -> (v = turned(q); (v[2], -v[1], 0)),
        (t, q, ω) -> (v = turned(q); Static3(map(Float32, (v[2], -v[1], 0.5)))))
        for method in (:pcdm, :splitting, :cf4)
            body = Body([1, 2, 3]; torque = torque, method = method)
            steps(body, 2)
            @test (@allocated steps(body, 100)) == 0
        end
    end
    function pull(torque, t, bodies, q, ω)
        for i in axes(torque, 1)
            v = turned(Quaternion(q[i, 1], q[i, 2], q[i, 3], q[i, 4]))
            torque[i, 1], torque[i, 2] = v[2], -v[1]
        end
    end
    e = set_torque!(Ensemble(10), pull)
    advance!(e, 1e-3, 2)
    @test (@allocated advance!(e, 1e-3, 100)) == (@allocated advance!(e, 1e-3, 1))
end
