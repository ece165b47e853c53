# The state of bodies and ensembles as properties. Each calls the function that gets or sets it.

# ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml: do not edit
const PLAIN_BODY_GETTERS = (time = time, clock = clock, orientation = orientation, angular_velocity = angular_velocity,
    angular_velocity_body = angular_velocity_body, angular_momentum = angular_momentum, kinetic_energy = kinetic_energy,
    noise_draws = noise_draws, rotor_momentum = rotor_momentum, rotor_torque = rotor_torque,)
const PLAIN_BODY_SETTERS = (time = set_time!, clock = set_clock!, angular_momentum = set_angular_momentum!,
    noise_draws = set_noise_draws!, rotor_momentum = set_rotor_momentum!, rotor_torque = set_rotor_torque!,)
const PLAIN_ENSEMBLE_GETTERS = (time = time, clock = clock, angular_velocities = angular_velocities,
    angular_momenta = angular_momenta, kinetic_energies = kinetic_energies, total_kinetic_energy = total_kinetic_energy,
    total_angular_momentum = total_angular_momentum, noise_draws = noise_draws, active_count = active_count,
    point_count = point_count,)
const PLAIN_ENSEMBLE_SETTERS = (time = set_time!, clock = set_clock!, angular_velocities = set_angular_velocities!,
    angular_momenta = set_angular_momenta!, noise_draws = set_noise_draws!,)
# ---- end of what `make bindings` writes

const BODY_GETTERS = (; PLAIN_BODY_GETTERS..., method = method, torque = body -> getfield(body, :acting))
const BODY_SETTERS = (; PLAIN_BODY_SETTERS...,
    orientation = (body, q) -> set_state_body!(body, q, angular_velocity_as_turned(body, q)),
    angular_velocity = (body, ω) -> set_state!(body, orientation(body), ω),
    angular_velocity_body = (body, ω) -> set_state_body!(body, orientation(body), ω),
    method = set_method!, torque = set_torque!)
const ENSEMBLE_GETTERS = (; PLAIN_ENSEMBLE_GETTERS..., orientations = orientations, method = method, ids = ids,
    degrees_of_freedom = degrees_of_freedom, torque = e -> getfield(e, :acting))
const ENSEMBLE_SETTERS = (; PLAIN_ENSEMBLE_SETTERS..., orientations = set_orientations!, method = set_method!, torque = set_torque!,
    threads = set_threads!, ids = set_ids!)

"The angular velocity in the world frame stays where the orientation is assigned."
angular_velocity_as_turned(body, q) = rotate(inv(Quaternion(q)), angular_velocity(body))

getters(::Type{Body}) = BODY_GETTERS
setters(::Type{Body}) = BODY_SETTERS
getters(::Type{Ensemble}) = ENSEMBLE_GETTERS
setters(::Type{Ensemble}) = ENSEMBLE_SETTERS

const WithProperties = Union{Body, Ensemble}

@inline function Base.getproperty(object::T, name::Symbol) where {T <: WithProperties}
    hasfield(T, name) && return getfield(object, name)
    haskey(getters(T), name) ? getters(T)[name](object) : no_property(T, name, Base.propertynames(object))
end

@inline function Base.setproperty!(object::T, name::Symbol, value) where {T <: WithProperties}
    haskey(setters(T), name) && return set_as_property!(object, name, value)
    name in (:count,) && throw(ArgumentError("the number of bodies is changed by resize!"))
    hasfield(T, name) && return setfield!(object, name, convert(fieldtype(T, name), value))
    haskey(getters(T), name) && throw(ArgumentError("$name of a $(nameof(T)) can be read, not set"))
    no_property(T, name, keys(setters(T)))
end

function set_as_property!(object::T, name, value) where {T}
    setters(T)[name](object, value)
    value
end

no_property(T, name, names) =
    throw(ArgumentError("a $(nameof(T)) has no property $name; it has $(join(sort!(collect(names)), ", ", " and "))"))

Base.propertynames(::T, private::Bool = false) where {T <: WithProperties} =
    (keys(getters(T))..., (private ? fieldnames(T) : ())...)
