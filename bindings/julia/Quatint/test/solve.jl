weight(time, q, ω) = (arm = rotate(q, Vec3(0, 0, 1)); Vec3(-arm[2], arm[1], 0)) # arm × (0, 0, -1)

"A top whose axis leans by 1 rad, spinning about it; its torque is a Julia function."
leaning_top(torque = weight) = (q = orientation((1, 0, 0), 1.0);
    set_torque!(Body([1, 1, 0.5]; orientation = q, angular_velocity = rotate(q, (0, 0, 8))), torque))

lean(q) = rotate(q, Vec3(0, 0, 1))[3]
const NUTATION = 1.670852791361963 # the period, from an elliptic integral

@testset "a top comes back to its lean after a period of its nutation, as exactly as the tolerance asks" begin
    for (tolerance, error) in ((1e-4, 1e-3), (1e-8, 1e-7), (1e-12, 1e-11))
        top = leaning_top()
        @test solve!(top, NUTATION; tolerance = tolerance) === top
        @test time(top) == NUTATION
        @test lean(orientation(top)) ≈ cos(1) atol = error
        cost = solve_statistics(top)
        @test cost.evaluations > 12 * cost.accepted > 0 && cost.rejected >= 0
        solve!(top, 0; tolerance = tolerance)
        @test collect(orientation(top)) ≈ [cos(0.5), sin(0.5), 0, 0] atol = error
    end
    @test solve_statistics(leaning_top()) == (evaluations = 0, accepted = 0, rejected = 0)
    asked = 0
    top = leaning_top((time, q, ω) -> (asked += 1; weight(time, q, ω)))
    @test solve_statistics(solve!(top, 1; tolerance = 1e-6)).evaluations == asked
end

@testset "the tolerance and not the method decides; a ready-made torque and a drag are solved too" begin
    fourth = set_method!(leaning_top(), :cf4)
    @test state(solve!(fourth, 1; tolerance = 1e-9)) == state(solve!(leaning_top(), 1; tolerance = 1e-9))
    ready = solve!(leaning_top(UniformFieldTorque((0, 0, 1), (0, 0, -1))), 1; tolerance = 1e-9)
    @test collect(orientation(ready)) ≈ collect(orientation(solve!(leaning_top(), 1; tolerance = 1e-9))) atol = 1e-12
    body = set_drag!(Body([1, 1, 1]; angular_velocity = (1, 0, 0)), (0.5, 0.5, 0.5))
    @test angular_velocity(solve!(body, 2; tolerance = 1e-10)) ≈ [exp(-1), 0, 0] atol = 1e-9
    free = solve!(Body([1, 2, 3]; angular_velocity = [1, 1, 1]), 10; tolerance = 0.1)
    @test collect(orientation(free)) ≈ [0.46254544055464282, -0.31433514514460452, 0.04942963127929984, 0.82752754848441368] atol = 1e-13
    @test solve_statistics(free) == (evaluations = 0, accepted = 1, rejected = 0)
end

@testset "a record has the states at the times, and ends with the bits of solve!" begin
    times = [0, 0.1, 0.1, 0.75, 2]
    top = leaning_top()
    rows = record(top, times; tolerance = 1e-10)
    @test rows.time == times && size(rows.orientation) == (4, 5) && size(rows.angular_velocity) == (3, 5)
    @test rows.orientation[:, 2] == rows.orientation[:, 3]
    @test state(top) == state(solve!(leaning_top(), 2; tolerance = 1e-10))
    @test rows.orientation[:, 5] == collect(orientation(top))
    for (i, time) in enumerate(times)
        there = solve!(leaning_top(), time; tolerance = 1e-12)
        @test rows.orientation[:, i] ≈ collect(orientation(there)) atol = 1e-9
        @test rows.angular_velocity[:, i] ≈ angular_velocity(there) atol = 1e-8
    end
    back = record(top, (1.5, 1, 0); tolerance = 1e-10)
    @test back.time == [1.5, 1, 0]
    @test lean(back.orientation[:, 3]) ≈ cos(1) atol = 1e-8
    @test record(top, range(0, 1; length = 11); tolerance = 1e-6).time[11] == 1
    before = state(top)
    @test size(record(top, []; tolerance = 1e-6).orientation) == (4, 0)
    @test state(top) == before
end

@testset "an event stops the body, the next call finds the next event, and without one it comes to the end" begin
    # the lean is extreme where the axis does not rise: at the start, and at every half period
    rising(time, q, ω) = cross(ω, rotate(q, Vec3(0, 0, 1)))[3]
    top = leaning_top()
    for half in 1:4
        @test solve_until!(rising, top, 100; tolerance = 1e-12)
        @test time(top) ≈ half * NUTATION / 2 atol = 1e-10
        @test abs(rising(time(top), orientation(top), angular_velocity(top))) < 1e-11
    end
    for (direction, first) in ((:rising, 0.5), (:falling, 1), (:any, 0.5))
        top = leaning_top()
        @test solve_until!(rising, top, 100; tolerance = 1e-12, direction = direction)
        @test time(top) ≈ first * NUTATION atol = 1e-10
    end
    top = leaning_top()
    never = solve_until!(top, 2; tolerance = 1e-9) do time, q, ω
        1
    end
    @test never === false && time(top) == 2
    @test solve_until!(rising, top, 0; tolerance = 1e-12) # backwards
    @test time(top) ≈ NUTATION atol = 1e-10
    spinner = Body([1, 1, 1]; angular_velocity = (0, 0, 2)) # free
    @test solve_until!((time, q, ω) -> rotate(q, (1, 0, 0))[1], spinner, 9; tolerance = 0.1)
    @test time(spinner) ≈ pi / 4 atol = 1e-14
end

@testset "what torque and event throw comes out with the body at its last accepted step" begin
    guilty(time, q, ω) = time > 0.7 ? throw(Stopped("too late")) : weight(time, q, ω)
    for run in (b -> solve!(b, 5; tolerance = 1e-9), b -> record(b, [1, 5]; tolerance = 1e-9),
        b -> solve_until!((time, q, ω) -> 1.0, b, 5; tolerance = 1e-9))
        top = leaning_top(guilty)
        failure = try run(top) catch e; e end
        @test failure == Stopped("too late")
        @test 0 < time(top) <= 0.7 && solve_statistics(top).accepted > 0
        there = solve!(leaning_top(), time(top); tolerance = 1e-12)
        @test collect(orientation(top)) ≈ collect(orientation(there)) atol = 1e-8
    end

    late(time, q, ω) = time > 0.7 ? throw(Stopped("event")) : 1.0
    for torque in (weight, UniformFieldTorque((0, 0, 1), (0, 0, -1)))
        top = leaning_top(torque)
        try
            solve_until!(late, top, 5; tolerance = 1e-9)
            @test false
        catch exception
            @test exception == Stopped("event")
            causes = sprint(showerror, Base.catch_stack()[1][1])
            @test occursin("thrown by the event function", causes) && occursin("late", causes) && occursin("solve.jl", causes)
        end
        @test 0 < time(top) <= 0.7
        solve!(top, 1; tolerance = 1e-9)
        @test time(top) == 1
    end

    top = leaning_top()
    before = state(top)
    for (event, exception) in (((t, q, ω) -> nothing, ArgumentError), ((t, q, ω) -> "a", ArgumentError), (() -> 1, MethodError),
        ((t, q, ω) -> NaN, QuatintError), ((t, q, ω) -> step!(top, 0.1), QuatintError))
        @test_throws exception solve_until!(event, top, 1; tolerance = 1e-6)
        @test state(top) == before
    end
end

@testset "a singular torque ends the solution where it is, and says so" begin
    body = set_torque!(Body([1, 1, 1]), (time, q, ω) -> (abs(1 - time)^-1.5, 0, 0))
    failure = try solve!(body, 2; tolerance = 1e-9) catch e; e end
    @test failure isa QuatintError && failure.name == "QI_ERR_STEP" && failure.body === nothing
    @test time(body) ≈ 1 atol = 1e-3
    body = set_torque!(Body([1, 1, 1]), (time, q, ω) -> (time > 0.5 ? NaN : 1, 0, 0))
    failure = try solve!(body, 2; tolerance = 1e-9) catch e; e end
    @test failure isa QuatintError && failure.name == "QI_ERR_NON_FINITE" && time(body) <= 0.5
end

@testset "a solution that is refused changes nothing" begin
    top = leaning_top()
    before = state(top)
    message(f) = try f(); "" catch e; sprint(showerror, e) end
    always(time, q, ω) = 1.0
    for tolerance in (NaN, Inf, -1e-6, 0, 0.2, 1e-16)
        @test occursin("`tolerance`", message(() -> solve!(top, 1; tolerance = tolerance)))
        @test occursin("`tolerance`", message(() -> record(top, [1]; tolerance = tolerance)))
        @test occursin("`tolerance`", message(() -> solve_until!(always, top, 1; tolerance = tolerance)))
    end
    @test occursin("`end_time`", message(() -> solve!(top, NaN; tolerance = 1e-6)))
    @test occursin("`end_time`", message(() -> solve_until!(always, top, Inf; tolerance = 1e-6)))
    for times in ([1, 0.5, 2], [1, 0.5], [-1, 1], [0.5, NaN, 1], [Inf])
        @test occursin("`times", message(() -> record(top, times; tolerance = 1e-6)))
    end
    @test_throws ArgumentError record(top, ["a", "b"]; tolerance = 1e-6)
    @test_throws ArgumentError solve_until!(always, top, 1; tolerance = 1e-6, direction = :down)
    @test_throws MethodError solve!(top, 1; tolerance = "small")
    @test_throws MethodError solve!(top)
    busy = set_torque!(Body([1, 2, 3]), (t, q, ω) -> (solve!(busy, 1; tolerance = 1e-6); (0, 0, 0)))
    failure = try solve!(busy, 1; tolerance = 1e-6) catch e; e end
    @test failure isa QuatintError && failure.name == "QI_ERR_BUSY"
    @test state(top) == before
    close(top)
    for use in (() -> solve!(top, 1; tolerance = 1e-6), () -> record(top, [1]; tolerance = 1e-6), () -> solve_statistics(top),
        () -> solve_until!(always, top, 1; tolerance = 1e-6))
        @test_throws QuatintError use()
    end
end

@testset "integrate with a tolerance goes over the same time, in the caller's types and units" begin
    # torque_on, inertia, Quat, Static3 and the units are those of drop_in.jl
    q0, ω0 = [0.5, 0.5, -0.5, 0.5], [1.0, -2, 0.5]
    fine = integrate(q0, ω0, inertia, 1e-4, torque_on, 10_000)
    q, ω = integrate(q0, ω0, inertia, 1.0, torque_on; tolerance = 1e-10)
    @test q isa Vector{Float64} && ω isa Vector{Float64}
    @test q ≈ fine[1] atol = 1e-7
    @test ω ≈ fine[2] atol = 1e-7
    in_parts = integrate(q0, ω0, inertia, 0.125, torque_on, 8; tolerance = 1e-10)
    @test in_parts == (q, ω)
    @test integrate(q0, ω0, inertia, 1.0, torque_on; tolerance = nothing) == integrate(q0, ω0, inertia, 1.0, torque_on)

    on(q::Quat) = Static3(Tuple(torque_on([q.s, q.v1, q.v2, q.v3])))
    Q, Ω = integrate(Quat(0.5, 0.5, -0.5, 0.5), Static3((1.0, -2.0, 0.5)), inertia, 1.0, on; tolerance = 1e-10)
    @test Q isa Quat{Float64} && Ω isa Static3{Float64}
    @test [Q.s, Q.v1, Q.v2, Q.v3] == q && collect(Ω) == ω
    kg_mm2, per_ms, µs, N_mm = unit((1, 2, 0), 1e-6), unit((0, 0, -1), 1e3), unit((0, 0, 1), 1e-6), unit((1, 2, -2), 1e-3)
    q, ω = integrate([1.0, 0, 0, 0], [1e3, -2e3, 5e2], 1e-6 * inertia, 1e-5, q -> 1e-3 * torque_on(q), 10; tolerance = 1e-12)
    Q, Ω = integrate(Quat(1, 0, 0, 0), [x * per_ms for x in (1, -2, 0.5)], [x * kg_mm2 for x in inertia], 10 * µs,
        q -> [x * N_mm for x in torque_on([q.s, q.v1, q.v2, q.v3])], 10; tolerance = 1e-12)
    @test [Q.s, Q.v1, Q.v2, Q.v3] ≈ q rtol = 1e-11
    @test [x.value * x.scale for x in Ω] ≈ ω rtol = 1e-11

    @test_throws Stopped integrate(q0, ω0, inertia, 1.0, q -> throw(Stopped("here")); tolerance = 1e-6)
    @test_throws QuatintError integrate(q0, ω0, inertia, 1.0, torque_on; tolerance = NaN)
    @test_throws QuatintError integrate(q0, ω0, inertia, NaN, torque_on; tolerance = 1e-6)
    @test_throws DimensionMismatch integrate(q0, ω0, inertia, 1.0, q -> [1, 2]; tolerance = 1e-6)
end

@testset "a solution and its statistics allocate nothing; neither does a step after it" begin
    top = leaning_top()
    turn(top) = for i in 1:20
        solve!(top, i / 10; tolerance = 1e-8)
        solve_statistics(top).accepted > 0 || error("no step")
        step!(top, -1e-3)
    end
    turn(top)
    set_time!(top, 0)
    @test (@allocated turn(top)) == 0
    until(top, end_time) = solve_until!((time, q, ω) -> 1.0, top, end_time; tolerance = 1e-8)
    until(top, time(top) + 1)
    few, many = @allocated(until(top, time(top) + 1)), @allocated(until(top, time(top) + 50))
    @test many == few # what it allocates does not depend on the steps
end

@testset "a monitor sees each step and changes no bit, with a torque of Julia and a ready-made one" begin
    for torque in (weight, UniformFieldTorque((0, 0, 1), (0, 0, -1)))
        plain, monitored, recorded = leaning_top(torque), leaning_top(torque), leaning_top(torque)
        seen = []
        solve!(monitored, 3; monitor = (t, q, ω) -> push!(seen, (t, q, ω)))
        @test state(monitored) == state(solve!(plain, 3))
        @test solve_statistics(monitored) == solve_statistics(plain) && length(seen) == solve_statistics(plain).accepted > 10
        @test seen[end] == (3.0, orientation(plain), angular_velocity(plain))
        calls = Ref(0)
        rows = record(recorded, [1, 3]; monitor = (t, q, ω) -> calls[] += 1)
        @test calls[] == length(seen) && rows.orientation[:, 2] == collect(orientation(plain))
    end
end

@testset "an exception of a monitor comes out, and the body is where its step ended" begin
    for torque in (weight, UniformFieldTorque((0, 0, 1), (0, 0, -1)))
        top, last = leaning_top(torque), Ref(0.0)
        stops(t, q, ω) = (last[] = t; t > 1 && throw(KeyError(:enough)); nothing)
        @test_throws KeyError(:enough) solve!(top, 3; monitor = stops)
        @test 1 < time(top) == last[] < 3
        @test_throws KeyError(:enough) record(top, [2, 4]; monitor = stops)
        @test time(top) == last[]
        @test time(solve!(top, 5)) == 5
    end
end
