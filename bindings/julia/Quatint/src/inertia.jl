# Another inertia for a body, one that changes, and axes about which bodies do not turn.

const KEEPS = (angular_velocity = QI_KEEP_ANGULAR_VELOCITY, angular_momentum = QI_KEEP_ANGULAR_MOMENTUM)

"""
    set_inertia!(body, inertia; keep = :angular_velocity)

Sets the inertia: a 3×3 tensor or three principal moments. `keep` is `:angular_velocity` where a part is cut off and leaves
with its momentum, `:angular_momentum` where material moves inside the body, as when a panel unfolds. Orientation, clock and
torque stay. No axis is locked then.
"""
function set_inertia!(body::Body, inertia; keep::Symbol = :angular_velocity)
    haskey(KEEPS, keep) ||
        throw(ArgumentError("`keep` must be :angular_velocity or :angular_momentum, not $(repr(keep))"))
    GC.@preserve body check(qi_set_inertia(handle_of(body), nine(inertia), KEEPS[keep]))
    body.inertia_callback = nothing
    body
end

"""
    set_inertia_function!(body, inertia)
    set_inertia_function!(body, nothing)

Gives the body an inertia that changes with its clock, as where panels unfold or propellant burns: any function, closure or
callable `inertia(time)` that returns a 3×3 tensor or three principal moments, the same for the same time. With `nothing` the
inertia is constant from now on. [`set_inertia!`](@ref) and [`lock_axes!`](@ref) end the change, too.

Material moves inside the body without an angular momentum of its own, so the torque alone changes the angular momentum. The
angular velocity stays at this call, and when the clock is set. The method `:splitting` moves such a body,
[`drift!`](@ref), and [`solve!`](@ref) and the other solutions with the solve method `:nonstiff`.

If the function throws, the call that moves the body throws the same exception, and a step has changed nothing.
"""
function set_inertia_function!(body::Body, inertia)
    callback = Callback(inertia)
    disable_sigint() do # no interrupt may come after C has stored the callback and before we have
        status = GC.@preserve callback qi_set_inertia_function(handle_of(body), inertia_pointer(callback), user_data(callback))
        status == QI_ERR_CALLBACK && check(status, callback, "inertia")
        check(status)
        body.inertia_callback = callback
    end
    body
end

function set_inertia_function!(body::Body, ::Nothing)
    GC.@preserve body check(qi_set_inertia_function(handle_of(body), C_NULL, C_NULL))
    body.inertia_callback = nothing
    body
end

"""
    lock_axes!(body, axes)

Locks body axes, in addition to those that are locked: from now on the body does not turn about them, whatever the torque. `axes`
are the letters of the axes, such as `"z"` or `:xy`. Each must be a principal axis. With two locks the body is a wheel, with
three it keeps its orientation. One lock alone asks for equal moments about the other two axes: it makes a disc that cannot
spin. The locked axes turn with the body.

The angular velocity about them is taken away, and the moments about them are zero: energy and angular momentum are those of
the rotation about the other axes. [`set_inertia!`](@ref) unlocks.

    lock_axes!(ensemble, axes)

The same for all bodies, or for each body with axes of its own: a vector of these, `""` for none. [`set_inertias!`](@ref)
unlocks.
"""
function lock_axes!(body::Body, axes)
    GC.@preserve body check(qi_set_locked_axes(handle_of(body), sum_of_axes(axes)))
    body.inertia_callback = nothing
    body
end

lock_axes!(e::Ensemble, axes::Union{AbstractString, Symbol}) = lock_axes!(e, Int32[sum_of_axes(axes)], 0)

function lock_axes!(e::Ensemble, axes)
    sums = Int32[sum_of_axes(letters) for letters in axes]
    length(sums) == e.count ||
        throw(DimensionMismatch("there are $(e.count) bodies, but axes for $(length(sums))"))
    lock_axes!(e, sums, 1)
end

function lock_axes!(e::Ensemble, sums::Vector{Int32}, stride)
    GC.@preserve e check(qi_set_ensemble_locked_axes(handle_of(e), sums, stride))
    e
end

const AXES = (x = QI_AXIS_X, y = QI_AXIS_Y, z = QI_AXIS_Z)

function sum_of_axes(letters::AbstractString)
    all(in("xyz"), letters) || refuse_axes(letters)
    reduce(|, (AXES[Symbol(letter)] for letter in letters); init = Int32(0))
end
sum_of_axes(letters::Symbol) = sum_of_axes(string(letters))
sum_of_axes(letters) = refuse_axes(letters)

refuse_axes(axes) = throw(ArgumentError("axes must be of the letters x, y and z, such as \"xz\", not $(repr(axes))"))
