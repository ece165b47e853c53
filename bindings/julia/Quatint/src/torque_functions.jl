# The torques that the library knows, as functions for your own torque: it can add them up. They return a `Vec3` in the world
# frame and allocate nothing.

"""
    body_torque(orientation, torque_body)

The torque `torque_body` in the body frame, turned to the world frame. As the other torques of this kind it is a
[`Quatint.Vec3`](@ref), so that a torque function can add several up:

    set_torque!(body, (time, q, ω) -> body_torque(q, (0, 0, thrust(time))) + linear_drag_torque(q, ω, coefficients))
"""
body_torque(q, torque_body) = torque_from((four(q)..., three(torque_body, "a torque")...)) do p, torque
    qi_add_body_torque(p, p + 32, torque)
end

"""
    uniform_field_torque(orientation, vector_body, field_world)

The torque `(R v) × F` of [`UniformFieldTorque`](@ref), for a torque function.
"""
uniform_field_torque(q, vector_body, field_world) =
    torque_from((four(q)..., three(vector_body)..., three(field_world)...)) do p, torque
        qi_add_uniform_field_torque(p, p + 32, p + 56, torque)
    end

"""
    gravity_gradient_torque(orientation, inertia, direction_world, gradient)

The torque `3 g n × (I n)` of [`GravityGradientTorque`](@ref), for a torque function. `inertia` is that of the body: a 3×3
tensor or the three principal moments. `direction_world`, of any length but 0, and `gradient` may depend on the time, as on an
eccentric orbit.
"""
gravity_gradient_torque(q, inertia, direction_world, gradient) =
    torque_from((four(q)..., tensor(inertia)..., three(direction_world)...)) do p, torque
        qi_add_gravity_gradient_torque(p, p + 32, p + 104, number(gradient), torque)
    end

"""
    linear_drag_torque(orientation, angular_velocity, coefficients; flow = (0, 0, 0))

The torque `-cᵢ (ωᵢ - flowᵢ)` about each body axis `i`, for a torque function. `flow` is the angular velocity of the
surroundings, world frame. It is explicit: for a stiff drag take [`set_drag!`](@ref).
"""
linear_drag_torque(q, ω, coefficients; flow = (0, 0, 0)) =
    torque_from((four(q)..., three(ω)..., three(coefficients)..., three(flow)...)) do p, torque
        qi_add_linear_drag_torque(p, p + 32, p + 56, p + 80, torque)
    end

"""
    shear_flow_resistances(semi_axes, viscosity)

Returns the six resistances of an ellipsoid that [`shear_flow_torque`](@ref) takes. They do not change with the motion:
compute them once.
"""
function shear_flow_resistances(semi_axes, viscosity)
    axes, resistances = Ref(three(semi_axes)), Ref((0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    GC.@preserve axes resistances check(qi_get_shear_flow_resistances(Ptr{Float64}(pointer_from_objref(axes)),
        number(viscosity), Ptr{Float64}(pointer_from_objref(resistances))))
    resistances[]
end

"""
    shear_flow_torque(orientation, angular_velocity, resistances, velocity_gradient)

Jeffery's torque of [`ShearFlowTorque`](@ref), for a torque function, with the resistances from
[`shear_flow_resistances`](@ref). `velocity_gradient[i, j]` is ∂uᵢ/∂xⱼ, world frame; it may depend on the time. It is explicit: for a stiff flow take [`ShearFlowTorque`](@ref).
"""
function shear_flow_torque(q, ω, resistances, velocity_gradient)
    check_length(resistances, 6, "the resistances")
    r = ntuple(i -> number(resistances[i]), Val(6))
    torque_from((four(q)..., three(ω)..., r..., tensor(velocity_gradient)...)) do p, torque
        qi_add_shear_flow_torque(p, p + 32, p + 56, p + 104, torque)
    end
end

"The torque that a C function adds to zero. `add` gets the addresses of the numbers and of the torque."
@inline function torque_from(add, numbers)
    input, torque = Ref(numbers), Ref((0.0, 0.0, 0.0))
    GC.@preserve input torque begin
        check(add(Ptr{Float64}(pointer_from_objref(input)), Ptr{Float64}(pointer_from_objref(torque))))
    end
    Vec3(torque[]...)
end
