@testset "the torque functions are the ready-made torques" begin
    q0, ω0, I = orientation((1, 2, -1), 0.7), (0.5, -0.3, 0.8), [2 0.1 0; 0.1 3 0; 0 0 4]
    gradient = [0 1 0; 0.2 0 0; 0 0 0]
    resistances = shear_flow_resistances((2, 1, 1), 0.7)
    @test resistances isa NTuple{6, Float64}
    for (ready, own) in (
        (ConstantTorque((0.1, 0.2, 0.3); frame = :body), (t, q, ω) -> body_torque(q, (0.1, 0.2, 0.3))),
        (UniformFieldTorque((0, 0, 1), (0.5, 0, -2)), (t, q, ω) -> uniform_field_torque(q, (0, 0, 1), [0.5, 0, -2])),
        (GravityGradientTorque((0, 0.6, 0.8), 0.3), (t, q, ω) -> gravity_gradient_torque(q, I, (0, 0.6, 0.8), 0.3)),
        (LinearDragTorque((1, 2, 3)), (t, q, ω) -> linear_drag_torque(q, ω, (1, 2, 3))),
        (ShearFlowTorque((2, 1, 1), 0.7, gradient), (t, q, ω) -> shear_flow_torque(q, ω, resistances, gradient)))
        bodies = map((ready, own)) do torque
            solve!(set_torque!(Body(I; orientation = q0, angular_velocity = ω0), torque), 1; tolerance = 1e-10)
        end
        @test collect(orientation(bodies[1])) ≈ collect(orientation(bodies[2])) atol = 1e-9
        @test angular_velocity(bodies[1]) ≈ angular_velocity(bodies[2]) atol = 1e-9
    end
end

@testset "the torque functions add up, take every form of an argument, and allocate nothing" begin
    q, ω = orientation((1, 2, -1), 0.7), Vec3(0.5, -0.3, 0.8)
    @test body_torque(q, (1, 2, 3)) ≈ rotate(q, [1, 2, 3]) atol = 1e-15
    @test uniform_field_torque(collect(q), [0, 0, 1], (1, 0, 0)) ≈ cross(rotate(q, [0, 0, 1]), [1, 0, 0]) atol = 1e-15
    @test linear_drag_torque(q, ω, (1, 1, 1); flow = (0.5, 0, 0)) ≈ [0, 0.3, -0.8] atol = 1e-15
    n = [0.36, 0.48, 0.8]
    @test gravity_gradient_torque((1, 0, 0, 0), (1, 2, 3), n, 2) ≈ 6 * cross(n, [1, 2, 3] .* n) atol = 1e-14
    unturned = (1, 0, 0, 0)
    @test gravity_gradient_torque(unturned, Diagonal([1, 2, 3]), n, 2) == gravity_gradient_torque(unturned, (1, 2, 3), n, 2)

    gradient, resistances = [0.0 1 0; 0 0 0; 0 0 0], shear_flow_resistances((2, 1, 1), 1.0)
    @test norm(shear_flow_torque((1, 0, 0, 0), (0, 0, 0), resistances, gradient)) > 0
    total(q, ω, gradient, resistances) = body_torque(q, (1, 2, 3)) + uniform_field_torque(q, (0, 0, 1), (1, 0, 0)) +
        gravity_gradient_torque(q, (1, 2, 3), (0, 0, 1), 2) + linear_drag_torque(q, ω, (1, 1, 1); flow = (1, 0, 0)) +
        shear_flow_torque(q, ω, resistances, gradient)
    @test total(q, ω, gradient, resistances) isa Vec3
    function sum_of(many, q, ω, gradient, resistances)
        sum = Vec3(0, 0, 0)
        for _ in 1:many
            sum += total(q, ω, gradient, resistances)
        end
        sum
    end
    sum_of(1, q, ω, gradient, resistances)
    @test (@allocated sum_of(100, q, ω, gradient, resistances)) == (@allocated sum_of(1, q, ω, gradient, resistances))
end

@testset "torque functions refuse wrong sizes and numbers" begin
    q, ω = (1, 0, 0, 0), (0, 0, 0)
    @test_throws DimensionMismatch body_torque(q, (1, 2))
    @test_throws DimensionMismatch body_torque((1, 0, 0), (1, 2, 3))
    @test_throws DimensionMismatch uniform_field_torque(q, (1, 2), (1, 2, 3))
    @test_throws DimensionMismatch gravity_gradient_torque(q, [1 0; 0 1], (0, 0, 1), 1)
    @test_throws DimensionMismatch linear_drag_torque(q, ω, (1, 2, 3); flow = (1, 2))
    @test_throws DimensionMismatch shear_flow_torque(q, ω, (1, 2, 3), zeros(3, 3))
    @test_throws DimensionMismatch shear_flow_resistances((1, 2), 1)
    @test_throws QuatintError shear_flow_resistances((1, -2, 1), 1)
    @test_throws QuatintError body_torque(q, (1, NaN, 2))
    @test_throws QuatintError body_torque((2, 0, 0, 0), (1, 2, 3))
    @test_throws QuatintError gravity_gradient_torque(q, (1, 2, 3), (0, 0, 0), 1)
end
