# The ready-made torques, which the library computes without calling a Julia function. For an ensemble, a vector parameter
# may also be a matrix with a column for each body, and a number may be a vector with an element for each body.

"""
    ConstantTorque(torque; frame = :world)

A constant torque in the frame `:world` or `:body`.
"""
struct ConstantTorque
    torque
    frame::Symbol
    ConstantTorque(torque; frame = :world) = new(torque, frame)
end

"""
    UniformFieldTorque(vector_body, field_world)

The torque `(R v) × F` of a uniform field: a weight `F` at the point `v` of the body, or a dipole `v` in the field `F`.
"""
struct UniformFieldTorque
    vector_body
    field_world
end

"""
    GravityGradientTorque(direction_world, gradient)

The gravity-gradient torque `3 g n × (I n)` on a body that is small compared with its orbit. `n` is the direction to the
attracting mass, and `g` = G M / r³.
"""
struct GravityGradientTorque
    direction_world
    gradient
end

"""
    LinearDragTorque(coefficients)

The torque `-cᵢ ωᵢ` about each body axis `i`.
"""
struct LinearDragTorque
    coefficients
end

"""
    ShearFlowTorque(semi_axes, viscosity, velocity_gradient)

Jeffery's torque: that of a slow linear flow on an ellipsoid with these semi-axes. `velocity_gradient[i, j]` is ∂uᵢ/∂xⱼ,
world frame.
"""
struct ShearFlowTorque
    semi_axes
    viscosity
    velocity_gradient
end

const ReadyMade = Union{ConstantTorque, UniformFieldTorque, GravityGradientTorque, LinearDragTorque, ShearFlowTorque}

frame_of(frame::Symbol) =
    frame === :world ? QI_FRAME_WORLD : frame === :body ? QI_FRAME_BODY :
    throw(ArgumentError("the frame must be :world or :body, not :$frame"))

set_ready_made(body, t::ConstantTorque) = qi_set_constant_torque(body, vector(t.torque), frame_of(t.frame))
set_ready_made(body, t::UniformFieldTorque) = qi_set_uniform_field_torque(body, vector(t.vector_body), vector(t.field_world))
set_ready_made(body, t::GravityGradientTorque) =
    qi_set_gravity_gradient_torque(body, vector(t.direction_world), number(t.gradient))
set_ready_made(body, t::LinearDragTorque) = qi_set_linear_drag_torque(body, vector(t.coefficients))
set_ready_made(body, t::ShearFlowTorque) =
    qi_set_shear_flow_torque(body, vector(t.semi_axes), number(t.viscosity), nine(t.velocity_gradient))

set_ready_made(e, n, t::ConstantTorque) = qi_set_ensemble_constant_torque(e, each(t.torque, n)..., frame_of(t.frame))
set_ready_made(e, n, t::UniformFieldTorque) =
    qi_set_ensemble_uniform_field_torque(e, each(t.vector_body, n)..., vector(t.field_world))
set_ready_made(e, n, t::GravityGradientTorque) =
    qi_set_ensemble_gravity_gradient_torque(e, vector(t.direction_world), each_number(t.gradient, n)...)
set_ready_made(e, n, t::LinearDragTorque) = qi_set_ensemble_linear_drag_torque(e, each(t.coefficients, n)...)
set_ready_made(e, n, t::ShearFlowTorque) =
    qi_set_ensemble_shear_flow_torque(e, each(t.semi_axes, n)..., number(t.viscosity), nine(t.velocity_gradient))

vector(v) = collect(three(v))

"An array and its stride from body to body. The array has a column for each body, or one vector for all."
function each(v::AbstractMatrix, n)
    size(v) == (3, n) || throw(DimensionMismatch("there are $n bodies, so the matrix must be 3×$n, not $(join(size(v), '×'))"))
    array(v), 3
end
each(v, n) = vector(v), 0

function each_number(v::AbstractVector, n)
    check_length(v, n, "the vector of a number for each body")
    array(v), 1
end
each_number(v, n) = [number(v)], 0
