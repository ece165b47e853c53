# Rotors within a body, such as reaction wheels.

"""
    set_rotor_momentum!(body, momentum)

Sets the angular momentum of rotors within the body, such as reaction wheels, in the body frame. Euler's equation then holds
for `I ω + momentum`. It is constant during steps and [`solve!`](@ref); a controller sets it between them. The motor that
changes it acts on the body with the torque `-d(momentum)/dt`, which is yours to give. Orientation and angular velocity stay.
`nothing` removes the rotors.

The inertia of the body is that with the rotors locked. [`angular_momentum`](@ref) includes the rotors,
[`kinetic_energy`](@ref) does not. With rotors a [`drift!`](@ref) is not exact, but solved to 1e-14.
"""
function set_rotor_momentum!(body::Body, momentum)
    numbers = Ref(three(momentum, "a momentum"))
    GC.@preserve body numbers begin
        check(qi_set_rotor_momentum(handle_of(body), Ptr{Float64}(pointer_from_objref(numbers))))
    end
    body.has_rotors = true
    body
end

function set_rotor_momentum!(body::Body, ::Nothing)
    GC.@preserve body check(qi_set_rotor_momentum(handle_of(body), Ptr{Float64}(C_NULL)))
    body.has_rotors = false
    body
end

"Angular momentum of the rotors within a body, body frame; see [`set_rotor_momentum!`](@ref)."
rotor_momentum(body::Body) = GC.@preserve body three_from(out -> qi_get_rotor_momentum(handle_of(body), out))
