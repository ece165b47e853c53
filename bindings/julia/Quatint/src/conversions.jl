# Other forms of an orientation. Quaternions are given as everywhere: any type with the fields s, v1, v2, v3, or four numbers.

"""
    rotation_matrix(q)

Returns the 3×3 rotation matrix `R` of an orientation, where `v_world = R * v_body`.
"""
function rotation_matrix(q)
    by_rows = Matrix{Float64}(undef, 3, 3)
    check(qi_orientation_to_matrix(collect(four(q)), by_rows))
    permutedims(by_rows)
end

"""
    orientation_from_matrix(R)

Returns the orientation of a 3×3 rotation matrix. `R'R` must be the identity to 1e-3 in each entry, and the determinant
positive.
"""
function orientation_from_matrix(R::AbstractMatrix)
    size(R) == (3, 3) || throw(DimensionMismatch("a rotation matrix must be 3×3, not $(join(size(R), '×'))"))
    by_rows = collect(tensor(R))
    four_from(out -> qi_orientation_from_matrix(by_rows, out))
end

"""
    orientation_from_euler(angles, sequence)

Returns the orientation of three Euler (or Tait-Bryan) angles in radians, in the order of the sequence. `sequence` names three
axes, no axis twice in a row. Lower case, such as `"xyz"`, rotates about the world axes (extrinsic); upper case, such as
`"ZXZ"`, about the axes of the rotating body (intrinsic).
"""
function orientation_from_euler(angles, sequence::AbstractString)
    numbers = vector(angles)
    four_from(out -> qi_orientation_from_euler(numbers, sequence, out))
end

"""
    euler_angles(q, sequence)

Returns the Euler angles of an orientation in radians, a [`Quatint.Vec3`](@ref); see [`orientation_from_euler`](@ref). The first
and the third are in (-π, π]. The second is in [0, π] if the first and third axes are the same, otherwise in [-π/2, π/2]. At the
ends of that range the third angle is 0.
"""
function euler_angles(q, sequence::AbstractString)
    numbers = collect(four(q))
    three_from(out -> qi_orientation_to_euler(numbers, sequence, out))
end

"""
    angular_velocity_from_euler_rates(angles, rates, sequence)

Returns the angular velocity (world frame) of a body whose Euler angles change at these rates, a [`Quatint.Vec3`](@ref). Angles and
rates are in the order of the sequence; see [`orientation_from_euler`](@ref).
"""
function angular_velocity_from_euler_rates(angles, rates, sequence::AbstractString)
    at, changing = vector(angles), vector(rates)
    three_from(out -> qi_angular_velocity_from_euler_rates(at, changing, sequence, out))
end

"""
    euler_rates(angles, angular_velocity, sequence)

Returns the rates of the Euler angles of a body with this angular velocity (world frame): the inverse of
[`angular_velocity_from_euler_rates`](@ref). At gimbal lock, where the first and the third axis are parallel, there are none.
"""
function euler_rates(angles, angular_velocity, sequence::AbstractString)
    at, turning = vector(angles), vector(angular_velocity)
    three_from(out -> qi_angular_velocity_to_euler_rates(at, turning, sequence, out))
end

"""
    mrp(q)

Returns the modified Rodrigues parameters of an orientation, `tan(angle / 4) * axis`, of at most unit length: a
[`Quatint.Vec3`](@ref).
"""
function mrp(q)
    numbers = collect(four(q))
    three_from(out -> qi_orientation_to_mrp(numbers, out))
end

"""
    orientation_from_mrp(parameters)

Returns the orientation of modified Rodrigues parameters of any length; those longer than 1 are of the shadow set.
"""
function orientation_from_mrp(parameters)
    numbers = vector(parameters)
    four_from(out -> qi_orientation_from_mrp(numbers, out))
end

"""
    rotation_vector(q)

Returns the rotation vector of an orientation, a [`Quatint.Vec3`](@ref). Its direction is the axis, its length the angle, at
most π.
"""
function rotation_vector(q)
    numbers = collect(four(q))
    three_from(out -> qi_orientation_to_rotation_vector(numbers, out))
end

"""
    orientation_from_rotation_vector(v)

Returns the orientation after a rotation about the direction of `v` by the length of `v` in radians. `v` may be 0.
"""
function orientation_from_rotation_vector(v)
    numbers = vector(v)
    four_from(out -> qi_orientation_from_rotation_vector(numbers, out))
end

"""
    axis_angle(q)

Returns the axis of an orientation, a unit vector, and the angle, from 0 to π. `orientation(axis, angle)` is the inverse.
"""
function axis_angle(q)
    numbers, axis, angle = collect(four(q)), Vector{Float64}(undef, 3), Ref(0.0)
    check(qi_orientation_to_axis_angle(numbers, axis, angle))
    Vec3(axis), angle[]
end

"""
    angle_between(a, b)

Returns the angle of the rotation from one orientation to another, from 0 to π.
"""
function angle_between(a, b)
    from, to = collect(four(a)), collect(four(b))
    one_from(out -> qi_orientation_angle(from, to, out))
end

"""
    Quatint.slerp(a, b, t)

Interpolates between two orientations along the shortest arc: `a` at `t = 0`, `b` at `t = 1`, where the quaternion may have the
other sign. Outside of 0 to 1 the rotation goes on. Not exported, because Quaternions exports a `slerp` of its own.
"""
function slerp(a, b, t)
    from, to = collect(four(a)), collect(four(b))
    four_from(out -> qi_orientation_slerp(from, to, number(t), out))
end
