"Torques of 300 bodies that differ from body to body and from step to step."
torques_at(step) = [sin(0.3 * (3i + c) + step) for c in 1:3, i in 1:300]

@testset "a torque of a kick has any form of three numbers" begin
    bodies = [Body([1, 2, 3]; angular_velocity = (1, 1, 1)) for _ in 1:4]
    for (body, torque) in zip(bodies, ((2, 0, 1), [2, 0, 1], [2.0, 0, 1], Vec3(2, 0, 1)))
        @test drift!(kick!(kick!(body, 0.5, torque), 0.5, nothing), 1) === body
    end
    @test all(state(body) == state(bodies[1]) for body in bodies)
end

@testset "every body of an ensemble has the bits of the body alone, kicked and drifting, in arrays of every form" begin
    wide = zeros(10, 700)
    columns(τ) = (view(wide, 3:2:7, 700:-2:102) .= τ; view(wide, 3:2:7, 700:-2:102))
    forms = (identity, permutedims, columns, τ -> adjoint(collect(τ')), τ -> [Tuple(τ[:, i]) for i in 1:300],
        τ -> [τ[:, i] for i in 1:300], τ -> [Vec3(τ[:, i]) for i in 1:300],
        τ -> [Particle(1.0, (1.0, 0.0, 0.0, 0.0), Tuple(τ[:, i]), i) for i in 1:300] => :ω)
    for frame in (:world, :body)
        alone = [Body(inertia_of(i); orientation = tilts[i], angular_velocity = (0.1, 0.2, 3)) for i in 1:300]
        e, f = set_threads!(tops(), 2), tops()
        for (step, form) in enumerate(forms)
            τ = torques_at(step)
            for (i, body) in enumerate(alone)
                drift!(kick!(body, 0.05, τ[:, i]; frame = frame), 0.1)
            end
            @test kick_drift!(e, 0.05, 0.1, form(τ); frame = frame) === e
            drift!(kick!(f, 0.05, form(τ); frame = frame), 0.1)
        end
        @test orientations(e) == orientations(f) == reduce(hcat, [collect(orientation(b)) for b in alone])
        @test angular_velocities(e) == angular_velocities(f) && time(e) == time(f) == time(alone[1])
    end
    one, each = tops(), tops()
    kick!(one, 0.1, (1, 2, 3))
    kick!(each, 0.1, repeat([1.0, 2, 3], 1, 300))
    @test state(one) == state(each)
    kick!(one, 0.1, nothing)
    @test state(one) == state(each)
    @test state(kick_drift!(one, 0.1, 0.2, nothing)) == state(drift!(each, 0.2))
    numbers = tops()
    kick!(numbers, 0.1, repeat([1, 2, 3], 1, 300)) # of integers
    kick!(numbers, 0.1, zeros(Float32, 300, 3))
    @test state(drift!(numbers, 0.2)) == state(each)
end

@testset "momenta bound in the world frame are only added to" begin
    e = tops()
    L, q, τ = angular_momenta(e), orientations(e), torques_at(0)
    bind!(e; orientations = q, angular_velocities = L, kind = :angmom_world)
    before = copy(L)
    drift!(e, 0.7)
    @test L == before
    kick!(e, 0.25, τ)
    @test L == before + 0.25 * τ
    kick_drift!(e, 0.5, 0.1, τ')
    @test L == (before + 0.25 * τ) + 0.5 * τ
end

@testset "only active bodies are kicked and drift" begin
    e = set_active!(tops(), [2, 5, 300])
    before, τ = orientations(e), torques_at(0)
    kick_drift!(e, 0.1, 0.2, τ)
    @test [i for i in 1:300 if orientations(e)[:, i] != before[:, i]] == [2, 5, 300]
    alone = Body(inertia_of(5); orientation = tilts[5], angular_velocity = (0.1, 0.2, 3))
    @test orientations(e)[:, 5] == collect(orientation(drift!(kick!(alone, 0.1, τ[:, 5]), 0.2)))
end

"The orientation of a driven, damped body at time 2, by kicks and drifts."
function driven(steps, is_predicted)
    h, ω = 2 / steps, zeros(3, 1)
    e = set_inertias!(Ensemble(1), [1, 2, 3])
    set_angular_velocities!(e, (0.4, -0.3, 1))
    bind_predicted_velocities!(e, ω, h / 2)
    torque(ω) = [cos(time(e)), 0.2, sin(time(e))] - 0.6 * ω[:, 1]
    τ = torque(angular_velocities(e))
    for _ in 1:steps
        kick_drift!(e, h / 2, h, τ)
        τ = torque(is_predicted ? ω : angular_velocities(e))
        kick!(e, h / 2, τ)
    end
    orientations(e)[:, 1]
end

@testset "predicted velocities keep order 2 under torques of the angular velocity; without them it is 1" begin
    exact = driven(2^13, true)
    for (is_predicted, ratio) in ((true, 4), (false, 2))
        @test norm(driven(100, is_predicted) - exact) / norm(driven(200, is_predicted) - exact) ≈ ratio rtol = 0.05
    end
end

@testset "predicted velocities go to arrays of every form, until they are no longer wanted" begin
    expected = zeros(3, 300)
    kick_drift!(bind_predicted_velocities!(tops(), expected, 0.05), 0.05, 0.1, torques_at(0))
    @test expected != zeros(3, 300)
    particles = [Particle(1.0, (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), i) for i in 1:300]
    wide = zeros(10, 600)
    for (array, back) in ((zeros(300, 3), permutedims), (view(wide, 2:3:8, 600:-2:2), copy),
        (fill((0.0, 0.0, 0.0), 300), ω -> reduce(hcat, collect.(ω))),
        (particles => :ω, p -> reduce(hcat, [collect(x.ω) for x in p.first])))
        e = tops()
        @test bind_predicted_velocities!(e, array, 0.05) === e
        @test occursin("predicted velocities", repr("text/plain", e))
        kick_drift!(e, 0.05, 0.1, torques_at(0))
        @test back(array) == expected
        @test bind_predicted_velocities!(e, nothing) === e
        @test !occursin("predicted velocities", repr("text/plain", e))
        kick_drift!(e, 0.05, 0.1, torques_at(1))
        @test back(array) == expected
    end
    @test particles[7].mass == 1 && particles[7].id == 7

    e = bind_predicted_velocities!(Ensemble(100_000), ones(3, 100_000), 0.05) # the ensemble keeps it alive
    GC.gc()
    junk = [rand(3, 100_000) for _ in 1:5]
    kept = copy(junk[5])
    kick_drift!(e, 0.05, 0.1, (1, 0, 0))
    @test junk[5] == kept && length(unique(e.bound[3])) == 2
end

@testset "a kick or drift that fails says why and changes nothing" begin
    body = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    before = state(body)
    @test_throws DimensionMismatch kick!(body, 0.1, [1, 2])
    @test_throws ArgumentError kick!(body, 0.1, (1, 0, 0); frame = :moon)
    @test_throws QuatintError kick!(body, NaN, (1, 0, 0))
    @test_throws QuatintError kick!(body, 0.1, (1, NaN, 0))
    @test_throws QuatintError drift!(body, Inf)
    @test state(body) == before

    e = tops()
    q = bind!(e; orientations = orientations(e)).bound[1]
    before, τ = state(e), torques_at(0)
    predicted = zeros(3, 300)
    bind_predicted_velocities!(e, predicted, 0.05)
    @test_throws DimensionMismatch kick!(e, 0.1, zeros(3, 299))
    @test_throws DimensionMismatch kick_drift!(e, 0.1, 0.1, zeros(4, 300))
    @test_throws DimensionMismatch kick!(e, 0.1, [(1, 2, 3)])
    @test_throws DimensionMismatch kick!(e, 0.1, fill((1, 2), 300))
    @test_throws ArgumentError kick!(e, 0.1, τ; frame = :moon)
    @test_throws ArgumentError kick_drift!(e, 0.1, 0.1, τ; frame = :moon)
    @test_throws QuatintError kick!(e, NaN, τ)
    @test_throws QuatintError kick_drift!(e, 0.1, NaN, τ)
    @test_throws QuatintError drift!(e, Inf)
    @test_throws QuatintError kick!(e, 0.1, view(q, 1:3, :))
    τ[2, 200] = NaN
    for wrong in (() -> kick!(e, 0.1, τ), () -> kick_drift!(e, 0.1, 0.1, τ'))
        failure = try wrong() catch x; x end
        @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_NON_FINITE", 200)
        @test startswith(failure.message, "body 200: the torque is not finite")
    end
    @test_throws DimensionMismatch bind_predicted_velocities!(e, zeros(3, 299), 0.1)
    @test_throws ArgumentError bind_predicted_velocities!(e, zeros(Float32, 3, 300), 0.1)
    @test_throws QuatintError bind_predicted_velocities!(e, zeros(3, 300), NaN)
    @test_throws QuatintError bind_predicted_velocities!(e, view(q, 1:3, :), 0.1)
    @test e.bound[3] === predicted
    @test state(e) == before && predicted == zeros(3, 300)

    @test_throws QuatintError step!((torque, t, q, ω) -> kick!(e, 0.1, (1, 0, 0)), e, 0.1)
    @test_throws QuatintError step!((torque, t, q, ω) -> drift!(e, 0.1), e, 0.1)
    busy = set_torque!(Body([1, 2, 3]), (t, q, ω) -> (drift!(busy, 0.1); (0, 0, 0)))
    @test_throws QuatintError step!(busy, 0.1)
    close(body)
    close(e)
    for use in (() -> kick!(body, 0.1, (1, 0, 0)), () -> drift!(body, 0.1), () -> kick!(e, 0.1, (1, 0, 0)),
        () -> drift!(e, 0.1), () -> kick_drift!(e, 0.1, 0.1, nothing), () -> bind_predicted_velocities!(e, nothing))
        @test_throws QuatintError use()
    end
end

@testset "a kick and a drift of one body allocate nothing" begin
    body, τ = Body([1, 2, 3]), Vec3(1, 0, 0)
    turn(body, τ) = (for _ in 1:1000; drift!(kick!(body, 1e-3, τ), 1e-3) end)
    turn(body, τ)
    @test (@allocated turn(body, τ)) == 0
end
