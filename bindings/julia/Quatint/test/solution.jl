speed(t, q, ω) = ω[1]

"A body that swings about x from 2 rad, at rest, under its weight."
pendulum() = Body([1, 1, 1]; orientation = orientation((1, 0, 0), 2.0), torque = UniformFieldTorque((0, 0, -1), (0, 0, -1)))

"The period of a swing of 2 rad: 4 K(sin 1), by the arithmetic and geometric mean."
function period()
    a, b = 1.0, cos(1)
    while abs(a - b) > 1e-15
        a, b = (a + b) / 2, sqrt(a * b)
    end
    2pi / a
end

@testset "a solution is a function of time as exact as its steps, and leaves the body where it is" begin
    for (tolerance, error) in ((1e-3, 5e-5), (1e-6, 5e-8), (1e-9, 5e-11), (1e-12, 1e-13))
        body, times = pendulum(), range(0, 20; length = 501)
        sol, known = solve(body, 20; tolerance = tolerance), record(pendulum(), times; tolerance = tolerance)
        at = sol(times)
        @test at.time == times
        @test maximum(abs, at.orientation - known.orientation) < error
        @test maximum(abs, at.angular_velocity - known.angular_velocity) < error
        @test state(body) == state(pendulum()) && sol(20).orientation == sol.body.orientation
        @test state(sol.body) == state(solve!(pendulum(), 20; tolerance = tolerance))
        @test sol.statistics == solve_statistics(sol.body) && sol.stopped_by === nothing
    end
end

@testset "the samples of a solution go from its start to its end, by number and as matrices" begin
    sol = solve(pendulum(), 20)
    @test (sol.t[1], sol.t[end]) == (0, 20) && issorted(sol.t) && length(sol.t) > 16 * sol.statistics.accepted
    @test size(sol.q) == (4, length(sol.t)) && size(sol.ω) == (3, length(sol.t)) && length(sol.u) == length(sol.t)
    @test all(sol.u[i] == sol(sol.t[i]) && collect(sol.u[i].orientation) == sol.q[:, i] for i in (1, 7, length(sol.t)))
    @test size(sol([]).orientation) == (4, 0) && sol([3, 1]).orientation[:, 2] == collect(sol(1).orientation)
    for wrong in (20.1, -0.1, NaN)
        @test_throws ArgumentError sol(wrong)
    end
    back = solve(sol.body, 0)
    @test back.t[end] == 0
    @test collect(back(7.5).orientation) ≈ collect(sol(7.5).orientation) atol = 1e-7
    @test sprint(show, sol) == "Solution from t = 0.0 to 20.0"
    @test length(solve(pendulum(), 0).t) == 1
end

@testset "several events are found at once, change no bit, and are those of exact times" begin
    events = [speed, Event(speed; direction = :rising), Event(speed; direction = :falling), (t, q, ω) -> t - 40, (t, q, ω) -> t - 7.5]
    sol, without = solve(pendulum(), 30; tolerance = 1e-12, events = events), solve(pendulum(), 30; tolerance = 1e-12)
    @test state(sol.body) == state(without.body)
    half = period() / 2
    turns = half * (1:Int(30 ÷ half)) # the pendulum rests at its highest points
    @test length(sol.events) == 5
    @test sol.events[1].time ≈ turns atol = 1e-9
    @test sort([sol.events[2].time; sol.events[3].time]) == sol.events[1].time
    @test isempty(sol.events[4].time)
    @test sol.events[5].time ≈ [7.5] atol = 1e-14
    @test maximum(abs, sol.events[1].angular_velocity) < 1e-9 && size(sol.events[1].orientation) == (4, length(turns))
    until = pendulum()
    @test solve_until!(speed, until, 30; tolerance = 1e-12)
    @test time(until) ≈ sol.events[1].time[1] atol = 1e-13
    @test solve(pendulum(), 30; events = speed).events[1].time ≈ turns atol = 1e-6
end

@testset "the first event that stops a solution ends it; the others are found up to there" begin
    stops = Event((t, q, ω) -> t - 11.25; direction = :rising, stops = true)
    later = Event((t, q, ω) -> t - 12; stops = true)
    sol = solve(pendulum(), 30; tolerance = 1e-12, events = [speed, later, stops])
    @test sol.stopped_by == 3
    @test sol.t[end] ≈ 11.25 atol = 1e-13
    @test time(sol.body) == sol.t[end] == sol.events[3].time[1] && isempty(sol.events[2].time)
    @test length(sol.events[1].time) == floor(11.25 / (period() / 2))
    @test occursin("stopped by event 3", sprint(show, sol))
    @test_throws Stopped solve(pendulum(), 30; events = (t, q, ω) -> t > 1 ? throw(Stopped("here")) : 1.0)
    @test_throws ArgumentError Event(speed; direction = :up)
end

@testset "a free body's solution is exact at all times, with events" begin
    free = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    sol = solve(free, 10; events = speed)
    for t in (0, 0.3, 7.7, 10)
        @test collect(sol(t).orientation) ≈ collect(orientation(solve!(copy(free), t))) atol = 1e-14
    end
    there = solve!(copy(free), sol.events[1].time[1])
    @test abs(angular_velocity(there)[1]) < 1e-13
    @test length(solve(free, 10).t) == 1001
end

@testset "an integrator goes to the end by steps, for durations, and as a whole" begin
    whole = solve(pendulum(), 20; tolerance = 1e-10, events = speed)
    steps = init(pendulum(), 20; tolerance = 1e-10, events = speed)
    @test steps.t == 0 && steps.u.orientation == orientation(pendulum()) && !steps.done
    taken = 0
    while !steps.done
        before = steps.t
        @test step!(steps) === steps && steps.t > before
        taken += 1
    end
    sol = solve!(steps)
    @test 5 < taken < whole.statistics.accepted && sol.statistics.evaluations < 1.6 * whole.statistics.evaluations
    @test sol.events[1].time ≈ whole.events[1].time atol = 1e-8
    @test collect(sol(13.37).orientation) ≈ collect(whole(13.37).orientation) atol = 1e-8
    @test step!(steps).t == 20
    parts = init(pendulum(), 20; tolerance = 1e-10)
    @test step!(parts, 0.75).t == 0.75 && step!(parts, 0.75).t == 1.5 && step!(parts, 100).t == 20
    @test_throws ArgumentError step!(init(pendulum(), 20), -1)
    back = init(solve!(pendulum(), 3), 0)
    @test step!(back, -1).t == 2 && step!(back).t < 2 && solve!(back).t[end] == 0
    @test_throws ArgumentError init(pendulum(), Inf)
end

@testset "an integrator's body may be given another torque between steps" begin
    integrator = init(Body([1, 1, 1]), 2)
    step!(integrator, 1)
    integrator.body.torque = (t, q, ω) -> (1, 0, 0)
    @test angular_velocity(solve!(integrator).body) ≈ [1, 0, 0]
end

@testset "with dt an integrator takes steps of the body's method, and their interpolation has its order or more" begin
    body = set_method!(pendulum(), :cf4)
    sol = solve(body, 2; dt = 0.01, events = speed)
    @test length(sol.t) == 201 && state(sol.body)[1:2] == state(advance!(set_method!(pendulum(), :cf4), 0.01, 200))[1:2]
    exact = solve(pendulum(), 2; tolerance = 1e-13)
    @test collect(sol(1.2345).orientation) ≈ collect(exact(1.2345).orientation) atol = 1e-9
    late = solve(body, 5; dt = 0.01, events = speed)
    @test late.events[1].time ≈ [period() / 2] atol = 1e-7
    uneven = init(body, 0.035; dt = 0.01)
    @test [step!(uneven).t for _ in 1:5] ≈ [0.01, 0.02, 0.03, 0.035, 0.035] && uneven.done
    @test_throws ArgumentError init(body, 1; dt = -0.1)
    @test_throws ArgumentError init(body, 1; dt = 0)
    @test_throws ArgumentError init(body, 1; dt = 0.1, events = Event(speed; stops = true))
end
