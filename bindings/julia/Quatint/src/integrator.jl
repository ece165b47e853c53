# The interface of CommonSolve: init, step!, solve!, solve. ext/QuatintCommonSolveExt.jl makes them those of CommonSolve.

"A solution on its way; see [`init`](@ref)."
mutable struct Integrator
    body::Body
    end_time::Float64
    tolerance::Float64
    dt::Union{Nothing, Float64}
    events::Vector{Any}
    start::Union{Nothing, Body} # of a free body, whose motion is exact
    samples::Samples
    stopped_by::Union{Nothing, Int}
    statistics::NTuple{3, Int}
    stretch::Float64 # how far a step goes on; 0: not known yet
end

"""
    init(body, end_time; tolerance = 1e-9, events = (), dt = nothing)

Returns an integrator of a copy of the body, as CommonSolve has it: `step!(integrator)` goes on, `step!(integrator, duration)` goes
on for a duration, `solve!(integrator)` goes to the end and returns the [`Solution`](@ref).

The steps have the error control of [`solve!`](@ref), and `step!(integrator)` goes on by some eight of them. With a `dt` they have
this length and the method of the body, and it takes one. `integrator.body` is
the body, which may be given another torque between steps; `integrator.t` and `integrator.u` are its time and its state,
`integrator.done` says whether the end, or an event that stops it, has been reached. Then a step does nothing.

`events`: one or several of functions `f(time, orientation, angular_velocity)` and [`Event`](@ref)s. They change no bit. An event that
stops the solution needs error control.

Each call with error control chooses the length of its first step anew, which costs some torques, and changes bits within the
tolerance.
"""
function init(body::Body, end_time; tolerance = TOLERANCE, events = (), dt = nothing)
    body = copy(body)
    list, now, last = list_of_events(events), time(body), number(end_time)
    isfinite(last) || throw(ArgumentError("`end_time` is $last, not a finite number"))
    dt === nothing || check_dt(number(dt), last - now)
    dt !== nothing && any(event.stops for event in list) &&
        throw(ArgumentError("an event that stops the solution needs error control: leave `dt` out"))
    samples = Samples(last < now ? -1.0 : 1.0)
    add_sample!(samples, now, state_of(body), values_of(list, now, orientation(body), angular_velocity(body)))
    start = dt === nothing && is_free(body) ? copy(body) : nothing
    Integrator(body, last, tolerance, dt === nothing ? nothing : number(dt), list, start, samples, nothing, (0, 0, 0), 0.0)
end

check_dt(dt, duration) = isfinite(dt) && dt != 0 && dt * duration >= 0 ? dt :
    throw(ArgumentError("`dt` is $dt; it must lead from the time of the body to `end_time`"))

"""
    solve(body, end_time; tolerance = 1e-9, events = (), dt = nothing)

Returns the motion of a body to the time `end_time` as a [`Solution`](@ref): a function of time, with the events on the way. The body
stays where it is; `solution.body` is a copy of it at the end. See [`init`](@ref).

    sol = solve(body, 10; events = [swings_through, Event(hits; direction = :falling, stops = true)])
    sol(2.5).orientation, sol.t, sol.q, sol.events[1].time
"""
solve(body::Body, end_time; kwargs...) = solve!(init(body, end_time; kwargs...))

function Base.getproperty(integrator::Integrator, name::Symbol)
    name === :t && return time(integrator.body)
    name === :u && return shown(state_of(integrator.body))
    name === :done && return integrator.stopped_by !== nothing || integrator.t == integrator.end_time
    getfield(integrator, name)
end

Base.propertynames(::Integrator, private::Bool = false) = (:t, :u, :done, fieldnames(Integrator)...)
Base.show(io::IO, integrator::Integrator) = print(io, "Integrator(t = ", integrator.t, ", to ", integrator.end_time, ")")

function step!(integrator::Integrator)
    integrator.done && return integrator
    integrator.dt === nothing || return step_of_length!(integrator, integrator.end_time)
    before, accepted = integrator.t, integrator.statistics[2]
    integrator.stretch == 0 && (integrator.stretch = first_stretch(integrator))
    step!(integrator, integrator.stretch)
    taken = integrator.statistics[2] - accepted
    integrator.stretch = (integrator.t - before) * clamp(STEPS_OF_STRETCH / max(taken, 1), 0.5, 2)
    integrator
end

const STEPS_OF_STRETCH = 8

struct FarEnough <: Exception end

"How long the first steps with error control are together: a copy of the body takes them."
function first_stretch(integrator)
    ahead, taken = copy(integrator.body), 0
    count(_...) = (taken += 1) == STEPS_OF_STRETCH && throw(FarEnough())
    try
        solve!(ahead, integrator.end_time; tolerance = integrator.tolerance, monitor = count)
    catch exception
        exception isa FarEnough || rethrow()
    end
    time(ahead) - integrator.t
end

function step!(integrator::Integrator, duration)
    now, last = integrator.t, integrator.end_time
    target = now + number(duration)
    (target - now) * integrator.samples.direction >= 0 ||
        throw(ArgumentError("`duration` is $duration, which leads away from `end_time`"))
    go_to!(integrator, integrator.samples.direction * (last - target) < 0 ? last : target)
end

function solve!(integrator::Integrator)
    go_to!(integrator, integrator.end_time)
    cost = (; zip((:evaluations, :accepted, :rejected), integrator.statistics)...)
    i = integrator
    Solution(i.samples, i.start, i.body, i.events, i.stopped_by, cost)
end

function go_to!(integrator, target)
    if integrator.dt !== nothing
        while integrator.t != target
            step_of_length!(integrator, target)
        end
        return integrator
    end
    (integrator.done || integrator.t == target) && return integrator
    i = integrator
    is_free(i.body) || (i.start = nothing)
    samples, i.stopped_by = solve_sampled!(i.body, target, i.tolerance, i.events)
    i.statistics = i.statistics .+ Tuple(solve_statistics(i.body))
    known = i.samples.times[end]
    for (t, state, values) in zip(samples.times, samples.states, samples.values)
        i.samples.direction * (t - known) > ulps(t) && add_sample!(i.samples, t, state, values)
    end
    integrator
end

"A step of the length `dt`, or to the target where this is nearer."
function step_of_length!(integrator, target)
    body, dt = integrator.body, integrator.dt
    left = target - integrator.t
    if abs(left) > abs(dt) * (1 + 1e-9)
        step!(body, dt)
    else
        step!(body, abs(left - dt) <= 1e-9 * abs(dt) ? dt : left)
        set_clock!(body, (target, 0.0)) # what rounding has left
    end
    q, ω = orientation(body), angular_velocity(body)
    add_sample!(integrator.samples, time(body), state_of(body), values_of(integrator.events, time(body), q, ω))
    integrator
end
