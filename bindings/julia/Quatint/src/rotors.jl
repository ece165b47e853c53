# Rotors within a body, such as reaction wheels.

"""
    set_rotor_momentum!(body, momentum)
    set_rotor_momentum!(ensemble, momenta; layout = nothing)

Sets the angular momentum of rotors within the body, such as reaction wheels, in the body frame. Euler's equation then holds
for `I ω + momentum`. Only the motors of [`set_rotor_torque!`](@ref) change it. Orientation and angular velocity stay.
`nothing` removes the rotors.

For an ensemble, `momenta` are one vector for all, a 3×n or n×3 matrix, a vector of `n` vectors, or `particles => :field`. They are
copied. For `layout` see [`set_orientations!`](@ref). An ensemble with rotors takes no bound angular momenta.

The inertia of the body is that with the rotors locked. [`angular_momentum`](@ref) includes the rotors,
[`kinetic_energy`](@ref) does not. With rotors a [`drift!`](@ref) is not exact: it has the order of the method.
"""
set_rotor_momentum!(body::Body, momentum) = give_three(qi_set_rotor_momentum, body, momentum, "a momentum")

function set_rotor_momentum!(e::Ensemble, momenta; layout = nothing)
    h = packed(momenta, e.count, layout)
    GC.@preserve e h check(qi_set_ensemble_rotor_momentum(handle_of(e), h.pointer, h.body_stride))
    e.has_rotors = true
    e
end

function set_rotor_momentum!(e::Ensemble, ::Nothing)
    GC.@preserve e check(qi_set_ensemble_rotor_momentum(handle_of(e), Ptr{Float64}(C_NULL), 0))
    e.has_rotors = false
    e
end

"Angular momentum of the rotors within a body, body frame; see [`set_rotor_momentum!`](@ref)."
rotor_momentum(body::Body) = GC.@preserve body three_from(out -> qi_get_rotor_momentum(handle_of(body), out))

"""
    set_rotor_torque!(body, torque)

Sets the torque of the motors that drive the rotors, in the body frame: it acts on the body, and the opposite on the rotors,
in every step, [`drift!`](@ref) and [`solve!`](@ref). Every method keeps its order. It stays until it is set anew; a controller
sets it once per sample. `nothing` or zeros: no motors.
"""
set_rotor_torque!(body::Body, torque) = give_three(qi_set_rotor_torque, body, torque, "a torque")

"Torque of the motors that drive the rotors within a body, body frame; see [`set_rotor_torque!`](@ref)."
rotor_torque(body::Body) = GC.@preserve body three_from(out -> qi_get_rotor_torque(handle_of(body), out))

# Three numbers for a function of C, or NULL for `nothing`.
function give_three(set, body::Body, numbers, what)
    numbers = Ref(three(numbers, what))
    GC.@preserve body numbers check(set(handle_of(body), Ptr{Float64}(pointer_from_objref(numbers))))
    body
end

function give_three(set, body::Body, ::Nothing, _)
    GC.@preserve body check(set(handle_of(body), Ptr{Float64}(C_NULL)))
    body
end
