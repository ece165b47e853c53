# Programs that would run for hours, each stopped by one Ctrl-C. No function in them allocates: then nothing but the package
# itself gives Julia an occasion to throw the InterruptException.
const LONG_RUNS = """
    using Quatint
    Base.exit_on_sigint(false)
    constant(t, q, ω) = (1e-9, 0.0, 0.0)
    nothing_in_rows(torque, t, bodies, q, ω) = nothing
    nothing_in_stages(torque, t, q, ω) = nothing
    spinning() = Body([1, 2, 3]; angular_velocity = (1, 1, 1))
    driven() = set_torque!(spinning(), constant)
    pulled() = set_torque!(spinning(), UniformFieldTorque((0, 0, -1), (0.1, 0.2, 0.3))) # C asks no function for the torque
    still = (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0), [1.0 0 0; 0 2 0; 0 0 3]
    for (run, object) in (
        ((b, n) -> advance!(b, 1e-9, n), driven()),
        ((b, n) -> record(b, 1e-9, n; every = 10^8), spinning()),
        ((b, n) -> record(b, 1e-9, n ÷ 10; every = 10^4), driven()),
        ((b, n) -> solve!(b, 1e-2 * n; tolerance = 1e-12), driven()),
        ((b, n) -> solve!(b, 1e-2 * n; tolerance = 1e-12), pulled()),
        ((b, n) -> record(b, [1e-2 * n]; tolerance = 1e-12), pulled()),
        ((b, n) -> solve_until!((t, q, ω) -> 1.0, b, 1e-2 * n; tolerance = 1e-12), spinning()),
        ((b, n) -> integrate(still..., 1e-9, q -> (0.0, 0.0, 0.0), n), spinning()),
        ((e, n) -> advance!(e, 1e-9, n), set_torque!(Ensemble(100), nothing_in_rows)),
        ((e, n) -> advance!(nothing_in_stages, e, 1e-9, n), Ensemble(100)))
        run(object, 100) # compiled, so that from now on it steps
        try
            println("running")
            run(object, 10^11)
        catch e
            step!(object, 1e-9) # QI_ERR_BUSY, if the exception went through C
            println(typeof(e))
        end
    end
    println("done")
    """

# The processor's time that a program has used, in seconds.
function used(program)
    fields = split(read("/proc/$(getpid(program))/stat", String))
    return (parse(Int, fields[14]) + parse(Int, fields[15])) / 100
end

@testset "Ctrl-C stops every long call, and the object can be used afterwards" begin
    script = tempname()
    write(script, LONG_RUNS)
    project = joinpath(@__DIR__, "..")
    program = open(`$(Base.julia_cmd()) --startup-file=no --project=$project $script`)
    lines = Channel{String}(100)
    @async (foreach(line -> put!(lines, line), eachline(program)); close(lines))
    next() = timedwait(() -> isready(lines) || !isopen(lines), 60.0) == :ok && isready(lines) ? take!(lines) : "no answer"
    for _ in 1:10
        @test next() == "running"
        start = used(program)
        @test timedwait(() -> used(program) > start + 0.5, 60.0) == :ok
        kill(program, Base.SIGINT)
        answer = next()
        @test answer == "InterruptException"
        answer == "InterruptException" || break
    end
    process_running(program) && next() != "done" && kill(program, Base.SIGKILL)
    rm(script)
end

@testset "a record in parts has the bits of one in one part" begin
    whole, parts = (set_torque!(Body([1, 2, 3]; angular_velocity = (1, 1, 1), method = :splitting), weight) for _ in 1:2)
    for (steps, every) in ((103, 10), (100, 10), (5, 7), (0, 3))
        rows, time_before = record(whole, 1e-3, steps; every = every), time(parts)
        @test rows.time[1] == time_before && length(rows.time) == steps ÷ every + 1
        for i in 2:length(rows.time)
            advance!(parts, 1e-3, every)
            @test rows.orientation[:, i] == collect(orientation(parts)) && rows.time[i] == time(parts)
        end
        advance!(parts, 1e-3, steps % every)
        @test state(whole) == state(parts)
    end
    free = Body([1, 2, 3]; angular_velocity = (1, 1, 1)) # parts of 2^23 steps, whole rows each
    other = Body([1, 2, 3]; angular_velocity = (1, 1, 1))
    rows = record(free, 1e-6, 2^23 + 3 * 2^20 + 5; every = 2^20 + 1)
    for i in 2:length(rows.time)
        advance!(other, 1e-6, 2^20 + 1)
        @test rows.orientation[:, i] == collect(orientation(other))
    end
    @test length(rows.time) == 11 && time(free) ≈ 1e-6 * (2^23 + 3 * 2^20 + 5)
end
