# The moments 3, 5 and 7 about axes that are turned in the body, and 2 + 3 about axes in the plane beside z.
const turned_tensor = [5.72 0.768 -0.576; 0.768 5.0992 -1.5744; -0.576 -1.5744 4.1808]
const turned_plate = [2 0.3 0; 0.3 3 0; 0 0 4]
tilted(inertia) = Body(inertia; orientation = (0.5, -0.1, 0.7, 0.5), angular_velocity = (0.3, -0.7, 1.1))
to_body(body, v) = collect(rotate(inv(orientation(body)), v))

@testset "another inertia keeps the angular velocity or the angular momentum" begin
    body = tilted(turned_tensor)
    L = angular_momentum(body)
    @test set_inertia!(body, turned_plate; keep = :angular_momentum) === body
    @test angular_momentum(body) ≈ L atol = 1e-14
    @test turned_plate * angular_velocity_body(body) ≈ to_body(body, L) atol = 1e-14
    ω = angular_velocity_body(body)
    set_inertia!(body, [5, 6, 7])
    @test angular_velocity_body(body) == ω
    @test to_body(body, angular_momentum(body)) ≈ [5, 6, 7] .* ω atol = 1e-14

    before = state(body)
    @test_throws QuatintError set_inertia!(body, [1 0.1 0; 0 1 0; 0 0 1])
    @test_throws ArgumentError set_inertia!(body, [1, 2, 3]; keep = :momentum)
    @test_throws DimensionMismatch set_inertia!(body, [1, 2])
    @test state(body) == before
end

@testset "a kick of a locked body acts by the inertia of the free axes" begin
    for (axes, free) in (("x", 2:3), ("y", 1:2:3), ("z", 1:2), ("xz", 2:2), ("zy", 1:1), ("", 1:3))
        inertia = Matrix(Diagonal([2.0, 3, 4]))
        if length(free) == 2
            inertia[free[1], free[2]] = inertia[free[2], free[1]] = 0.3
        end
        body = tilted(inertia)
        ω = collect(angular_velocity_body(body))
        locked = setdiff(1:3, free)
        @test lock_axes!(body, axes) === body
        @test angular_velocity_body(body)[free] ≈ ω[free] atol = 1e-15
        @test all(iszero, angular_velocity_body(body)[locked])
        torque = [0.3, 0.2, 5]
        kick!(body, 0.5, rotate(orientation(body), torque))
        @test angular_velocity_body(body)[free] ≈ ω[free] + inertia[free, free] \ (0.5 * torque[free]) atol = 1e-14
        @test all(iszero, angular_velocity_body(body)[locked])
    end
    body = lock_axes!(lock_axes!(tilted([2, 3, 4]), "x"), :y)
    advance!(set_torque!(body, (time, q, ω) -> (1, 2, 3)), 0.01, 50)
    @test all(iszero, angular_velocity_body(body)[1:2])
    set_inertia!(body, [2, 3, 4])
    step!(body, 0.01)
    @test !any(iszero, angular_velocity_body(body))
end

@testset "an axis that is not principal and wrong letters are refused" begin
    body = tilted(turned_plate)
    before = state(body)
    failure = try lock_axes!(body, "x") catch x; x end
    @test failure isa QuatintError && failure.name == "QI_ERR_INERTIA" && occursin("principal axis", sprint(showerror, failure))
    for wrong in ("w", "X", "x y", 1, :xw)
        @test_throws ArgumentError lock_axes!(body, wrong)
    end
    @test state(body) == before
end

@testset "each body of an ensemble may lock axes of its own" begin
    axes = ["x", "", :xy, "z", ""]
    bodies = [tilted(i == 5 ? turned_tensor : [2 + i, 3, 4]) for i in 1:5]
    e = set_inertias!(Ensemble(5), [i == 5 ? turned_tensor : Diagonal([2.0 + i, 3, 4]) for i in 1:5])
    set_angular_velocities!(set_orientations!(e, (0.5, -0.1, 0.7, 0.5)), (0.3, -0.7, 1.1))
    @test lock_axes!(e, axes) === e
    foreach(lock_axes!, bodies, axes)
    for object in (e, bodies...)
        advance!(set_torque!(object, UniformFieldTorque((0.3, 0.2, 1.1), (0.4, -0.3, -1.6))), 0.01, 20)
    end
    @test orientations(e) == reduce(hcat, collect.(orientation.(bodies)))
    @test angular_velocities(e) == reduce(hcat, collect.(angular_velocity.(bodies)))

    before = state(e)
    failure = try lock_axes!(e, ["", "", "", "", "y"]) catch x; x end
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_INERTIA", 5)
    @test_throws DimensionMismatch lock_axes!(e, ["x", "y"])
    for wrong in (["", "", "", "", "a"], [1, 2, 3, 4, 5], "q")
        @test_throws ArgumentError lock_axes!(e, wrong)
    end
    @test state(e) == before
    @test all(iszero, angular_velocities(lock_axes!(set_inertias!(e, [1, 2, 3]), "xyz")))
    @test length(lock_axes!(Ensemble(0), String[])) == 0
end
