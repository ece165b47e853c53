"What has been set for the solutions of a body, which the library does not tell."
struct Solving
    longest_step::Float64
    most_evaluations::UInt64
    method::Symbol
end

Solving() = Solving(0.0, 0, :nonstiff)

"""
    Body(inertia; orientation = (1, 0, 0, 0), angular_velocity = (0, 0, 0), torque = nothing, method = :pcdm)

Makes a rigid body with its clock at 0. The angular velocity is in the world frame. For the torque see [`set_torque!`](@ref), for
the method [`set_method!`](@ref).

The state can also be read and set as properties: `body.orientation`, `body.angular_velocity`, `body.angular_velocity_body`,
`body.angular_momentum`, `body.time`, `body.clock`, `body.method`, `body.torque`, `body.rotor_momentum`, `body.noise_draws`;
`body.kinetic_energy` can be read.

Throws a [`QuatintError`](@ref) if the inertia is not symmetric and positive definite (moments of zero as docs/inertia.md
says), or if the length of the orientation differs from 1 by more than 1e-3.
"""
mutable struct Body
    handle::Ptr{Cvoid}
    acting::Any # the torque, kept alive here and printed by show
    callback::Union{Nothing, Callback}
    inertia_callback::Union{Nothing, Callback}
    has_drag::Bool
    random::Union{Nothing, Tuple{Float64, UInt64}} # kt and seed of random torques
    solving::Solving

    function Body(inertia; orientation = (1, 0, 0, 0), angular_velocity = (0, 0, 0), torque = nothing, method = :pcdm)
        status = Ref(QI_OK)
        handle = qi_create_body(nine(inertia), collect(four(orientation)), vector(angular_velocity), status)
        handle == C_NULL && throw(QuatintError(status[]))
        body = finalizer(close, new(handle, nothing, nothing, nothing, false, nothing, Solving()))
        torque === nothing || set_torque!(body, torque)
        set_method!(body, method)
    end
end

"""
    close(body)
    close(ensemble)

Frees the memory now instead of at garbage collection. Any later use of the object throws.
"""
function Base.close(body::Body)
    handle, body.handle = body.handle, C_NULL
    qi_destroy_body(handle) # does nothing with NULL
    nothing
end

Base.isopen(body::Body) = body.handle != C_NULL

@inline function handle_of(object)
    handle = getfield(object, :handle)
    handle == C_NULL && closed(object)
    handle
end

"Throws what the failure of a call is that may have called the torque or the inertia function of the body."
function check(status::Int32, body::Body; steps = 0)
    status == QI_ERR_CALLBACK && check(status, body.inertia_callback, "inertia")
    check(status, body.callback; steps = steps)
end

@noinline closed(object) = throw(QuatintError(QI_ERR_NULL, "the $(nameof(typeof(object))) has been closed"))

"""
    set_torque!(body, torque)

Sets the torque on the body: any function, closure or callable `torque(time, orientation, angular_velocity)` that returns
three numbers in the world frame. It is called at each stage of a step, with the time and state of the stage
([`Quatint.Quaternion`](@ref), [`Quatint.Vec3`](@ref)). If it throws, the step throws the same exception, and the body is as
it was before the step. `nothing` removes the torque.

    set_torque!(body, ready_made)

Sets a [`ConstantTorque`](@ref), [`UniformFieldTorque`](@ref), [`GravityGradientTorque`](@ref), [`LinearDragTorque`](@ref)
or [`ShearFlowTorque`](@ref). The library computes these without calling Julia, so they cost less.
"""
function set_torque!(body::Body, torque)
    callback = Callback(torque)
    disable_sigint() do # no interrupt may come after C has stored the callback and before we have
        check(qi_set_torque(handle_of(body), pointer_of(callback), user_data(callback)))
        body.acting, body.callback = torque, callback
    end
    body
end

function set_torque!(body::Body, ::Nothing)
    GC.@preserve body check(qi_set_torque(handle_of(body), C_NULL, C_NULL))
    body.acting = body.callback = nothing
    body
end

function set_torque!(body::Body, torque::ReadyMade)
    GC.@preserve body check(set_ready_made(handle_of(body), torque))
    body.acting, body.callback = deepcopy(torque), nothing # its arrays may change
    body
end

"""
    set_method!(body, method)
    set_method!(ensemble, method)

Chooses the method. State, clock and torque stay.

- `:pcdm`: order 2, two torque evaluations a step.
- `:cf4`: order 4, four torque evaluations a step.
- `:splitting`: order 2, one torque evaluation a step. Kicks and exact free rotations; reversible; the energy error stays bounded.
- `:splitting_4`: order 4, six torque evaluations a step. The torque must depend on orientation and time only.
- `:force_gradient`: order 4, three torque evaluations a step. The torque must depend on orientation and time only.
- `:splitting_6`: order 6, eleven torque evaluations a step. The torque must depend on orientation and time only.
- `:brownian`: weak order 1, one torque evaluation a step; overdamped rotation with the random torques of [`set_langevin!`](@ref), without inertia.

The splitting methods keep the last torque of a step as the first of the next. They ask for it again after a call that
changes state, time, torque or method. Call [`forget_torque!`](@ref) after any other change of the torque: when you have written
to a bound array, when you give `step!` another function, or when you have changed something that the function reads.
`:splitting_4`, `:force_gradient` and `:splitting_6` refuse [`LinearDragTorque`](@ref) and [`ShearFlowTorque`](@ref).
"""
set_method!(body::Body, method) = (GC.@preserve body check(qi_set_method(handle_of(body), number_of(method))); body)

"""
    method(body)
    method(ensemble)

Returns the method, for example `:pcdm`; see [`set_method!`](@ref).
"""
method(body::Body) = GC.@preserve body name_of_method(number -> qi_get_method(handle_of(body), number))

"""
    step!(body, dt)
    step!(ensemble, dt)

Takes one step of length `dt`. A negative `dt` steps backwards in time.
"""
@inline function step!(body::Body, dt)
    GC.@preserve body begin
        status = calling_back(() -> qi_step(handle_of(body), dt))
    end
    status == QI_OK || check(status, body)
    body
end

"""
    advance!(body, dt, steps)
    advance!(ensemble, dt, steps)

Takes many steps, with bitwise the same result as that many calls of [`step!`](@ref). If one fails, the steps before it are
kept.
"""
function advance!(body::Body, dt, steps::Integer)
    in_parts(body, steps, 1) do part, completed
        GC.@preserve body calling_back(() -> qi_advance(handle_of(body), dt, part, completed))
    end
end

"""
Takes many steps of an object in parts of about 0.1 s. Julia may throw InterruptException between the parts, but not out of
C. `advance(part, completed)` takes a part, writes the number of completed steps and returns the status.
"""
function in_parts(advance, object, steps, bodies)
    taken, steps, most = UInt64(0), count_of_steps(steps), UInt64(max(1, STEPS_OF_PART ÷ max(bodies, 1)))
    completed = Ref{UInt64}(0)
    while true
        part = min(steps - taken, most)
        status = advance(part, completed)
        check(status, object; steps = taken + completed[])
        taken += part
        taken == steps && return object
        poll()
    end
end

const STEPS_OF_PART = 2^23 # of one body

count_of_steps(steps) = whole(steps, "steps") >= 0 ? UInt64(steps) : throw(ArgumentError("the number of steps is $steps; it must not be negative"))

"""
    record(body, dt, steps; every = 1)

Takes `steps` steps. Returns the initial state and the state after every `every` steps as
`(time = [...], orientation = 4×M, angular_velocity = 3×M)`, with angular velocities in the world frame.
"""
function record(body::Body, dt, steps::Integer; every::Integer = 1)
    every > 0 || throw(ArgumentError("`every` is $every, and must be positive"))
    count_of_steps(steps)
    rows = Int(steps ÷ every)
    records, written = Matrix{Float64}(undef, 8, rows + 1), Ref{Csize_t}(0)
    # writes the present state to column `from` + 1 and then takes steps up to that of column `to` + 1
    take(from, to) = check(GC.@preserve(body, records, calling_back() do
        qi_record(handle_of(body), dt, (to - from) * every, every, pointer(records, 8 * from + 1), rows + 1 - from, written)
    end), body)
    take(0, 0)
    # in parts, as `in_parts` does
    at_once = STEPS_OF_PART ÷ every
    for row in (at_once == 0 ? (1:rows) : (at_once:at_once:rows + at_once - 1))
        if at_once == 0
            advance!(body, dt, every)
            take(row, row)
        else
            take(row - at_once, min(row, rows))
        end
        poll()
    end
    advance!(body, dt, steps % every)
    columns(records)
end

columns(records) = (time = records[1, :], orientation = records[2:5, :], angular_velocity = records[6:8, :])

function at_present(body::Body, get)
    out = zeros(3)
    GC.@preserve body begin
        status = calling_back(() -> get(handle_of(body), out))
    end
    status == QI_OK || check(status, body)
    Vec3(out[1], out[2], out[3])
end

function Base.show(io::IO, ::MIME"text/plain", body::Body)
    isopen(body) || return print(io, "Body (closed)")
    q, ω = orientation(body), angular_velocity(body)
    print(io, "Body at t = ", time(body), "\n  orientation       (", join(q, ", "), ")\n  angular velocity  (", join(ω, ", "),
        ") rad/s, world\n  method            ", method(body), "\n  torque            ", name_of(body.acting),
        body.inertia_callback === nothing ? "" : "\n  inertia           a function of the time",
        body.has_drag ? "\n  drag              linear" : "", body.random !== nothing ? "\n  random torques    yes" : "")
    for (name, rotor) in (("rotor momentum", rotor_momentum(body)), ("rotor torque", rotor_torque(body)))
        iszero(rotor) || print(io, "\n  ", rpad(name, 18), "(", join(rotor, ", "), "), body")
    end
end

Base.show(io::IO, body::Body) = print(io, isopen(body) ? "Body(t = $(time(body)))" : "Body (closed)")

name_of(::Nothing) = "none"
name_of(torque) = string(nameof(typeof(torque)))
name_of(torque::Function) = startswith(string(nameof(torque)), "#") ? "a function" : string(nameof(torque))
