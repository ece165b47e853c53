# Kicks and drifts: the two halves of velocity Verlet, for programs that compute each torque once per step.

"""
    kick!(body, duration, torque; frame = :world)
    kick!(ensemble, duration, torques; frame = :world, layout = nothing)

Adds `duration * torque` to the angular momentum. Orientation and clock stay. The torque is in `frame`, `:world` or `:body`.

A step of velocity Verlet is: kick for `dt / 2`, drift for `dt` ([`drift!`](@ref)), compute the torque, kick for `dt / 2`. It
is of order 2 and reversible, and the energy error stays bounded. Every call is complete in itself. After
[`set_drag!`](@ref) a kick includes the drag of its duration. `nothing` is a torque of zero.

The torques of an ensemble are a 3×n or n×3 matrix (any strides, for example a `view`), a vector of `n` vectors,
`particles => :torque`, or one vector for all. For `layout` see [`set_orientations!`](@ref). They must not overlap a bound
array. Only active bodies are kicked. Momenta bound as `:angmom_world` are only added to, so their sum is conserved to rounding.
"""
function kick!(body::Body, duration, torque; frame::Symbol = :world)
    numbers = Ref(torque === nothing ? (0.0, 0.0, 0.0) : three(torque, "a torque"))
    GC.@preserve body numbers begin
        check(qi_kick(handle_of(body), duration, Ptr{Float64}(pointer_from_objref(numbers)), frame_of(frame)))
    end
    body
end

function kick!(e::Ensemble, duration, torques; frame::Symbol = :world, layout = nothing)
    τ = torques_in(torques, e.count, layout)
    GC.@preserve e τ begin
        check(qi_kick_ensemble(handle_of(e), duration, τ.pointer, τ.body_stride, τ.component_stride, frame_of(frame)))
    end
    e
end

torques_in(torques, n, layout) = readable(torques, 3, n; layout = layout)
const NO_TORQUE = zeros(3)
torques_in(::Nothing, _, _) = View(pointer(NO_TORQUE), 0, 1, NO_TORQUE) # one torque for all

"""
    kick_drift!(ensemble, kick, drift, torques; frame = :world, layout = nothing)

Kicks for the duration `kick` and then drifts for the duration `drift`, in one pass over the bodies: the first half of a
step. The second half is [`kick!`](@ref), which also describes the torques.
"""
function kick_drift!(e::Ensemble, kick, drift, torques; frame::Symbol = :world, layout = nothing)
    τ = torques_in(torques, e.count, layout)
    GC.@preserve e τ begin
        check(qi_kick_drift_ensemble(handle_of(e), kick, drift, τ.pointer, τ.body_stride, τ.component_stride, frame_of(frame)))
    end
    e
end

"""
    bind_predicted_velocities!(ensemble, ω, ahead; layout = nothing)
    bind_predicted_velocities!(ensemble, nothing)

Binds an array that [`kick_drift!`](@ref) fills with predicted angular velocities, world frame: those at the end of the
drift, changed by the torque of the kick, held in the body frame, for the duration `ahead` more. With `ahead = dt / 2` they
are the arguments for torques that depend on the angular velocity: the step then keeps its order 2.

The array has one of the forms of [`bind!`](@ref), with three numbers for each body, and must not overlap another bound array.
The ensemble keeps it alive; you must not resize it. `nothing` ends the predictions.
"""
function bind_predicted_velocities!(e::Ensemble, predicted, ahead; layout = nothing)
    ω = view_of(predicted, 3, e.count; layout = layout)
    GC.@preserve e ω begin
        touch(ω, 0:e.count - 1)
        root = held(ω.root)
        disable_sigint() do # no interrupt may come after C has stored the pointer and before we keep the array alive
            check(qi_bind_predicted_velocities(handle_of(e), ω.pointer, ω.body_stride, ω.component_stride, ahead))
            e.bound[3] = root
        end
    end
    e
end

function bind_predicted_velocities!(e::Ensemble, ::Nothing)
    GC.@preserve e disable_sigint() do
        check(qi_bind_predicted_velocities(handle_of(e), C_NULL, 3, 1, 0))
        e.bound[3] = nothing
    end
    e
end
