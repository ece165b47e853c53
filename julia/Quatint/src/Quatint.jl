"""
Orientation and angular velocity of rigid bodies under torque, advanced in time: PCDM, the method of Zhao and van Wachem (Acta
Mech. 224, 3091, 2013), by the library `libquatint`.

- [`Body`](@ref), [`step!`](@ref), [`advance!`](@ref), [`record`](@ref): one rigid body.
- [`Ensemble`](@ref), [`bind!`](@ref): many, in their own memory or in your arrays.
- [`set_torque!`](@ref): any function or closure, or a ready-made torque.
- [`rotate`](@ref), [`orientation`](@ref), [`integrate`](@ref): what QuaternionIntegrator.jl has, by the same names; they take
  your quaternions, your arrays and your units.

A quaternion is `(w, x, y, z)`, of unit length, and takes body vectors to the world. Vectors are in the world frame unless a name
says `body`; angular velocities in rad/s, everything else in any consistent units. An inertia is the full 3×3 tensor about the
centre of mass in the axes of the body, or a vector of its three principal moments along them.

A call that fails throws ([`QuatintError`](@ref), `DimensionMismatch`, or what your torque threw) and leaves everything as it was.
Objects are independent of each other; one object is for one task at a time.
"""
module Quatint

using Libdl
using LinearAlgebra

export Body, Ensemble, QuatintError
export step!, advance!, record, bind!
export set_torque!, set_state!, set_state_body!, set_time!, set_threads!, set_active!
export set_inertias!, set_orientations!, set_angular_velocities!
export angular_velocity, angular_velocity_body, angular_momentum, kinetic_energy
export orientations, angular_velocities, angular_momenta, kinetic_energies
export ConstantTorque, UniformFieldTorque, GravityGradientTorque, LinearDragTorque, ShearFlowTorque
export rotate, orientation, integrate

include("functions.jl")
include("library.jl")
include("errors.jl")
include("numbers.jl")
include("torques.jl")
include("callbacks.jl")
include("body.jl")
include("views.jl")
include("ensemble.jl")
include("rotation.jl")
include("integrate.jl")
include("companions.jl")

function __init__()
    load_library()
    complete_companions()
    push!(Base.package_callbacks, complete_companions)
end

end
