@testset "a rotor's momentum belongs to that of the body, and turns with it" begin
    body = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3))
    @test rotor_momentum(body) == [0, 0, 0]
    energy = kinetic_energy(body)
    @test set_rotor_momentum!(body, (0, 0, 5)) === body
    @test rotor_momentum(body) isa Vec3 && rotor_momentum(body) == [0, 0, 5]
    @test angular_momentum(body) ≈ [0.1, 0.4, 5.9] && kinetic_energy(body) == energy
    before = angular_momentum(body)
    solve!(body, 10; tolerance = 1e-12)
    @test angular_momentum(body) ≈ before atol = 1e-9
    @test kinetic_energy(body) ≈ energy atol = 1e-9
    @test rotor_momentum(body) == [0, 0, 5]
    @test occursin("rotor momentum    (0.0, 0.0, 5.0), body", repr("text/plain", body))
    @test set_rotor_momentum!(body, nothing) === body
    @test rotor_momentum(body) == [0, 0, 0] && !occursin("rotor", repr("text/plain", body))
end

@testset "a symmetric body with a rotor on its axis precesses at the rate of Euler's equation" begin
    # I₁ = I₂: ω₁ + i ω₂ turns in the body at Ω = ((I₃ - I₁) ω₃ + h) / I₁
    body = set_rotor_momentum!(Body([2, 2, 3]; angular_velocity = (0.1, 0, 0.4)), (0, 0, 1.5))
    rate, time = (1 * 0.4 + 1.5) / 2, 3.0
    solve!(body, time; tolerance = 1e-12)
    @test angular_velocity_body(body) ≈ [0.1cos(rate * time), 0.1sin(rate * time), 0.4] atol = 1e-10
end

@testset "a rotor that is refused changes nothing" begin
    body = set_rotor_momentum!(Body([1, 2, 3]), (1, 2, 3))
    @test_throws DimensionMismatch set_rotor_momentum!(body, (1, 2))
    @test_throws QuatintError set_rotor_momentum!(body, (1, NaN, 2))
    @test rotor_momentum(body) == [1, 2, 3]
    close(body)
    @test_throws QuatintError set_rotor_momentum!(body, (1, 2, 3))
    @test_throws QuatintError set_rotor_momentum!(body, nothing)
    @test_throws QuatintError rotor_momentum(body)
end

@testset "motors keep the momentum of body and rotors, with the bits of C" begin
    motor, wheels = Quatint.Vec3(0.2, -0.1, 0.15), Quatint.Vec3(0.8, -0.5, 1.1)
    for method in (:splitting, :splitting_4, :splitting_6)
        driven() = set_rotor_momentum!(Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3), method = method), wheels)
        body, by_c = driven(), driven()
        @test rotor_torque(body) isa Vec3 && rotor_torque(body) == [0, 0, 0]
        before = angular_momentum(body)
        @test set_rotor_torque!(body, motor) === body && rotor_torque(body) == body.rotor_torque == motor
        @test occursin("rotor torque      (0.2, -0.1, 0.15), body", repr("text/plain", body))
        @test Quatint.qi_set_rotor_torque(Quatint.handle_of(by_c), collect(motor)) == 0
        advance!(body, 0.02, 100)
        advance!(by_c, 0.02, 100)
        @test state(body) == state(by_c)
        drift!(body, 1)
        @test rotor_momentum(body) ≈ wheels - 3motor atol = 1e-13
        @test angular_momentum(body) ≈ before atol = 1e-12
        @test set_rotor_torque!(body, nothing) === body && rotor_torque(body) == [0, 0, 0]
    end
    body = Body([1, 2, 3])
    body.rotor_torque = (1, 2, 3)
    @test_throws DimensionMismatch set_rotor_torque!(body, (1, 2))
    @test_throws QuatintError set_rotor_torque!(body, (1, NaN, 2))
    @test body.rotor_torque == [1, 2, 3] # of a body that had no rotors yet
    solve!(body, 1)
    @test rotor_momentum(body) ≈ [-1, -2, -3] && norm(angular_momentum(body)) < 1e-9
    close(body)
    @test_throws QuatintError set_rotor_torque!(body, (1, 2, 3))
    @test_throws QuatintError set_rotor_torque!(body, nothing)
    @test_throws QuatintError rotor_torque(body)
end

@testset "rotors of an ensemble are one for all or each, with the bits of a body" begin
    h = [sin(c + i) for c in 1:3, i in 1:20]
    bare() = set_angular_velocities!(set_inertias!(Ensemble(20; method = :splitting_4), [1, 2, 3]), (0.1, 0.2, 0.3))
    alone = [advance!(set_rotor_momentum!(Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3), method = :splitting_4), h[:, i]), 0.02, 10)
        for i in 1:20]
    for form in (h, permutedims(h), [h[:, i] for i in 1:20])
        e = bare()
        @test set_rotor_momentum!(e, form) === e
        advance!(e, 0.02, 10)
        @test all(orientations(e)[:, i] == collect(orientation(alone[i])) for i in 1:20)
        @test total_angular_momentum(e) ≈ sum(angular_momentum.(alone))
    end
    one, each, none = bare(), bare(), bare()
    advance!(set_rotor_momentum!(one, (1, 2, 3)), 0.02, 10)
    advance!(set_rotor_momentum!(each, repeat([1, 2, 3], 1, 20); layout = :columns), 0.02, 10)
    @test orientations(one) == orientations(each)
    @test row_size(one; parts = :torque) == 3 && occursin("rotors", repr("text/plain", one))
    @test set_rotor_momentum!(one, nothing) === one && row_size(one; parts = :torque) == 0
    @test_throws DimensionMismatch set_rotor_momentum!(none, zeros(3, 19))
    @test_throws QuatintError set_rotor_momentum!(none, fill(NaN, 3, 20))
    @test !occursin("rotors", repr("text/plain", none))
    failure = try bind!(each; angular_velocities = zeros(3, 20), kind = :angmom_world) catch e; e end
    @test failure isa QuatintError && occursin("rotor", failure.message)
    bind!(none; angular_velocities = zeros(3, 20), kind = :angmom_world)
    @test_throws QuatintError set_rotor_momentum!(none, (1, 2, 3))
    close(none)
    @test_throws QuatintError set_rotor_momentum!(none, nothing)
end

@testset "a controller that sets the motors between steps allocates nothing" begin
    body = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3))
    control(body) = for i in 1:1000
        step!(set_rotor_torque!(set_rotor_momentum!(body, 0.5 * rotor_momentum(body)), -0.1 * rotor_momentum(body)), 1e-3)
    end
    control(body)
    @test (@allocated control(body)) == 0
end
