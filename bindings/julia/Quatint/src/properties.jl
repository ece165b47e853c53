# The state of bodies and ensembles as properties. Each calls the function that gets or sets it.

const BODY_GETTERS = (orientation = orientation, angular_velocity = angular_velocity, angular_velocity_body = angular_velocity_body,
    angular_momentum = angular_momentum, kinetic_energy = kinetic_energy, time = time, clock = clock, method = method,
    rotor_momentum = rotor_momentum, rotor_torque = rotor_torque, noise_draws = noise_draws, torque = body -> getfield(body, :acting))
const BODY_SETTERS = (
    orientation = (body, q) -> set_state_body!(body, q, angular_velocity_as_turned(body, q)),
    angular_velocity = (body, ω) -> set_state!(body, orientation(body), ω),
    angular_velocity_body = (body, ω) -> set_state_body!(body, orientation(body), ω),
    angular_momentum = set_angular_momentum!, time = set_time!, clock = set_clock!, method = set_method!, torque = set_torque!,
    rotor_momentum = set_rotor_momentum!, rotor_torque = set_rotor_torque!, noise_draws = set_noise_draws!)
const ENSEMBLE_GETTERS = (orientations = orientations, angular_velocities = angular_velocities, angular_momenta = angular_momenta,
    kinetic_energies = kinetic_energies, kinetic_energy = kinetic_energy, angular_momentum = angular_momentum, time = time,
    clock = clock, method = method, ids = ids, noise_draws = noise_draws, degrees_of_freedom = degrees_of_freedom,
    torque = e -> getfield(e, :acting))
const ENSEMBLE_SETTERS = (orientations = set_orientations!, angular_velocities = set_angular_velocities!,
    angular_momenta = set_angular_momenta!, time = set_time!, clock = set_clock!, method = set_method!, torque = set_torque!,
    threads = set_threads!, ids = set_ids!, noise_draws = set_noise_draws!)

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
