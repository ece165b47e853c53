# Rotations. A quaternion has any type with the fields s, v1, v2, v3, or is an array of four numbers. A vector has any type,
# with or without units. The result has the type of the input.

"""
    rotate(q, v)

Rotates a vector from the body frame to the world frame: `q v q⁻¹`. The inverse is `rotate(inv(q), v)`. A 4×n matrix has an
orientation in each column, and a 3×n matrix a vector: the result is 3×n.
"""
function rotate(q, v)
    unit = oneunit(v[1])
    like(v, rotated(four(q), three_in(v, unit)), unit)
end
rotate(q, v::Vec3) = rotated(four(q), (v.x, v.y, v.z))
rotate(q, v::AbstractMatrix) = rotate_columns(i -> q, v, size(v, 2))
rotate(q::AbstractMatrix, v::AbstractMatrix) = (columns_of(q, 4, "orientations"); rotate_columns(i -> view(q, :, i), v, size(q, 2)))
function rotate(q::AbstractMatrix, v)
    columns_of(q, 4, "orientations")
    check_length(v, 3, "a vector")
    rotate_columns(i -> view(q, :, i), repeat(reshape(collect(v), 3, 1), 1, size(q, 2)), size(q, 2))
end
rotate(q::AbstractMatrix, v::Vec3) = rotate(q, [v.x, v.y, v.z])

function rotate_columns(q, v, n)
    columns_of(v, 3, "vectors")
    size(v, 2) == n || throw(DimensionMismatch("there are $n orientations, but $(size(v, 2)) vectors"))
    world = Matrix{Float64}(undef, 3, n)
    for i in 1:n
        world[:, i] .= rotated(four(q(i)), three(view(v, :, i)))
    end
    world
end

columns_of(a, n, what) = size(a, 1) == n ||
    throw(DimensionMismatch("a matrix of $what has $n rows, a column for each, not $(size(a, 1)): it is $(join(size(a), '×'))"))

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

Returns the orientation after a rotation by `angle` (radians) about `axis`, which may have any length except 0: a
[`Quatint.Quaternion`](@ref). `Quaternions.Quaternion(orientation(axis, angle))` is one of the package Quaternions.
"""
function orientation(axis, angle)
    a = vector(map(x -> x / oneunit(axis[1]), axis))
    GC.@preserve a four_from(out -> qi_orientation_from_axis_angle(a, number(angle), out))
end

"""
    orientation(Quaternion, axis, angle)
    orientation(Quaternion, body)

The same as a quaternion of this type, for example that of the package Quaternions: any type made of four numbers.
"""
orientation(::Type{T}, axis, angle) where {T} = T(orientation(axis, angle)...)
orientation(::Type{T}, body::Body) where {T} = T(orientation(body)...)

# conversions between the caller's types and plain numbers

"The three components in this unit; the conversion throws if the dimensions differ."
@inline function three_in(v, unit)
    check_length(v, 3, "a vector")
    (number(v[1] / unit), number(v[2] / unit), number(v[3] / unit))
end

# array types that cannot be constructed from three numbers: for these the result is an ordinary Vector
const Plain = Union{Array, SubArray, AbstractRange, Base.ReshapedArray, Base.ReinterpretArray, PermutedDimsArray, Adjoint, Transpose}

"A vector of the same kind as `v`, made of these three numbers in this unit."
@inline like(v::Plain, numbers, unit) = [numbers[1] * unit, numbers[2] * unit, numbers[3] * unit]
@inline like(v::Tuple, numbers, unit) = (numbers[1] * unit, numbers[2] * unit, numbers[3] * unit)
@inline like(v, numbers, unit) = rebuilt(v, (numbers[1] * unit, numbers[2] * unit, numbers[3] * unit))

"A static array like `v` with these values: of the same type if the element types agree, otherwise with another element type."
@inline function rebuilt(v::AbstractVector, values::Tuple)
    eltype(v) === typeof(values[1]) && return typeof(v)(values)
    other = map(_ -> values[1], v)
    typeof(other) <: Array ? constructor_of(typeof(v))(values...) : typeof(other)(values)
end

"A function that makes quaternions of the same kind as `q`."
quaternion_like(q::Plain) = new_array
quaternion_like(q::Tuple) = (w, x, y, z) -> (w, x, y, z)
quaternion_like(q::AbstractVector) = (w, x, y, z) -> rebuilt(q, (w, x, y, z))
quaternion_like(::T) where {T} = Maker{T}()

function new_array(w, x, y, z) # faster than [w, x, y, z]
    q = Vector{typeof(w)}(undef, 4)
    @inbounds q[1], q[2], q[3], q[4] = w, x, y, z
    q
end

struct Maker{T} end

# calls the constructor without type parameters, the only one that every such type has
@generated (::Maker{T})(w, x, y, z) where {T} = :($(constructor_of(T))(w, x, y, z))

"The type without its parameters."
constructor_of(T) = getfield(parentmodule(T), nameof(T))
