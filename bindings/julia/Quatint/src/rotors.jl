# Rotors within a body, such as reaction wheels.

"""
    set_rotor_momentum!(ensemble, momenta; layout = nothing)

Sets the angular momenta of rotors within the bodies, body frame: one vector for all, a 3×n or n×3 matrix, a vector of `n` vectors, or
`particles => :field`. They are copied. `nothing` removes the rotors. For `layout` see [`set_orientations!`](@ref). An ensemble with
rotors takes no bound angular momenta.

Of a body or an ensemble, Euler's equation then holds for `I ω + momentum`. The inertia is that with the rotors locked. With rotors a
[`drift!`](@ref) is not exact: it has the order of the method.
"""
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
