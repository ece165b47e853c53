weight(time, q, ω) = (-2 * (q[3] * q[4] - q[1] * q[2]), 2 * (q[2] * q[4] + q[1] * q[3]), 0)

function weights_in_rows(torque, time, bodies, q, ω)
    @inbounds for i in 1:size(q, 1)
        torque[i, 1] = -2 * (q[i, 3] * q[i, 4] - q[i, 1] * q[i, 2])
        torque[i, 2] = 2 * (q[i, 2] * q[i, 4] + q[i, 1] * q[i, 3])
    end
end

function weights_in_columns(torque, time, bodies, q, ω)
    for i in 1:size(q, 2)
        torque[:, i] .= weight(time, q[:, i], ω[:, i])
    end
end

# The principal axes of these bodies lie along no axis of the body.
const INERTIAS = [
    [4.28 -0.576 0.768; -0.576 5.8192 1.5744; 0.768 1.5744 4.9008],
    [2.54 0.576 -0.432; 0.576 3.3344 0.4992; -0.432 0.4992 3.6256],
    [3.3736 1.008 0.8352; 1.008 3.24 -1.344; 0.8352 -1.344 2.8864],
    [2.14 -0.384 0.288; -0.384 2.2704 0.5472; 0.288 0.5472 2.5896],
    [3.3104 -0.288 1.7472; -0.288 5.36 -0.384; 1.7472 -0.384 4.3296],
]
inertia_of(body) = INERTIAS[mod1(body, 5)]

function generic_torques(torque, time, bodies, q, ω)
    for i in 1:size(q, 2)
        torque[:, i] .= (0.5 * q[2, i] - 0.25 * ω[2, i], q[1, i] * q[4, i], 0.25 * ω[1, i] - 0.5 * q[3, i])
    end
end

"300 tops at different tilts, and the bits they have after some steps one by one."
tilts = [orientation((1, 0.1, 0), 0.01 * i) for i in 1:300]
function alone(torque, steps = 20)
    bodies = [set_torque!(Body(inertia_of(i); orientation = tilts[i], angular_velocity = (0.1, 0.2, 3)), torque) for i in 1:300]
    foreach(b -> advance!(b, 1e-2, steps), bodies)
    reduce(hcat, [collect(orientation(b)) for b in bodies])
end
function tops()
    e = Ensemble(300)
    set_inertias!(e, inertia_of.(1:300))
    set_orientations!(e, tilts)
    set_angular_velocities!(e, (0.1, 0.2, 3))
    e
end

# With the numbers of tests/rust/every_language.rs. A column for each body.
@testset "a generic ensemble comes where it comes in every language" begin
    start = hcat(
        [0.5, -0.1, 0.7, 0.5], [0.1, 0.3, -0.9, 0.3], [-0.4, 0.2, 0.8, -0.4],
        [0.7, -0.7, 0.1, -0.1], [0.8, 0.4, -0.2, 0.4])
    spins = hcat(
        [0.3, -0.7, 1.1], [-1.2, 0.6, 0.9], [0.5, 1.3, -0.4], [-0.8, -0.5, 1.4], [1.5, 0.2, -0.6])
    coefficients = hcat(
        [0.15, 0.45, 0.85], [0.95, 0.25, 0.55], [0.35, 0.65, 0.05], [0.75, 0.85, 0.45], [0.25, 0.55, 1.15])
    q_with_drag = hcat(
        [0.34322020947937526, -0.514673656491571, 0.3044616219105275, 0.7243024478090221],
        [0.31006876234467107, 0.6136993314393463, -0.35805990008763133, 0.6316831493384788],
        [-0.8736102551308665, -0.04098689822035527, 0.45930491590566064, -0.15544835325390347],
        [0.32177863570546605, -0.8003367741310565, -0.5056576909313071, 0.01516104148935328],
        [0.2975224835456055, 0.8789496752635488, -0.3574468432490278, 0.10563898139541861])
    ω_with_drag = hcat(
        [0.20088039458460782, -0.49848139829966837, 1.137601037989131],
        [-0.9276233943553918, 0.5198630595773146, 0.9390982789857145],
        [0.5402056759807812, 1.1383960793268375, -0.3958854438749477],
        [-0.6051480153623199, -0.7941029935567219, 0.9135233403515265],
        [1.6177997825038815, -0.3283464562297587, 0.3651749686206678])
    e = set_inertias!(Ensemble(5), INERTIAS)
    q, ω_body = copy(start), zeros(3, 5)
    bind!(e; orientations = q, angular_velocities = ω_body, kind = :omega_body)
    set_angular_velocities!(e, spins)
    set_torque!(e, generic_torques; layout = :columns)
    set_drag!(e, coefficients; flow = (0.2, -0.1, 0.7))
    advance!(e, 0.01, 100)
    @test q == q_with_drag && angular_velocities(e) == ω_with_drag
end

@testset "every body of an ensemble has the bits of the body alone, with every kind of torque function" begin
    expected = alone(weight)
    for (torque, layout) in ((weights_in_rows, :rows), (weights_in_columns, :columns))
        e = set_torque!(tops(), torque; layout = layout)
        advance!(e, 1e-2, 20)
        @test orientations(e) == expected
    end
    e = tops()
    for _ in 1:20
        step!(e, 1e-2) do torque, time, q, ω
            for i in 1:300
                torque[:, i] .= weight(time, q[:, i], ω[:, i])
            end
        end
    end
    @test orientations(e) == expected
    e = tops()
    for _ in 1:20
        step!((torque, time, q, ω) -> weights_in_rows(torque, time, 1:300, q, ω), e, 1e-2; layout = :rows)
    end
    @test orientations(e) == expected
    for (torque, layout) in ((weights_in_rows, :rows), (weights_in_columns, :columns))
        e = advance!((into, time, q, ω) -> torque(into, time, 1:300, q, ω), tops(), 1e-2, 20; layout = layout)
        @test orientations(e) == expected
        @test time(e) ≈ 0.2
    end
    @test_throws ArgumentError step!(weights_in_rows, e, 1e-2; layout = :diagonal)
    e = set_threads!(set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1))), 3)
    advance!(e, 1e-2, 20)
    @test orientations(e) == alone(UniformFieldTorque((0, 0, 1), (0, 0, -1)))
end

@testset "chunks cover all bodies, with their numbers" begin
    seen = Int[]
    e = set_torque!(tops(), (torque, t, bodies, q, ω) -> (append!(seen, bodies); @test size(q) == (length(bodies), 4)))
    step!(e, 0.1)
    @test sort(seen) == sort(vcat(1:300, 1:300))
end

struct Particle
    mass::Float64
    q::NTuple{4, Float64}
    ω::NTuple{3, Float64}
    id::Int
end

@testset "arrays of every form are stepped in place" begin
    tilted, e = reduce(hcat, collect.(tilts)), tops()
    advance!(e, 1e-2, 20)
    expected = orientations(e)
    spins() = repeat([0.1, 0.2, 3.0], 1, 300)
    last(q) = q[[2, 3, 4, 1], :]
    wide = zeros(10, 600)
    wide[3:6, 1:2:600] = tilted
    particles = [Particle(1.0, Tuple(tilted[:, i]), (0.1, 0.2, 3.0), i) for i in 1:300]
    forms = (
        (copy(tilted), spins(), :first, identity),
        (collect(tilted'), collect(spins()'), :first, q -> collect(q')),
        (last(tilted), spins(), :last, q -> q[[4, 1, 2, 3], :]),
        (view(wide, 3:6, 1:2:600), spins(), :first, copy),
        ([Tuple(tilted[:, i]) for i in 1:300], [Tuple(spins()[:, i]) for i in 1:300], :first, q -> reduce(hcat, collect.(q))),
        ([Quaternion(tilted[:, i]...) for i in 1:300], spins(), :first, q -> reduce(hcat, collect.(q))),
        (particles => :q, particles => :ω, :first, p -> reduce(hcat, [collect(x.q) for x in p.first])),
    )
    for (q, ω, scalar, back) in forms
        e = Ensemble(300)
        set_inertias!(e, inertia_of.(1:300))
        bind!(e; orientations = q, angular_velocities = ω, scalar = scalar)
        advance!(e, 1e-2, 20)
        @test back(q) ≈ expected atol = 1e-13 # not bitwise: a bound ω in the world frame is converted in each step
    end
    @test wide[2, :] == zeros(600) && wide[3:6, 2:2:600] == zeros(4, 300)
    @test particles[7].mass == 1 && particles[7].id == 7

    ω, e = repeat([0.1, 0.2, 3.0], 1, 300), tops()
    set_orientations!(e, (1, 0, 0, 0))
    set_angular_velocities!(e, ω)
    f = Ensemble(300)
    set_inertias!(f, inertia_of.(1:300))
    bind!(f; angular_velocities = ω, kind = :omega_body)
    advance!(e, 1e-2, 20)
    advance!(f, 1e-2, 20)
    @test orientations(f) == orientations(e)
end

@testset "bound arrays stay alive as long as the ensemble" begin
    e = Ensemble(100_000)
    bind!(e; orientations = repeat([1.0, 0, 0, 0], 1, 100_000), angular_velocities = ones(3, 100_000))
    GC.gc()
    junk = [rand(4, 100_000) for _ in 1:5]
    advance!(e, 1e-2, 5)
    @test length(unique(orientations(e)[2, :])) == 1 && !isempty(junk)
end

@testset "inertias are tensors and moments, in arrays of every form" begin
    e = set_angular_velocities!(Ensemble(3), (1, 0, 0))
    for inertias in ([[1, 1, 1], [2, 2, 2], Matrix(4.0I, 3, 3)], cat(Matrix(1.0I, 3, 3), Matrix(2.0I, 3, 3), Matrix(4.0I, 3, 3); dims = 3))
        @test kinetic_energies(set_inertias!(e, inertias)) ≈ [0.5, 1, 2]
    end
    @test angular_momenta(set_angular_momenta!(e, [1 2 3; 4 5 6; 7 8 9]))[:, 2] ≈ [2, 5, 8] # of integers
end

@testset "only active bodies move" begin
    e = set_active!(tops(), [2, 5, 300])
    before = orientations(e)
    step!(e, 0.1)
    moved = [i for i in 1:300 if orientations(e)[:, i] != before[:, i]]
    @test moved == [2, 5, 300]
    step!((torque, t, q, ω) -> @test(size(q) == (4, 3)), e, 0.1)
    before = orientations(e)
    step!(set_active!(e, Int[]), 0.1)
    @test orientations(e) == before
    step!(set_active!(e, :), 0.1)
    @test all(orientations(e)[:, i] != before[:, i] for i in 1:300)
    @test_throws BoundsError set_active!(e, [0, 1])
    @test_throws BoundsError set_active!(e, [301])
    @test_throws QuatintError set_active!(e, [3, 2])
end

@testset "what a torque throws leaves all bodies as they were" begin
    e = tops()
    before = state(e)
    set_torque!(e, (torque, t, bodies, q, ω) -> 200 in bodies && throw(Stopped("body 200")))
    @test_throws Stopped step!(e, 0.1)
    @test state(e) == before
    @test_throws Stopped step!((torque, t, q, ω) -> throw(Stopped("stage")), e, 0.1)
    @test_throws ArgumentError advance!((torque, t, q, ω) -> nothing, e, 0.1, -1)
    set_torque!(e, nothing)
    @test state(e) == before
    once = step!((torque, t, q, ω) -> nothing, tops(), 0.1)
    again = tops()
    @test_throws Stopped advance!((torque, t, q, ω) -> t > 0.12 && throw(Stopped("middle of the second")), again, 0.1, 5)
    @test state(again) == state(once) && time(again) == 0.1 # the completed step is kept
    failure = try step!((torque, t, q, ω) -> (torque[1, 200] = NaN), e, 0.1) catch x; x end
    @test failure isa QuatintError && failure.body == 200
    @test startswith(failure.message, "body 200: the torque is not finite") # counted from 1, as the columns are
    @test state(e) == before
    @test_throws BoundsError step!(set_torque!(e, (torque, t, bodies, q, ω) -> q[1, 5]), 0.1)
    set_torque!(e, nothing)
    step!(e, 0.1)
    @test state(e) != before
end

@testset "torques that a function returns instead of filling them in are refused" begin
    e = tops()
    before = state(e)
    returned(torque, time, bodies, q, ω) = -2 .* ω
    rebound(torque, time, bodies, q, ω) = (torque = -2 .* ω)
    for f in (returned, rebound), layout in (:rows, :columns)
        failure = try step!(set_torque!(e, f; layout = layout), 0.1) catch x; x end
        @test failure isa ArgumentError && occursin("`torque .= ...`", failure.msg)
        g = (torque, time, q, ω) -> f(torque, time, 1:300, q, ω)
        failure = try advance!(g, e, 0.1, 3; layout = layout) catch x; x end
        @test failure isa ArgumentError && occursin("`torque .= ...`", failure.msg)
    end
    set_torque!(e, nothing)
    @test state(e) == before

    scratch, seen = zeros(64, 3), zeros(300, 3)
    filled = (
        (torque, time, bodies, q, ω) -> (torque .= -2 .* ω),
        (torque, time, bodies, q, ω) -> (torque .= -2 .* ω; view(scratch, 1:length(bodies), :) .= ω), # another matrix
    )
    none = (
        (torque, time, bodies, q, ω) -> nothing,
        (torque, time, bodies, q, ω) -> torque,
        (torque, time, bodies, q, ω) -> zeros(size(torque)),
        (torque, time, bodies, q, ω) -> (seen[bodies, :] = ω), # its value is `ω`
    )
    for functions in (filled, none)
        ends = [state(step!(set_torque!(tops(), f), 0.1)) for f in functions]
        @test all(isequal(ends[1]), ends)
    end
    step!((torque, time, q, ω) -> (seen .= 0; seen[:, :] = ω), tops(), 0.1; layout = :rows)
end

@testset "a torque function is for one thread, whichever is asked for first" begin
    e = set_torque!(tops(), weights_in_rows)
    @test_throws ArgumentError set_threads!(e, 2)
    set_threads!(set_torque!(e, nothing), 2)
    @test_throws ArgumentError set_torque!(e, weights_in_rows)
    @test_throws ArgumentError set_threads!(e, -1)
    @test_throws QuatintError set_threads!(e, 0)
    step!(set_torque!(set_threads!(e, 1), weights_in_rows), 0.1)
end

@testset "arrays of the wrong size or kind are refused" begin
    e = tops()
    before = state(e)
    @test_throws DimensionMismatch set_orientations!(e, zeros(4, 299))
    @test_throws DimensionMismatch set_angular_velocities!(e, zeros(4, 300))
    @test_throws DimensionMismatch bind!(e; orientations = zeros(3, 300))
    @test_throws DimensionMismatch bind!(e; orientations = [(1.0, 0.0, 0.0, 0.0)])
    @test_throws ArgumentError bind!(e; orientations = fill((1.0, 0.0, 0.0), 300))
    @test_throws ArgumentError bind!(e; orientations = zeros(Float32, 4, 300))
    @test_throws ArgumentError bind!(e; orientations = [[1.0, 0, 0, 0] for _ in 1:300])
    @test_throws ArgumentError bind!(e; angular_velocities = zeros(3, 300), kind = :spin)
    @test_throws ArgumentError bind!(e; orientations = zeros(4, 300), scalar = :middle)
    @test_throws QuatintError bind!(e; orientations = zeros(4, 300))
    @test_throws QuatintError set_angular_velocities!(e, fill(NaN, 3, 300))
    @test_throws DimensionMismatch set_inertias!(e, zeros(3, 3, 2))
    @test_throws QuatintError set_inertias!(e, [1, 1, -1])
    @test_throws DimensionMismatch set_torque!(e, ConstantTorque(zeros(3, 2)))
    @test_throws ArgumentError set_torque!(e, weights_in_rows; layout = :diagonal)
    @test_throws ArgumentError Ensemble(-1)
    @test state(e) == before
end

@testset "a closed ensemble refuses every use, and what it shows" begin
    e = tops()
    @test occursin("300 bodies", repr("text/plain", e)) && repr(e) == "Ensemble(300)"
    close(e)
    for use in (x -> step!(x, 0.1), x -> advance!(x, 0.1, 1), orientations, time, total_kinetic_energy, x -> set_threads!(x, 1),
        x -> set_torque!(x, weights_in_rows), x -> bind!(x; orientations = repeat([1.0, 0, 0, 0], 1, 300)),
        x -> step!((torque, t, q, ω) -> nothing, x, 0.1), x -> set_active!(x, :))
        @test_throws QuatintError use(e)
    end
    @test repr(e) == "Ensemble (closed)"
end

@testset "what is bound can be neither resized nor lost, and must be writable" begin
    q = fill((1.0, 0.0, 0.0, 0.0), 300)
    e = bind!(Ensemble(300); orientations = q)
    @test_throws ErrorException push!(q, (1.0, 0.0, 0.0, 0.0))
    @test_throws ErrorException empty!(q)
    step!(e, 0.1)
    mktemp() do path, file
        write(file, repeat([1.0, 0.0, 0.0, 0.0], 300))
        flush(file)
        open(path) do read_only
            mapped = Mmap.mmap(read_only, Matrix{Float64}, (4, 300))
            e = Ensemble(300)
            @test_throws ReadOnlyMemoryError bind!(e; orientations = mapped)
            step!(e, 0.1)
        end
    end
end

@testset "states may be set from the bound array itself" begin
    q = reduce(hcat, [collect(orientation((1, 0, 0), 0.001 * i)) for i in 1:300])
    expected = q[:, 300:-1:1]
    e = bind!(Ensemble(300); orientations = q)
    set_orientations!(e, view(q, :, 300:-1:1))
    @test orientations(e) ≈ expected
end

@testset "an ensemble is not copied" begin
    @test_throws ArgumentError deepcopy(Ensemble(3))
end

@testset "the matrices of a torque are gone after its call" begin
    kept = Any[]
    e = set_torque!(Ensemble(200), (torque, t, bodies, q, ω) -> push!(kept, torque, q, ω))
    step!(e, 0.1)
    for matrix in kept
        @test_throws ArgumentError matrix[1, 1]
        @test_throws ArgumentError matrix .+ 1
        @test_throws ArgumentError sum(matrix)
        @test_throws ArgumentError fill!(matrix, 0)
    end
end

struct Holds <: Exception
    matrix
end

@testset "an exception that holds a matrix of a torque can be shown after the call" begin
    shown(f) = try step!(set_torque!(Ensemble(64), f), 0.1) catch e; sprint(showerror, e) end
    @test shown((torque, t, bodies, q, ω) -> q[1, 5]) ==
        "BoundsError: attempt to access 64×4 $(Matrix{Float64}) at index [1, 5]"
    @test occursin("4×64", shown((torque, t, bodies, q, ω) -> PermutedDimsArray(q, (2, 1))[5, 1]))
    @test occursin("[65]", shown((torque, t, bodies, q, ω) -> view(q, :, 2)[65]))
    @test occursin("64×4 matrix of a torque function", shown((torque, t, bodies, q, ω) -> throw(Holds(q))))
    kept = nothing
    step!(set_torque!(Ensemble(64), (torque, t, bodies, q, ω) -> (kept = q; @test startswith(repr(q), "[1.0 0.0 0.0 0.0;"))), 0.1)
    @test repr(kept) == repr("text/plain", kept) == "64×4 matrix of a torque function"
end

@testset "a list of bodies may come from an iterator that is used up" begin
    e = set_angular_velocities!(Ensemble(5), (0, 0, 1))
    set_active!(e, Iterators.Stateful([2, 4]))
    step!(e, 0.1)
    @test findall(orientations(e)[4, :] .!= 0) == [2, 4]
end

@testset "by every method, every body of an ensemble has the bits of the body alone" begin
    weight = UniformFieldTorque((0, 0, 1), (0, 0, -1))
    for (name, torques) in ((:cf4, 80), (:splitting, 21), (:splitting_4, 121), (:force_gradient, 61), (:splitting_6, 221))
        bodies = [Body(inertia_of(i); orientation = tilts[i], angular_velocity = (0.1, 0.2, 3), method = name) for i in 1:300]
        e = set_threads!(set_torque!(set_method!(tops(), name), weight), 2)
        @test method(e) === name && method(Ensemble(3)) === :pcdm && method(Ensemble(3; method = name)) === name
        advance!(e, 1e-2, 20)
        foreach(b -> advance!(set_torque!(b, weight), 1e-2, 20), bodies)
        @test orientations(e) == reduce(hcat, [collect(orientation(b)) for b in bodies])

        asked = 0
        called, staged = set_torque!(set_method!(tops(), name), weights_in_rows), set_method!(tops(), name)
        advance!(called, 1e-2, 20)
        advance!(staged, 1e-2, 20; layout = :rows) do torque, time, q, ω
            asked += 1
            weights_in_rows(torque, time, 1:300, q, ω)
        end
        @test asked == torques && state(staged) == state(called)
        @test_throws ArgumentError set_method!(e, :euler)
        @test_throws QuatintError step!((torque, t, q, ω) -> set_method!(staged, :pcdm), set_method!(staged, name), 1e-2)
    end
end

@testset "an argument that is wrong for one body of many names it, with the status of one body" begin
    e = Ensemble(3)
    for (wrong, name, body) in ((() -> set_inertias!(e, [[1, 1, 1], [1, 1, -1], [1, 1, 1]]), "QI_ERR_INERTIA", 2),
        (() -> set_orientations!(e, [1 0 0 0; 1 0 0 0; 2 0 0 0]), "QI_ERR_ORIENTATION", 3),
        (() -> set_angular_velocities!(e, [NaN 0 0; 0 0 0; 0 0 0]'), "QI_ERR_NON_FINITE", 1))
        failure = try wrong() catch x; x end
        @test failure isa QuatintError && (failure.name, failure.body) == (name, body)
        @test startswith(failure.message, "body $body: `")
    end
end

@testset "steps are counted over the parts that they are taken in" begin
    e = Ensemble(2^20) # so many bodies that advance! works in parts of 8 steps
    set_angular_velocities!(e, (1, 0, 0))
    torques = zeros(3, 2^20)
    torques[1, 7] = 1e156 # the angular velocity overflows after 13 steps
    set_torque!(e, ConstantTorque(torques; frame = :body))
    failure = try advance!(e, 1e-3, 100) catch x; x end
    @test failure.body == 7
    taken = parse(Int, match(r"^after (\d+) steps: body 7: the motion", failure.message)[1])
    @test taken > 8 && time(e) ≈ 1e-3 * taken
    @test advance!(e, 1e-3, 0) === e
    @test_throws ArgumentError advance!(e, 1e-3, -1)
end

@testset "many ensembles that are no longer used do not exhaust the memory" begin
    used() = parse(Int, match(r"VmRSS:\s*(\d+)", read("/proc/self/status", String))[1]) / 1e6
    before = used()
    for _ in 1:40
        step!(Ensemble(500_000), 0.1)
    end
    @test used() - before < 1 # GB; all 40 ensembles together need 2.2 GB
end
