# Rotations. Quaternions of any type with the fields s, v1, v2, v3, or arrays of four numbers; vectors of any kind, with units or
# without. What comes out is of the kind that went in.

"""
    rotate(q, v)

Takes a vector from the body to the world: `q v q⁻¹`. For the way back, `rotate(inv(q), v)`.
"""
function rotate(q, v)
    unit = oneunit(v[1])
    like(v, rotated(four(q), three_in(v, unit)), unit)
end
rotate(q, v::Vec3) = rotated(four(q), (v.x, v.y, v.z))

function rotated(q, v)
    input, world = Ref((q..., v...)), Ref((0.0, 0.0, 0.0))
    GC.@preserve input world begin
        p = Ptr{Float64}(pointer_from_objref(input))
        check(qi_rotate(p, p + 32, Ptr{Float64}(pointer_from_objref(world))))
    end
    Vec3(world[]...)
end

"""
    orientation(axis, angle)

The orientation after a turn by `angle` (radians) about `axis`, of any length. A quaternion of the package Quaternions where that is
loaded, else a [`Quatint.Quaternion`](@ref).
"""
function orientation(axis, angle)
    a = vector(map(x -> x / oneunit(axis[1]), axis))
    q = GC.@preserve a four_from(out -> qi_orientation_from_axis_angle(a, number(angle), out))
    quaternion_type()(q.s, q.v1, q.v2, q.v3)
end

# between the caller's types and numbers

"Three numbers in this unit; a conversion throws where the dimensions differ."
@inline function three_in(v, unit)
    check_length(v, 3, "a vector")
    (number(v[1] / unit), number(v[2] / unit), number(v[3] / unit))
end

"A vector of the kind of `v`, of these numbers in this unit."
# of these nobody makes one of three numbers
const Plain = Union{Array, SubArray, AbstractRange, Base.ReshapedArray, Base.ReinterpretArray, PermutedDimsArray, Adjoint, Transpose}
@inline like(v::Plain, numbers, unit) = [numbers[1] * unit, numbers[2] * unit, numbers[3] * unit]
@inline like(v::Tuple, numbers, unit) = (numbers[1] * unit, numbers[2] * unit, numbers[3] * unit)
@inline like(v, numbers, unit) = rebuilt(v, (numbers[1] * unit, numbers[2] * unit, numbers[3] * unit))

"A static array of the kind of `v`: of its type if the numbers fit that, else of the type with other elements."
@inline function rebuilt(v::AbstractVector, values::Tuple)
    eltype(v) === typeof(values[1]) && return typeof(v)(values)
    other = map(_ -> values[1], v)
    typeof(other) <: Array ? Base.typename(typeof(v)).wrapper(values...) : typeof(other)(values)
end

"A function that makes quaternions of the kind of `q`."
quaternion_like(q::Plain) = new_array
quaternion_like(q::Tuple) = (w, x, y, z) -> (w, x, y, z)
quaternion_like(q::AbstractVector) = (w, x, y, z) -> rebuilt(q, (w, x, y, z))
quaternion_like(::T) where {T} = Maker{T}()

function new_array(w, x, y, z) # quicker than [w, x, y, z]
    q = Vector{typeof(w)}(undef, 4)
    @inbounds q[1], q[2], q[3], q[4] = w, x, y, z
    q
end

struct Maker{T} end

# the constructor without parameters: the only one that every such type has
@generated (::Maker{T})(w, x, y, z) where {T} = :($(Base.typename(T).wrapper)(w, x, y, z))
