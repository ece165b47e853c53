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

@testset "a controller that sets the rotor's momentum between steps allocates nothing" begin
    body = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3))
    control(body) = for i in 1:1000
        step!(set_rotor_momentum!(body, 0.5 * rotor_momentum(body)), 1e-3)
    end
    control(body)
    @test (@allocated control(body)) == 0
end
