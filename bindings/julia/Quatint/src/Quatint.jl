"""
Integrates the orientation and angular velocity of rigid bodies under torque, with the library `libquatint`. The default
method is PCDM of Zhao and van Wachem (Acta Mech. 224, 3091, 2013).

- [`Body`](@ref), [`step!`](@ref), [`advance!`](@ref), [`record`](@ref): one rigid body. `copy` and `deepcopy` copy it.
- [`Ensemble`](@ref), [`bind!`](@ref): many bodies, in the ensemble's own memory or in your arrays.
- [`set_method!`](@ref): the method.
- [`solve!`](@ref), [`solve_until!`](@ref): one body with error control, to a time or until an event. [`solve`](@ref),
  [`init`](@ref): the same as a function of time with several events, by the names of CommonSolve.
- [`set_torque!`](@ref): any function or closure, or a ready-made torque. [`set_drag!`](@ref): a drag besides it.
  [`set_rotor_momentum!`](@ref), [`set_rotor_torque!`](@ref): reaction wheels and their motors.
- [`set_inertia!`](@ref), [`set_inertia_function!`](@ref), [`lock_axes!`](@ref): another inertia for a body, one that changes with
  time, and axes about which bodies do not turn.
- [`set_langevin!`](@ref), [`thermalize!`](@ref), [`set_ids!`](@ref): random torques.
- [`kick!`](@ref), [`drift!`](@ref), [`kick_drift!`](@ref): the parts of a step, for programs with their own loop.
- [`set_points!`](@ref), [`sum_point_forces`](@ref): points fixed to bodies, and forces on them. [`bind_flow_gradients!`](@ref): the
  velocity gradient of a fluid at each body.
- [`rows`](@ref), [`set_rows!`](@ref), [`clock`](@ref): restart with the same bits, and bodies that go from one process to
  another. `resize!`, `deleteat!`, [`select_bodies!`](@ref): bodies that come and go. [`ExactSum`](@ref): sums in any order.
- [`rotate`](@ref), [`orientation`](@ref), [`integrate`](@ref): the functions of QuaternionIntegrator.jl, with the same
  names. They accept your quaternions, your arrays and your units.
- [`rotation_matrix`](@ref), [`euler_angles`](@ref), [`axis_angle`](@ref), [`rotation_vector`](@ref), and the other way
  [`orientation_from_matrix`](@ref), ...; [`angle_between`](@ref), [`Quatint.slerp`](@ref).
- [`Mass`](@ref), [`mass_properties`](@ref): mass, centre of mass and inertia of an assembly. [`principal_axes`](@ref).

A quaternion is `(w, x, y, z)`, has unit length, and rotates body vectors to the world frame. Vectors are in the world frame
unless a name says `body`. Angular velocities are in rad/s; all other quantities are in any consistent units. An inertia is
the full 3×3 tensor about the centre of mass in the body axes, or a vector of the three principal moments about these axes.

A call that fails throws a [`QuatintError`](@ref), a `DimensionMismatch`, or the exception of your torque, and leaves
everything as it was, or as the last completed step left it. Objects are independent of each other. Only one task at a time
may use an object.
"""
module Quatint

using Libdl
using LinearAlgebra
import Serialization

export Body, Ensemble, QuatintError
export step!, advance!, record, bind!
export set_method!, method, set_torque!, set_threads!, set_active!
export set_inertia!, set_inertia_function!, lock_axes!
export set_inertias!, set_orientations!
export orientations
export ConstantTorque, UniformFieldTorque, GravityGradientTorque, LinearDragTorque, ShearFlowTorque
export solve!, solve_until!, solve_statistics
export set_solve_longest_step!, set_solve_most_evaluations!, set_solve_method!
export init, solve, Event, Solution
export body_torque, uniform_field_torque, gravity_gradient_torque, linear_drag_torque, shear_flow_torque, shear_flow_resistances
export rows, rows!, set_rows!, row_size, select_bodies!, release_arrays!
export ExactSum, kinetic_energy_sums, angular_momentum_sums
export set_langevin!, set_ids!, ids, degrees_of_freedom
export set_drag!, kick!, kick_drift!, bind_predicted_velocities!
export set_points!, point_positions, point_positions!, point_velocities, point_velocities!
export sum_point_forces, sum_point_forces!, bind_flow_gradients!
export rotate, integrate
export rotation_matrix, orientation_from_matrix, euler_angles, orientation_from_euler, axis_angle, angle_between
export rotation_vector, orientation_from_rotation_vector
export turn_orientation, turn_by_samples, orientation_rate
export angular_velocity_from_euler_rates, euler_rates, orientation_from_mrp, mrp
export Mass, add_point!, add_sphere!, add_ellipsoid!, add_box!, add_cylinder!, add_capsule!, add_hemisphere!, add_cone!, add_mesh!, add_inertia!
export mass_properties, inertia_about, principal_axes

include("functions.jl")
include("library.jl")
include("errors.jl")
include("methods.jl")
include("numbers.jl")
include("torques.jl")
include("callbacks.jl")
include("body.jl")
include("solve.jl")
include("views.jl")
include("ensemble.jl")
include("rows.jl")
include("population.jl")
include("exact_sums.jl")
include("kicks.jl")
include("points.jl")
include("flow_gradients.jl")
include("drag.jl")
include("inertia.jl")
include("rotors.jl")
include("random.jl")
include("accessors.jl")
include("torque_functions.jl")
include("rotation.jl")
include("conversions.jl")
include("attitude.jl")
include("mass.jl")
include("integrate.jl")
include("properties.jl")
include("copies.jl")
include("solution.jl")
include("integrator.jl")

__init__() = load_library()

end
