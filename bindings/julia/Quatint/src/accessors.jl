# The plain functions of bodies and ensembles: they get, set or do something.

# ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml: do not edit
export set_time!, clock, set_clock!, orientation, angular_velocity, angular_velocity_body, set_state!, set_state_body!,
    angular_momentum, set_angular_momentum!, kinetic_energy, angular_velocities, set_angular_velocities!, angular_momenta,
    set_angular_momenta!, kinetic_energies, total_kinetic_energy, total_angular_momentum, scale_angular_momenta!,
    set_principal_inertias!, thermalize!, noise_draws, set_noise_draws!, rotor_momentum, set_rotor_momentum!, rotor_torque,
    set_rotor_torque!, drift!, forget_torque!, acting_torque, angular_acceleration, active_count, point_count

"""
    time(body)
    time(ensemble)

The clock: the sum of the steps since it was set.
"""
Base.time(body::Body) = GC.@preserve body one_from(out -> qi_get_time(handle_of(body), out))
Base.time(e::Ensemble) = GC.@preserve e one_from(out -> qi_get_ensemble_time(handle_of(e), out))

"""
    set_time!(body, time)
    set_time!(ensemble, time)

Sets the clock: the sum of the steps since it was set.
"""
set_time!(body::Body, time) = (GC.@preserve body check(calling_back(() -> qi_set_time(handle_of(body), time)), body); body)
set_time!(e::Ensemble, time) = (GC.@preserve e check(qi_set_ensemble_time(handle_of(e), time)); e)

"""
    clock(body)
    clock(ensemble)

The whole clock: the time, and what rounding has left of the sum of the steps. Set again, it gives a run the same times bit for
bit.
"""
clock(body::Body) = GC.@preserve body two_from(out -> qi_get_clock(handle_of(body), out))
clock(e::Ensemble) = GC.@preserve e two_from(out -> qi_get_ensemble_clock(handle_of(e), out))

"""
    set_clock!(body, clock)
    set_clock!(ensemble, clock)

Sets the whole clock: the time, and what rounding has left of the sum of the steps.
"""
set_clock!(body::Body, clock) =
    (GC.@preserve body check(calling_back(() -> qi_set_clock(handle_of(body), two(clock))), body); body)
set_clock!(e::Ensemble, clock) = (GC.@preserve e check(qi_set_ensemble_clock(handle_of(e), two(clock))); e)

"""
    orientation(body)

The orientation (w, x, y, z), body to world.
"""
orientation(body::Body) = GC.@preserve body four_from(out -> qi_get_orientation(handle_of(body), out))

"""
    angular_velocity(body)

The angular velocity, rad/s, world frame.
"""
angular_velocity(body::Body) = GC.@preserve body three_from(out -> qi_get_angular_velocity(handle_of(body), out))

"""
    angular_velocity_body(body)

The angular velocity, rad/s, body frame, which is the stored form.
"""
angular_velocity_body(body::Body) = GC.@preserve body three_from(out -> qi_get_angular_velocity_body(handle_of(body), out))

"""
    set_state!(body, orientation, angular_velocity)

Sets the orientation and the angular velocity, world frame. Clock and torque stay.
"""
set_state!(body::Body, orientation, angular_velocity) =
    (GC.@preserve body check(qi_set_state(handle_of(body), collect(four(orientation)), vector(angular_velocity))); body)

"""
    set_state_body!(body, orientation, angular_velocity_body)

Sets the orientation and the angular velocity, body frame. It restores the values of [`orientation`](@ref) and
[`angular_velocity_body`](@ref) bit for bit.
"""
set_state_body!(body::Body, orientation, angular_velocity_body) =
    (GC.@preserve body check(qi_set_state_body(handle_of(body), collect(four(orientation)), vector(angular_velocity_body))); body)

"""
    angular_momentum(body)

The angular momentum, world frame, with that of rotors.
"""
angular_momentum(body::Body) = GC.@preserve body three_from(out -> qi_get_angular_momentum(handle_of(body), out))

"""
    set_angular_momentum!(body, angular_momentum)

Sets the angular momentum, world frame, with that of rotors. The angular velocity follows from it. Orientation and clock stay.
"""
set_angular_momentum!(body::Body, angular_momentum) =
    (GC.@preserve body check(qi_set_angular_momentum(handle_of(body), vector(angular_momentum))); body)

"""
    kinetic_energy(body)

The rotational kinetic energy, without that of rotors.
"""
kinetic_energy(body::Body) = GC.@preserve body one_from(out -> qi_get_kinetic_energy(handle_of(body), out))

"""
    angular_velocities(ensemble)

The angular velocities, rad/s, world frame. A new matrix, 3×n.
"""
angular_velocities(e::Ensemble) = take(e, 3, qi_get_angular_velocities)

"""
    set_angular_velocities!(ensemble, angular_velocities; layout = nothing)

Sets the angular velocities, rad/s, world frame. A 3×n or n×3 matrix, a vector of `n` vectors, or one vector for all. For
`layout` see [`set_orientations!`](@ref).
"""
set_angular_velocities!(e::Ensemble, angular_velocities; layout = nothing) =
    give(e, readable(angular_velocities, 3, e.count; layout = layout), qi_set_angular_velocities)

"""
    angular_momenta(ensemble)

The angular momenta, world frame. A new matrix, 3×n.
"""
angular_momenta(e::Ensemble) = take(e, 3, qi_get_angular_momenta)

"""
    set_angular_momenta!(ensemble, angular_momenta; layout = nothing)

Sets the angular momenta, world frame. The angular velocities follow from orientations and inertias. A 3×n or n×3 matrix, a
vector of `n` vectors, or one vector for all. For `layout` see [`set_orientations!`](@ref).
"""
set_angular_momenta!(e::Ensemble, angular_momenta; layout = nothing) =
    give(e, readable(angular_momenta, 3, e.count; layout = layout), qi_set_angular_momenta)

"""
    kinetic_energies(ensemble)

The rotational kinetic energy of each body. A new vector.
"""
kinetic_energies(e::Ensemble) = take_numbers(e, qi_get_kinetic_energies)

"""
    total_kinetic_energy(ensemble)

The rotational kinetic energy of the active bodies. It has the same bits for any number of threads.
"""
total_kinetic_energy(e::Ensemble) = GC.@preserve e one_from(out -> qi_get_total_kinetic_energy(handle_of(e), out))

"""
    total_angular_momentum(ensemble)

The angular momentum of rotation of the active bodies, world frame. It has the same bits for any number of threads.
"""
total_angular_momentum(e::Ensemble) = GC.@preserve e three_from(out -> qi_get_total_angular_momentum(handle_of(e), out))

"""
    scale_angular_momenta!(ensemble, factor)

Multiplies the angular momenta of the active bodies by a factor, for a thermostat of your own.
"""
scale_angular_momenta!(e::Ensemble, factor) = (GC.@preserve e check(qi_scale_angular_momenta(handle_of(e), factor)); e)

"""
    set_principal_inertias!(ensemble, moments; layout = nothing)

Sets the inertias of bodies whose axes are principal axes, by the moments about them. Otherwise as [`set_inertias!`](@ref), but
faster. A 3×n or n×3 matrix, a vector of `n` vectors, or one vector for all. For `layout` see [`set_orientations!`](@ref).
"""
set_principal_inertias!(e::Ensemble, moments; layout = nothing) =
    give(e, readable(moments, 3, e.count; layout = layout), qi_set_principal_inertias)

"""
    thermalize!(body, duration)
    thermalize!(ensemble, duration)

Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock stays. It is one draw. Programs that
kick and drift call it between two drifts of half a step.
"""
thermalize!(body::Body, duration) = (GC.@preserve body check(qi_thermalize(handle_of(body), duration)); body)
thermalize!(e::Ensemble, duration) = (GC.@preserve e check(qi_thermalize_ensemble(handle_of(e), duration)); e)

"""
    noise_draws(body)
    noise_draws(ensemble)

How many times noise has been drawn. Each step with random torques draws, and so does [`thermalize!`](@ref). A restart needs
the number besides the state and the clock.
"""
noise_draws(body::Body) = GC.@preserve body integer_from(out -> qi_get_noise(handle_of(body), out))
noise_draws(e::Ensemble) = GC.@preserve e integer_from(out -> qi_get_ensemble_noise(handle_of(e), out))

"""
    set_noise_draws!(body, draws)
    set_noise_draws!(ensemble, draws)

Sets how many times noise has been drawn.
"""
set_noise_draws!(body::Body, draws::Integer) = (GC.@preserve body check(qi_set_noise(handle_of(body), draws)); body)
set_noise_draws!(e::Ensemble, draws::Integer) = (GC.@preserve e check(qi_set_ensemble_noise(handle_of(e), draws)); e)

"""
    rotor_momentum(body)

The angular momentum of rotors within the body, such as reaction wheels, body frame.
"""
rotor_momentum(body::Body) = GC.@preserve body three_from(out -> qi_get_rotor_momentum(handle_of(body), out))

"""
    set_rotor_momentum!(body, momentum)

Sets the angular momentum of rotors within the body, such as reaction wheels, body frame. Only the torque of
[`set_rotor_torque!`](@ref) changes it. Orientation and angular velocity stay. [`angular_momentum`](@ref) includes it,
[`kinetic_energy`](@ref) does not. The inertia of the body is that with the rotors locked or, where the torque of a motor is
known, less J a a^T for each (docs/torques.md). `nothing`: removes the rotors.
"""
set_rotor_momentum!(body::Body, momentum) = give_three(qi_set_rotor_momentum, body, momentum, "`momentum`")

"""
    rotor_torque(body)

The torque of the motors that drive the rotors, body frame.
"""
rotor_torque(body::Body) = GC.@preserve body three_from(out -> qi_get_rotor_torque(handle_of(body), out))

"""
    set_rotor_torque!(body, torque_body)

Sets the torque of the motors that drive the rotors, body frame. While time passes it acts on the body, and its opposite on the
rotors. It stays until it is set again: a controller sets it once per sample. `nothing`: removes the motors.
"""
set_rotor_torque!(body::Body, torque_body) = give_three(qi_set_rotor_torque, body, torque_body, "`torque_body`")

"""
    drift!(body, duration)
    drift!(ensemble, duration)

Rotates freely for a duration of any length: exactly, or with rotors by the method. The clock moves on. The torque is not
called.
"""
drift!(body::Body, duration) = (GC.@preserve body check(calling_back(() -> qi_drift(handle_of(body), duration)), body); body)
drift!(e::Ensemble, duration) = (GC.@preserve e check(qi_drift_ensemble(handle_of(e), duration)); e)

"""
    forget_torque!(body)

Says that something has changed that the torque reads, such as a sampled command: the splitting methods then ask for the torque
again.
"""
forget_torque!(body::Body) = (GC.@preserve body check(qi_forget_torque(handle_of(body))); body)

"""
    acting_torque(body)

The sum of all torques at the present state, those of drag and motors too, world frame. The torque is asked once.
"""
acting_torque(body::Body) = at_present(body, qi_get_torque)

"""
    angular_acceleration(body)

The angular acceleration at the present state, rad/s^2, world frame. The torque is asked once.
"""
angular_acceleration(body::Body) = at_present(body, qi_get_angular_acceleration)

"""
    active_count(ensemble)

The number of bodies that move, and so that of the bodies in a stage.
"""
active_count(e::Ensemble) = GC.@preserve e size_from(out -> qi_get_ensemble_active_count(handle_of(e), out))

"""
    point_count(ensemble)

The number of points of all bodies. It is an error if none have been set for these bodies.
"""
point_count(e::Ensemble) = GC.@preserve e size_from(out -> qi_get_point_count(handle_of(e), out))
# ---- end of what `make bindings` writes
