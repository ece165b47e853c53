# A solution of one body as a function of time, with several events on the way. The library asks an event function at many times
# within each step. A function that is positive everywhere so receives samples of the dense output, without another torque, and
# may become 0 where one of several events stops the solution.

"""
    Event(f; direction = :any, stops = false)

An event of [`solve`](@ref) and [`init`](@ref): where the number `f(time, orientation, angular_velocity)` becomes zero or changes
its sign. `direction` is `:rising` (from negative to positive), `:falling` or `:any`. `stops` says whether the solution ends there.
"""
struct Event{F}
    f::F
    direction::Symbol
    stops::Bool
    function Event(f; direction::Symbol = :any, stops::Bool = false)
        haskey(CROSSINGS, direction) ||
            throw(ArgumentError("`direction` must be :rising, :falling or :any, not :$direction"))
        new{typeof(f)}(f, direction, stops)
    end
end

list_of_events(event::Event) = Any[event]
list_of_events(events::Union{Tuple, AbstractVector}) = Any[event isa Event ? event : Event(event) for event in events]
list_of_events(::Nothing) = Any[]
list_of_events(f) = Any[Event(f)]

"Times as close as this are the same."
ulps(time) = 4 * eps() * abs(time)

"States, and the values of the events, at times that are apart from each other."
mutable struct Samples
    direction::Float64 # 1 or -1: that of the time
    times::Vector{Float64}
    states::Vector{NTuple{7, Float64}}
    values::Vector{Vector{Float64}}
    gap::Float64 # the step between the last two times that were later than all before
    last::Float64
    Samples(direction) = new(direction, [], [], [], 0.0, 0.0)
end

# Each step is first asked from its start to its end, then between, in at most 32 parts of these. Times that are closer are those of
# the search for a zero, or an ulp beside an end: interpolation between them would magnify rounding. The times of a step are
# the last ones, at most 256 and a few.
function is_apart(samples, time)
    least = max(samples.gap / 40, ulps(time))
    all(abs(known - time) > least for known in Iterators.take(Iterators.reverse(samples.times), 400))
end

is_later(samples, time) =
    isempty(samples.times) || samples.direction * (time - samples.last) > ulps(time)

function take_sample!(samples::Samples, time, state, values)
    if is_later(samples, time)
        samples.gap = isempty(samples.times) ? 0.0 : abs(time - samples.last)
        samples.last = time
    elseif !is_apart(samples, time)
        return
    end
    add_sample!(samples, time, state, values)
end

function add_sample!(samples::Samples, time, state, values)
    push!(samples.times, time)
    push!(samples.states, state)
    push!(samples.values, values)
    nothing
end

"Puts the samples in the order of time, with the end of the solution."
function finish_samples!(samples, time, state, values)
    apart = findall(known -> samples.direction * (time - known) > samples.gap / 40, samples.times)
    order = apart[sortperm(samples.direction .* samples.times[apart])]
    samples.times, samples.states, samples.values = samples.times[order], samples.states[order], samples.values[order]
    add_sample!(samples, time, state, values)
end

"Sees the events at each state that the library asks for."
mutable struct Watcher
    events::Vector{Any}
    before::Vector{Union{Nothing, NTuple{2, Float64}}} # from which time on which sign is before an event that stops the solution
    samples::Samples
end

Watcher(events, direction) = Watcher(events, fill(nothing, length(events)), Samples(direction))

values_of(events, time, q, ω) = Float64[number(event.f(time, q, ω)) for event in events]

"A number that is positive until the first event that stops the solution."
function (watcher::Watcher)(time, q, ω)
    values = values_of(watcher.events, time, q, ω)
    all(isfinite, values) || return NaN
    nearest = reduce(min, distances!(watcher, time, values); init = Inf)
    take_sample!(watcher.samples, time, (four(q)..., three(ω)...), values)
    isfinite(nearest) ? nearest : 1.0
end

distances!(watcher, time, values) = Float64[distance!(watcher, k, time, values[k]) for k in eachindex(values)]

function distance!(watcher, k, time, value)
    event, direction = watcher.events[k], watcher.samples.direction
    event.stops || return Inf
    before = watcher.before[k]
    may_begin = event.direction === :rising ? value < 0 : event.direction === :falling ? value > 0 : value != 0
    if may_begin && (before === nothing || direction * (time - before[1]) < 0)
        before = watcher.before[k] = (time, sign(value))
    end
    before !== nothing && direction * (time - before[1]) >= 0 ? before[2] * value : max(abs(value), floatmin())
end

"""
Moves a body to a time, or to the first event that stops it, with error control. Returns the samples and the number of the event that
stopped it.
"""
function solve_sampled!(body, end_time, tolerance, events)
    watcher = Watcher(events, end_time < time(body) ? -1.0 : 1.0)
    watch = Callback(watcher)
    GC.@preserve body watch begin
        status = calling_back() do
            qi_solve_until(handle_of(body), end_time, tolerance, event_pointer(watch), QI_FALLING, user_data(watch))
        end
    end
    check(status, watch, "event")
    status < 0 && check(status, body)
    now, q, ω = time(body), orientation(body), angular_velocity(body)
    values = values_of(events, now, q, ω)
    stopped_by = nothing
    status == QI_EVENT && ((_, stopped_by) = findmin(distances!(watcher, now, values)))
    finish_samples!(watcher.samples, now, (four(q)..., three(ω)...), values)
    watcher.samples, stopped_by
end

"The state of a body as numbers."
state_of(body) = (four(orientation(body))..., three(angular_velocity(body))...)

shown(state) = (orientation = Quaternion(state[1], state[2], state[3], state[4]), angular_velocity = Vec3(state[5], state[6], state[7]))

const States = NamedTuple{(:time, :orientation, :angular_velocity), Tuple{Vector{Float64}, Matrix{Float64}, Matrix{Float64}}}
const State = NamedTuple{(:orientation, :angular_velocity), Tuple{Quaternion, Vec3}}

"""
The motion that [`solve`](@ref) has computed.

- `sol(time)`: the state at any time of it, `(orientation = ..., angular_velocity = ...)`; `sol(times)`, of an array in any order: the
  states as [`record`](@ref) returns them. It is interpolated through eight samples, some sixteen in a step with error control, as
  exact as the steps; with steps of equal length through the ends of eight of them. A free motion is computed anew, and exact.
- `sol.t`, `sol.q`, `sol.ω`: samples to plot, from the start to the end: M times, 4×M and 3×M numbers, world frame. `sol.u` are the
  same states one by one: `sol.u[i] == sol(sol.t[i])`.
- `sol.events`: of each event the times and states, `(time = [...], orientation = 4×K, angular_velocity = 3×K)`.
- `sol.stopped_by`: the number of the event that ended it, or `nothing`. `sol.body`: the body at the end.
- `sol.statistics`: what it cost, as of [`solve_statistics`](@ref).
"""
struct Solution{S}
    t::Vector{Float64}
    q::Matrix{Float64}
    ω::Matrix{Float64}
    u::Vector{State}
    events::Vector{States}
    stopped_by::Union{Nothing, Int}
    body::Body
    statistics::S
    motion::Any # what gives the states at given times
end

"The polynomials through samples."
struct Interpolated
    times::Vector{Float64}
    states::Vector{NTuple{7, Float64}}
end

const NODES = 8

"The value at a time of the polynomial through the samples around it, by Neville's algorithm."
function (motion::Interpolated)(time)
    times, direction = motion.times, motion.times[end] < motion.times[1] ? -1 : 1
    after = searchsortedfirst(times, time; by = t -> direction * t)
    after <= length(times) && times[after] == time && return motion.states[after]
    count = min(NODES, length(times))
    first = clamp(after - count ÷ 2, 1, length(times) - count + 1)
    values = motion.states[first:first + count - 1]
    for k in 1:count - 1, i in 1:count - k
        below, above = times[first + i - 1], times[first + i - 1 + k]
        values[i] = ((time - below) .* values[i + 1] .+ (above - time) .* values[i]) ./ (above - below)
    end
    q = values[1][1:4]
    (q ./ sqrt(sum(abs2, q))..., values[1][5:7]...)
end

"The exact motion of a free body."
struct Free
    start::Body
end

(motion::Free)(time) = state_of(solve!(copy(motion.start), time))

is_free(body) = body.acting === nothing && !body.has_drag && body.random === nothing && body.inertia_callback === nothing &&
    iszero(rotor_momentum(body)) && iszero(rotor_torque(body))

records_of(times, states) = reduce(hcat, [[t; s...] for (t, s) in zip(times, states)]; init = zeros(8, 0))

const FREE_SAMPLES = 1001

function Solution(samples::Samples, start, body, events, stopped_by, statistics)
    times, states = samples.times, samples.states
    motion = start === nothing ? Interpolated(times, states) : Free(start)
    found = States[]
    for k in eachindex(events)
        event, values = events[k], Float64[at[k] for at in samples.values]
        crossed = event.stops ? (stopped_by === k ? [times[end]] : Float64[]) : crossings(motion, times, values, event)
        push!(found, columns(records_of(crossed, NTuple{7, Float64}[t == times[end] ? states[end] : motion(t) for t in crossed])))
    end
    if start !== nothing && isempty(events) && length(times) > 1
        times = collect(range(times[1], times[end]; length = FREE_SAMPLES))
        states = [states[1]; [motion(t) for t in times[2:end - 1]]; [states[end]]]
    end
    records = records_of(times, states)
    Solution(times, records[2:5, :], records[6:8, :], shown.(states), found, stopped_by, body, statistics, motion)
end

known_at(sol, time) = number(time) == sol.t[end] ? (four(sol.u[end].orientation)..., three(sol.u[end].angular_velocity)...) :
    sol.motion(within(sol, number(time)))

function within(sol, time)
    first, last = minmax(sol.t[1], sol.t[end])
    first <= time <= last || throw(ArgumentError("the solution is known from $first to $last, not at $time"))
    time
end

(sol::Solution)(time::Real) = shown(known_at(sol, time))
(sol::Solution)(times) = columns(records_of(times, [known_at(sol, t) for t in times]))

function Base.show(io::IO, sol::Solution)
    print(io, "Solution from t = ", sol.t[1], " to ", sol.t[end])
    isempty(sol.events) || print(io, ", events: ", join((length(found.time) for found in sol.events), ", "))
    sol.stopped_by === nothing || print(io, ", stopped by event ", sol.stopped_by)
end

"The times at which an event that does not stop the solution has happened."
function crossings(motion, times, values, event)
    value(time) = (state = shown(motion(time)); number(event.f(time, state.orientation, state.angular_velocity)))
    sides = event.direction === :rising ? (-1,) : event.direction === :falling ? (1,) : (-1, 1)
    found, side, near, zero = Float64[], 0.0, 1, nothing # the sign of the last value, where it was, and the first 0 since then
    for far in eachindex(values)
        now = sign(values[far])
        if now == 0 && side != 0 && zero === nothing
            zero = far # the next value tells whether it crosses, touches or stays
            continue
        end
        if now != side && side in sides
            push!(found, now == 0 ? first_zero(value, times[near], times[zero]) : zero !== nothing ? times[zero] :
                zero_between(value, (times[near], values[near]), (times[far], values[far])))
        end
        side, near = now, far
        now == 0 || (zero = nothing)
    end
    zero !== nothing && side in sides && push!(found, first_zero(value, times[near], times[zero]))
    found
end

"The beginning of the zeros of a function, by bisection: it is 0 at the second argument, and not at the first."
function first_zero(value, near, far)
    while true
        middle = near + (far - near) / 2
        (middle == near || middle == far) && return far
        value(middle) == 0 ? (far = middle) : (near = middle)
    end
end

"The zero of a function between two arguments with values of opposite sign: regula falsi in the Illinois form."
function zero_between(value, near, far)
    (a, at_a), (b, at_b) = near, far
    for _ in 1:200
        x = b - at_b * (b - a) / (at_b - at_a)
        min(a, b) < x < max(a, b) || (x = a + (b - a) / 2)
        at_x = value(x)
        (at_x == 0 || x == a || x == b) && return x
        (at_x < 0) == (at_b < 0) ? (at_a /= 2) : ((a, at_a) = (b, at_b))
        b, at_b = x, at_x
        abs(b - a) <= 2 * eps(max(abs(a), abs(b))) && break
    end
    b
end
