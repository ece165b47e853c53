# The moments 3, 5 and 7 about axes that are turned in the body, and 2 + 3 about axes in the plane beside z.
const turned_tensor = [5.72 0.768 -0.576; 0.768 5.0992 -1.5744; -0.576 -1.5744 4.1808]
const turned_plate = [2 0.3 0; 0.3 3 0; 0 0 4]
tilted(inertia) = Body(inertia; orientation = (0.5, -0.1, 0.7, 0.5), angular_velocity = (0.3, -0.7, 1.1))

@testset "an inertia that is refused leaves the one before" begin
    body = tilted(turned_tensor)
    @test set_inertia!(body, turned_plate; keep = :angular_momentum) === body
    set_inertia!(body, [5, 6, 7])

    before = state(body)
    @test_throws QuatintError set_inertia!(body, [1 0.1 0; 0 1 0; 0 0 1])
    @test_throws ArgumentError set_inertia!(body, [1, 2, 3]; keep = :momentum)
    @test_throws DimensionMismatch set_inertia!(body, [1, 2])
    @test state(body) == before
end

# The inertia of a body whose end was computed elsewhere.
swelling(t) = [1 + 0.1t, 2 + 0.05t, 3]
swelling_body(f = swelling; options...) =
    set_inertia_function!(Body(swelling(0); angular_velocity = (0.3, 1, 0.5), options...), f)
is_at_end(body) =
    isapprox(angular_velocity_body(body), [0.1248670609424564, -0.7487586384725389, 0.5551412234308847]; atol = 1e-10)

@testset "an inertia changes with the clock and then stays" begin
    for f in (swelling, t -> Matrix(Diagonal(swelling(t))))
        body = swelling_body(f)
        @test occursin("a function of the time", sprint(show, "text/plain", body))
        @test is_at_end(solve!(body, 10; tolerance = 1e-12))
        @test angular_momentum(body) ≈ [0.3, 2, 1.5] atol = 1e-10
        failure = try step!(body, 0.1) catch e; e end
        @test failure isa QuatintError && occursin("splitting of order 2", failure.message)
        @test_throws QuatintError angular_acceleration(body)
        @test set_inertia_function!(body, nothing) === body
        constant = set_time!(Body(swelling(10)), 10)
        set_state_body!(constant, orientation(body), angular_velocity_body(body))
        @test state(step!(body, 0.1)) == state(step!(constant, 0.1))
    end
    closed = Body([1, 2, 3])
    close(closed)
    @test_throws QuatintError set_inertia_function!(closed, swelling)
end

@testset "an inertia function that throws stops the body where it was" begin
    for torque in (nothing, (t, q, ω) -> -ω)
        last = Ref(1.0)
        moments = Ref([1.0, 2, 3])
        body = swelling_body(t -> t > last[] ? throw(Stopped("at $t")) : swelling(t); method = :splitting, torque = torque)
        @test_throws Stopped advance!(body, 0.3, 10)
        before = state(body)
        @test time(body) ≈ 0.9
        for call in (() -> step!(body, 0.3), () -> drift!(body, 0.3), () -> record(body, 0.3, 2), () -> set_time!(body, 2),
                () -> set_clock!(body, (2, 0)), () -> (body.time = 2))
            @test_throws Stopped call()
            @test state(body) == before
        end
        for solve in (() -> solve!(body, 5), () -> record(body, [2, 5]; tolerance = 1e-9),
                () -> solve_until!((t, q, ω) -> 1.0, body, 5))
            @test_throws Stopped solve()
            @test time(body) < 1
        end
        last[] = Inf
        step!(body, 0.3) # an exception is thrown once
    end
    body = swelling_body()
    @test_throws Stopped set_inertia_function!(body, t -> throw(Stopped("at once")))
    @test_throws DimensionMismatch set_inertia_function!(body, t -> [1, 2])
    failure = try set_inertia_function!(body, t -> [1, -2, 3]) catch e; e end
    @test failure isa QuatintError && occursin("the inertia function, at time 0", failure.message)
    busy = try set_inertia_function!(body, t -> (step!(body, 0.1); swelling(t))) catch e; e end
    @test busy isa QuatintError && busy.name == "QI_ERR_BUSY"
    @test is_at_end(solve!(body, 10; tolerance = 1e-12))
end

@testset "a body keeps its inertia function alive" begin
    made(k) = swelling_body(t -> k .* swelling(t) ./ k)
    bodies = [made(Float64(k)) for k in 1:100]
    GC.gc()
    @test all(is_at_end, solve!.(bodies, 10; tolerance = 1e-12))
    for end_it in (body -> set_inertia!(body, [1, 2, 3]), body -> lock_axes!(body, "xz"), body -> set_inertia_function!(body, nothing))
        @test end_it(made(2.0)).inertia_callback === nothing
    end
end

@testset "axes are letters, locks add up, and a new inertia unlocks" begin
    cases = (("x", 2:3, [2, 3, 3]), ("y", 1:2:3, [3, 2, 3]), (:z, 1:2, [3, 3, 4]), ("xz", 2:2, [2, 3, 4]),
        ("zy", 1:1, [2, 3, 4]), ("", 1:3, [2, 3, 4]))
    for (axes, free, moments) in cases
        body = tilted(moments)
        @test lock_axes!(body, axes) === body
        @test findall(!iszero, collect(angular_velocity_body(body))) == free
    end
    body = lock_axes!(lock_axes!(tilted([2, 3, 3]), "x"), :y)
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
    failure = try lock_axes!(tilted([2, 3, 4]), "y") catch x; x end
    @test failure isa QuatintError && failure.name == "QI_ERR_INVALID"
    @test occursin("`axes` must not lock one axis beside two different moments: lock two axes", sprint(showerror, failure))
    @test_throws QuatintError lock_axes!(body, "z")
    @test state(body) == before
end

@testset "each body of an ensemble may lock axes of its own" begin
    axes = ["x", "", :xy, "z", ""]
    inertias = [[Diagonal(Float64.(moments)) for moments in ([3, 4, 4], [4, 3, 4], [5, 3, 4], [6, 6, 4])]; [turned_tensor]]
    bodies = tilted.(inertias)
    e = set_inertias!(Ensemble(5), inertias)
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
    failure = try lock_axes!(e, ["", "z", "", "", ""]) catch x; x end
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_INVALID", 2)
    @test_throws DimensionMismatch lock_axes!(e, ["x", "y"])
    for wrong in (["", "", "", "", "a"], [1, 2, 3, 4, 5], "q")
        @test_throws ArgumentError lock_axes!(e, wrong)
    end
    @test state(e) == before
    @test all(iszero, angular_velocities(lock_axes!(set_inertias!(e, [1, 2, 3]), "xyz")))
    @test length(lock_axes!(Ensemble(0), String[])) == 0
end
