# Error control for one body: to a time, with records at given times, until an event.

const TOLERANCE = 1e-9 # if none is given

"""
    solve!(body, end_time; tolerance = 1e-9, monitor = nothing)

Advances the body to the time `end_time`, before or after its own, in steps that the tolerance chooses. Its clock then shows
`end_time`. Returns the body.

`tolerance`, from 1e-15 to 0.1, is the local error of a step: in radians of orientation, and relative to the greatest
angular velocity so far. The errors of the steps add up. Whatever [`set_method!`](@ref) says, a Runge-Kutta method of order
8 takes the steps, with 12 torques each. A drag is part of the torque; a stiff one takes small steps. A body without torque,
drag and rotors takes one step, which is exact.

If the solution fails, or the torque throws, the body stays where its last accepted step ended; its clock says when that
was. An argument that is refused changes nothing. [`solve_statistics`](@ref) says what the solution cost.

The function `monitor(time, orientation, angular_velocity)` is called after each step that is taken, with what a torque
receives: it follows a long solution, and may end it by an exception. What it returns does not matter. It changes no bit. It
must not use the body.
"""
@inline function solve!(body::Body, end_time; tolerance = TOLERANCE, monitor = nothing)
    if monitor === nothing && body.callback !== nothing # the torque function looks for Ctrl-C
        GC.@preserve body begin
            status = calling_back(() -> qi_solve(handle_of(body), end_time, tolerance, Ptr{UInt64}(C_NULL)))
        end
        status == QI_OK || check(status, body)
    else
        solve_monitored(body, Ref{Cdouble}(end_time), 1, tolerance, Ptr{Cdouble}(C_NULL), monitor)
    end
    body
end

solve_monitored(body, times, count, tolerance, records, monitor) =
    solve_watched(body, times, count, tolerance, records, Callback(monitor === nothing ? Lookout() : monitor))

function solve_watched(body, times, count, tolerance, records, watch)
    GC.@preserve body watch begin
        status = calling_back() do
            qi_solve_monitored(handle_of(body), times, count, tolerance, records, Ptr{Csize_t}(C_NULL), steps_between(watch),
                monitor_pointer(watch), user_data(watch))
        end
    end
    watch.exception === nothing || throw_from(watch, "monitor")
    check(status, body)
end

"""
    record(body, times; tolerance = 1e-9, monitor = nothing)

Advances the body to the last of the times as [`solve!`](@ref), bit for bit. Returns the states at all of them as
`(time = [...], orientation = 4×M, angular_velocity = 3×M)`, with angular velocities in the world frame.

The times ascend from that of the body, which may be the first, or descend from it. The states come from dense output of
order 7, as exact as the steps. The steps do not depend on the times. For the monitor see [`solve!`](@ref).
"""
function record(body::Body, times; tolerance = TOLERANCE, monitor = nothing)
    instants = array(times)
    count = length(instants)
    records = Matrix{Float64}(undef, 8, count)
    solve_monitored(body, instants, count, tolerance, records, monitor)
    columns(records)
end

const CROSSINGS = (rising = QI_RISING, falling = QI_FALLING, any = QI_ANY_CROSSING)

"""
    solve_until!(event, body, end_time; tolerance = 1e-9, direction = :any)
    solve_until!(body, end_time; tolerance = 1e-9) do time, orientation, angular_velocity
        ...
    end

Advances the body as [`solve!`](@ref), but stops where the function `event(time, orientation, angular_velocity)` crosses
zero. Returns whether it has: `true` with the body at the event, `false` with the body at `end_time`.

The function receives what a torque receives, and returns a number. It is called at many times within each step, not in their
order. `direction` selects the crossings: `:rising` from negative to positive, `:falling` from positive to negative, `:any`.
It is the direction of the solution, which runs backwards if `end_time` lies before the time of the body.

The event is located to the last digits. The body stops where the function is 0 or has just changed its sign, so the next call
finds the next event. A start at which the function is exactly 0 is no event until the function has left 0. Each step is
searched in 16 to 256 parts, and for extrema near zero; shorter features may be missed.

If the function throws or its value is not finite, the body is at the start of the step in which this happened.
"""
function solve_until!(event, body::Body, end_time; tolerance = TOLERANCE, direction::Symbol = :any)
    haskey(CROSSINGS, direction) ||
        throw(ArgumentError("the direction must be :rising, :falling or :any, not :$direction"))
    watch = Callback(event)
    GC.@preserve body watch begin
        status = calling_back() do
            qi_solve_until(handle_of(body), end_time, tolerance, event_pointer(watch), CROSSINGS[direction], user_data(watch))
        end
    end
    watch.exception === nothing || throw_from(watch, "event")
    status < 0 && check(status, body)
    status == QI_EVENT
end

"""
    solve_statistics(body)

Returns what the last [`solve!`](@ref), [`solve_until!`](@ref) or [`record`](@ref) with a tolerance cost, also if it failed:
`(evaluations = ..., accepted = ..., rejected = ...)`, the number of torque evaluations, of steps taken, and of steps tried
and not taken because their error was too large.
"""
function solve_statistics(body::Body)
    counts = Ref((UInt64(0), UInt64(0), UInt64(0)))
    GC.@preserve body counts begin
        p = Ptr{UInt64}(pointer_from_objref(counts))
        check(qi_get_solve_statistics(handle_of(body), p, p + 8, p + 16))
    end
    evaluations, accepted, rejected = counts[]
    (evaluations = Int(evaluations), accepted = Int(accepted), rejected = Int(rejected))
end

const SOLVE_METHODS = (nonstiff = QI_SOLVE_NONSTIFF, stiff = QI_SOLVE_STIFF, splitting = QI_SOLVE_SPLITTING)

function number_of_solve_method(method)
    method isa Symbol && haskey(SOLVE_METHODS, method) && return SOLVE_METHODS[method]
    throw(ArgumentError("the method must be :nonstiff, :stiff or :splitting, not $(repr(method))"))
end

"""
    set_solve_longest_step!(body, longest)

Sets the longest step of [`solve!`](@ref) and of the other solutions; 0, the default: any length. A torque that acts for a
shorter time, such as a pulse, may not be seen. A body without torque takes one exact step as before.
"""
function set_solve_longest_step!(body::Body, longest)
    GC.@preserve body check(qi_set_solve_longest_step(handle_of(body), longest))
    body.solving = Solving(longest, body.solving.most_evaluations, body.solving.method)
    body
end

"""
    set_solve_most_evaluations!(body, most)

Sets the most evaluations of the torque in a call of [`solve!`](@ref) or of another solution; where no torque acts, of the
event function; 0, the default: no limit. A call that needs more fails, and the body is where its last accepted step ended;
another call goes on from there.
"""
function set_solve_most_evaluations!(body::Body, most::Integer)
    GC.@preserve body check(qi_set_solve_most_evaluations(handle_of(body), not_negative(most, "most")))
    body.solving = Solving(body.solving.longest_step, most, body.solving.method)
    body
end

"""
    set_solve_method!(body, method)

Sets how [`solve!`](@ref) and the other solutions take their steps. The default is an explicit method of order 8. The stiff
one, of order 4, costs less for torques that change faster than the motion, such as stiff drag and springs. The error of a
solution that takes too many evaluations says whether the torque looks stiff.
"""
function set_solve_method!(body::Body, method)
    GC.@preserve body check(qi_set_solve_method(handle_of(body), number_of_solve_method(method)))
    body.solving = Solving(body.solving.longest_step, body.solving.most_evaluations, method)
    body
end
