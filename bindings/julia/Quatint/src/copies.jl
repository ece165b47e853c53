# Copies of bodies. The library has no function for it: its rows hold all that changes, and the rest is set again.

"""
    copy(body)
    deepcopy(body)

Makes another body that goes on with the same bits, and shares nothing with the first one but its functions, such as that of the
torque; `deepcopy` copies these too. [`solve_statistics`](@ref) of the copy are zero.
"""
Base.copy(body::Body) = copied(body, identity)

Base.deepcopy_internal(body::Body, copies::IdDict) =
    get!(() -> copied(body, object -> Base.deepcopy_internal(object, copies)), copies, body)

function copied(body::Body, of_function)
    inertia, acting = body.inertia_callback, getfield(body, :acting)
    copy = Body((1, 1, 1); method = method(body))
    # where the noise stands and the time, which an inertia function follows
    set_noise_draws!(set_clock!(copy, clock(body)), noise_draws(body))
    inertia === nothing || set_inertia_function!(copy, of_function(inertia.f))
    set_torque!(copy, acting isa ReadyMade ? acting : of_function(acting))
    copy_drag!(copy, body)
    copy_rotors!(copy, body)
    copy_solving!(copy, body)
    # last: what is set after the row makes a splitting forget the torque that it keeps
    parts = inertia === nothing ? (:state, :inertia, :torque, :memory, :id) : (:state, :torque, :memory, :id)
    set_rows!(copy, rows(body; parts = parts); parts = parts)
end

"A drag, or random torques, of any coefficients: the row has those of the body."
function copy_drag!(copy, body)
    body.has_drag && set_drag!(copy, (1, 1, 1))
    body.random === nothing && return
    kt, seed = body.random
    set_langevin!(copy, (1, 1, 1); kt = kt, seed = seed)
end

function copy_rotors!(copy, body)
    has_rotors = row_size(body; parts = :torque) > row_size(copy; parts = :torque)
    has_rotors && set_rotor_momentum!(copy, rotor_momentum(body))
    motor = rotor_torque(body)
    iszero(motor) || set_rotor_torque!(copy, motor)
end

function copy_solving!(copy, body)
    set = body.solving
    set_solve_longest_step!(copy, set.longest_step)
    set_solve_most_evaluations!(copy, set.most_evaluations)
    set_solve_method!(copy, set.method)
end
