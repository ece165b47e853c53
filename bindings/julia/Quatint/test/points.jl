"The body of each point of `clumps`: 0 to 3 points on a body."
const body_of_point = [i for i in 1:300 for _ in 1:(7i % 11) % 4]
const points = length(body_of_point)
generic(a, n) = [sin(a * c + 0.37i + 0.11c * i) for c in 1:3, i in 1:n]
const arms, on_points = generic(1.3, points), generic(2.1, points)
const centres, centre_velocities = generic(0.7, 300), generic(1.9, 300)

"Bodies in any state, with points."
function clumps()
    e = set_angular_velocities!(tops(), generic(0.4, 300))
    set_orientations!(e, [(q = [cos(0.3i), sin(i), cos(2i), sin(3i)]; q / norm(q)) for i in 1:300])
    set_points!(e, body_of_point, arms)
end

"Positions, velocities, forces and torques by the formulas."
function by_formulas(e)
    R = [rotation_matrix(orientations(e)[:, i]) for i in 1:300]
    ω, F, τ = angular_velocities(e), zeros(3, 300), zeros(3, 300)
    x, v = zeros(3, points), zeros(3, points)
    for (p, i) in enumerate(body_of_point)
        arm = R[i] * arms[:, p]
        x[:, p], v[:, p] = centres[:, i] + arm, centre_velocities[:, i] + cross(ω[:, i], arm)
        F[:, i] += on_points[:, p]
        τ[:, i] += cross(arm, on_points[:, p])
    end
    x, v, F, τ
end

@testset "points move and act as the formulas say, with the same bits on any number of threads" begin
    e = clumps()
    @test point_count(e) == points > 300 && any(i -> !(i in body_of_point), 1:300)
    results(e) = (point_positions(e; centres = centres), point_velocities(e; centre_velocities = centre_velocities),
        sum_point_forces(e, on_points)...)
    for (found, expected) in zip(results(e), by_formulas(e))
        @test size(found) == size(expected) && maximum(abs.(found - expected)) < 1e-13
    end
    @test results(set_threads!(clumps(), 2)) == results(e)
    @test point_positions(e) ≈ point_positions(e; centres = centres) - centres[:, body_of_point]
    @test point_velocities(e) ≈ point_velocities(e; centre_velocities = centre_velocities) - centre_velocities[:, body_of_point]
    F, τ = sum_point_forces(e, on_points)
    @test sum_point_forces(e, on_points).torques == τ && F != τ
end

@testset "arms, centres, forces and results may be arrays of every form" begin
    e = clumps()
    x = point_positions(e; centres = centres)
    v = point_velocities(e; centre_velocities = centre_velocities)
    F, τ = sum_point_forces(e, on_points)
    tuples(a) = [Tuple(a[:, i]) for i in 1:size(a, 2)]
    particles(a) = [Particle(1.0, (1.0, 0.0, 0.0, 0.0), Tuple(a[:, i]), i) for i in 1:size(a, 2)] => :ω
    wide(a) = view(zeros(7, 2 * size(a, 2)), 2:2:6, 2 * size(a, 2):-2:2)
    back(a::AbstractMatrix) = size(a, 1) == 3 ? collect(a) : permutedims(a)
    back(a::AbstractVector) = reduce(hcat, collect.(a))
    back(a::Pair) = reduce(hcat, [collect(p.ω) for p in a.first])
    for form in (identity, permutedims, tuples, particles, a -> (w = wide(a); w .= a; w), a -> Vec3.(tuples(a)))
        set_points!(e, form === tuples ? (i for i in body_of_point) : body_of_point, form(arms))
        to_points, to_bodies = form(zeros(3, points)), (form(zeros(3, 300)), form(zeros(3, 300)))
        @test point_positions!(to_points, e; centres = form(centres)) === to_points && back(to_points) == x
        @test point_velocities!(to_points, e; centre_velocities = form(centre_velocities)) === to_points && back(to_points) == v
        @test sum_point_forces!(to_bodies..., e, form(on_points)) === (forces = to_bodies[1], torques = to_bodies[2])
        @test back.(to_bodies) == (F, τ)
    end
    only_torques = zeros(3, 300)
    @test sum_point_forces!(nothing, only_torques, e, on_points).forces === nothing && only_torques == τ
    three = set_points!(Ensemble(3), :, Matrix(arms[:, 1:3]'); layout = :rows)
    @test point_positions(three) == arms[:, 1:3]
    @test point_positions(three; centres = Matrix(centres[:, 1:3]'), layout = :rows) == arms[:, 1:3] + centres[:, 1:3]
    @test sum_point_forces(three, (1, 2, 3)).forces == repeat([1, 2, 3], 1, 3)
end

@testset "the torques of points are what a kick takes, and their velocities may be predicted ones" begin
    e, alike = clumps(), clumps()
    kick!(e, 0.1, sum_point_forces(e, on_points).torques)
    kick!(alike, 0.1, by_formulas(alike)[4])
    @test angular_momenta(e) ≈ angular_momenta(alike) atol = 1e-13
    ω = zeros(3, 300)
    @test_throws QuatintError point_velocities(e; predicted = true)
    bind_predicted_velocities!(e, ω, 0.05)
    kick_drift!(e, 0.05, 0.1, (1, 2, 3))
    turning = reduce(hcat, [cross(ω[:, i], x) for (i, x) in zip(body_of_point, eachcol(point_positions(e)))])
    @test point_velocities(e; predicted = true) ≈ turning atol = 1e-13
end

@testset "points are replaced and dropped, and wrong ones are refused" begin
    e = Ensemble(3)
    for use in (point_count, point_positions, point_velocities, e -> sum_point_forces(e, zeros(3, 2)))
        failure = try use(e) catch x; x end
        @test failure isa QuatintError && failure.name == "QI_ERR_ORDER"
    end
    @test set_points!(e, [1, 3, 3], (1, 2, 3)) === e && point_positions(e) == repeat([1, 2, 3], 1, 3)
    set_points!(e, [2, 3], [1 4; 2 5; 3 6])
    for wrong in ([2, 1], [1, 4], [0, 1])
        @test_throws Union{QuatintError, BoundsError} set_points!(e, wrong, zeros(3, 2))
    end
    failure = try set_points!(e, [1, 3], [0 0; 0 NaN; 0 0]) catch x; x end
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_NON_FINITE", 3)
    for wrong in (() -> set_points!(e, [1, 2], zeros(3, 3)), () -> point_positions!(zeros(3, 3), e),
        () -> point_positions(e; centres = zeros(3, 2)), () -> sum_point_forces(e, zeros(3, 3)))
        @test_throws DimensionMismatch wrong()
    end
    message = try point_positions!(zeros(3, 3), e) catch x; x.msg end
    @test occursin("there are 2 points", message)
    @test_throws ArgumentError point_positions!(zeros(Float32, 3, 2), e)
    shared = zeros(3, 3)
    @test_throws QuatintError sum_point_forces!(shared, shared, e, zeros(3, 2))
    bind!(e; angular_velocities = shared)
    @test_throws QuatintError sum_point_forces!(shared, nothing, e, zeros(3, 2))
    @test point_positions(e) == [1 4; 2 5; 3 6]
    @test point_count(set_points!(e, Int[], zeros(3, 0))) == 0 && point_positions(e) == zeros(3, 0)
    for change in (e -> resize!(e, 4), e -> select_bodies!(e, [2, 1, 3]))
        set_points!(e, [2, 3], [1 4; 2 5; 3 6])
        change(e)
        @test_throws QuatintError point_positions(e)
    end
    close(e)
    @test_throws QuatintError point_count(e)
end
