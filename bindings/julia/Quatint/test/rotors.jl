@testset "a rotor's momentum is shown until it is removed" begin
    body = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3))
    @test rotor_momentum(body) == [0, 0, 0]
    @test set_rotor_momentum!(body, (0, 0, 5)) === body
    @test rotor_momentum(body) isa Vec3 && rotor_momentum(body) == [0, 0, 5]
    @test occursin("rotor momentum    (0.0, 0.0, 5.0), body", repr("text/plain", body))
    @test set_rotor_momentum!(body, nothing) === body
    @test rotor_momentum(body) == [0, 0, 0] && !occursin("rotor", repr("text/plain", body))
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

@testset "motors are shown until they are removed, and what is refused changes nothing" begin
    motor = Vec3(0.2, -0.1, 0.15)
    driven = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3))
    @test rotor_torque(driven) isa Vec3 && rotor_torque(driven) == [0, 0, 0]
    @test set_rotor_torque!(driven, motor) === driven && rotor_torque(driven) == driven.rotor_torque == motor
    @test occursin("rotor torque      (0.2, -0.1, 0.15), body", repr("text/plain", driven))
    @test set_rotor_torque!(driven, nothing) === driven && rotor_torque(driven) == [0, 0, 0]
    body = Body([1, 2, 3])
    body.rotor_torque = (1, 2, 3)
    @test_throws DimensionMismatch set_rotor_torque!(body, (1, 2))
    @test_throws QuatintError set_rotor_torque!(body, (1, NaN, 2))
    @test body.rotor_torque == [1, 2, 3] # of a body that had no rotors yet
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
    set_rotor_momentum!(one, (1, 2, 3))
    set_rotor_momentum!(each, repeat([1, 2, 3], 1, 20); layout = :columns)
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
