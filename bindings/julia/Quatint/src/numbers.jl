# The values passed to callbacks. They have a fixed size, so they need no allocation.

"""
    Quatint.Vec3(x, y, z)

A vector of three `Float64`, as passed to torque functions. It is an `AbstractVector`. Its sums, differences, multiples,
`dot`, `cross` and `norm` allocate nothing.
"""
struct Vec3 <: AbstractVector{Float64}
    x::Float64
    y::Float64
    z::Float64
end

Vec3(v) = Vec3(three(v)...)
Base.size(::Vec3) = (3,)
Base.IndexStyle(::Type{Vec3}) = IndexLinear()
@inline function Base.getindex(v::Vec3, i::Int)
    @boundscheck 1 <= i <= 3 || throw(BoundsError(v, i))
    ifelse(i == 1, v.x, ifelse(i == 2, v.y, v.z))
end
Base.:+(a::Vec3, b::Vec3) = Vec3(a.x + b.x, a.y + b.y, a.z + b.z)
Base.:-(a::Vec3, b::Vec3) = Vec3(a.x - b.x, a.y - b.y, a.z - b.z)
Base.:-(a::Vec3) = Vec3(-a.x, -a.y, -a.z)
Base.:*(a::Real, b::Vec3) = Vec3(a * b.x, a * b.y, a * b.z)
Base.:*(a::Vec3, b::Real) = b * a
Base.:/(a::Vec3, b::Real) = Vec3(a.x / b, a.y / b, a.z / b)
LinearAlgebra.dot(a::Vec3, b::Vec3) = a.x * b.x + a.y * b.y + a.z * b.z
LinearAlgebra.cross(a::Vec3, b::Vec3) =
    Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)

"""
    Quatint.Quaternion(s, v1, v2, v3)

An orientation with the scalar `s`. `rotate(q, v)` rotates a body vector to the world frame. Also defined: `inv(q)`, `a * b`
(rotates by `b` first) and `q[1]` to `q[4]`. Functions that take a quaternion also accept any other type with these fields,
or an array of 4 numbers; `Quatint.Quaternion(q)` converts them. If the package Quaternions is loaded (in Julia 1.9 or newer), its
quaternions and these can be multiplied, divided, compared and converted. A product of both kinds is one of theirs. If the
package Rotations is loaded, its rotations are accepted too, and `QuatRotation(q)` converts.
"""
struct Quaternion
    s::Float64
    v1::Float64
    v2::Float64
    v3::Float64
end

Quaternion(q) = Quaternion(four(q)...)
Base.getindex(q::Quaternion, i::Integer) = getfield(q, Int(i))
Base.length(::Quaternion) = 4
Base.iterate(q::Quaternion, i = 1) = i > 4 ? nothing : (q[i], i + 1)
Base.eltype(::Type{Quaternion}) = Float64
Base.inv(q::Quaternion) = Quaternion(q.s, -q.v1, -q.v2, -q.v3)
Base.conj(q::Quaternion) = inv(q)
Base.:*(a::Quaternion, b::Quaternion) = Quaternion(
    a.s * b.s - a.v1 * b.v1 - a.v2 * b.v2 - a.v3 * b.v3,
    a.s * b.v1 + a.v1 * b.s + a.v2 * b.v3 - a.v3 * b.v2,
    a.s * b.v2 - a.v1 * b.v3 + a.v2 * b.s + a.v3 * b.v1,
    a.s * b.v3 + a.v1 * b.v2 - a.v2 * b.v1 + a.v3 * b.s)
Base.:(==)(a::Quaternion, b::Quaternion) = a.s == b.s && a.v1 == b.v1 && a.v2 == b.v2 && a.v3 == b.v3
Base.hash(q::Quaternion, h::UInt) = hash((q.s + 0, q.v1 + 0, q.v2 + 0, q.v3 + 0), h) # −0 as 0
Base.isapprox(a::Quaternion, b; kwargs...) = isapprox(collect(a), collect(four(b)); kwargs...)
Base.isapprox(a::Quaternion, ::Missing; kwargs...) = missing
Base.show(io::IO, q::Quaternion) = print(io, "Quatint.Quaternion(", q.s, ", ", q.v1, ", ", q.v2, ", ", q.v3, ")")

check_length(v, n, what) = length(v) == n ? nothing : wrong_length(length(v), n, what)
check_length(::Nothing, n, what) = throw(ArgumentError("$what is `nothing` instead of $n numbers"))

@noinline wrong_length(length, n, what) =
    throw(DimensionMismatch("$what has $length number$(length == 1 ? "" : "s") instead of $n"))

"The four numbers of a quaternion, from its fields or from the elements of an array or tuple."
@inline four(q::Quaternion) = (q.s, q.v1, q.v2, q.v3)
four(q::AbstractMatrix) = throw(DimensionMismatch("a quaternion has 4 numbers, not a matrix of $(join(size(q), '×')): give a column, q[:, i]"))
@inline four(q) = hasproperty(q, :v3) ? (number(q.s), number(q.v1), number(q.v2), number(q.v3)) : no_quaternion(q)
@noinline no_quaternion(q) =
    throw(ArgumentError("a quaternion is four numbers, or has the fields s, v1, v2, v3; this is a $(typeof(q))"))
@inline four(q::NamedTuple) =
    haskey(q, :v3) ? (number(q.s), number(q.v1), number(q.v2), number(q.v3)) :
    haskey(q, :w) ? (number(q.w), number(q.x), number(q.y), number(q.z)) : no_quaternion(q)
@inline function four(q::Union{AbstractVector, Tuple})
    check_length(q, 4, "a quaternion")
    (number(q[1]), number(q[2]), number(q[3]), number(q[4]))
end

@inline three(v::Vec3, what = "a vector") = (v.x, v.y, v.z)
@inline function three(v, what = "a vector")
    has_names(v, :x) && return (number(v.x), number(v.y), number(v.z))
    check_length(v, 3, what)
    (number(v[1]), number(v[2]), number(v[3]))
end

"Whether the components of a value are told by the names of its fields, and not by their order."
@inline has_names(v, name) = !(v isa Union{AbstractArray, Tuple}) && hasproperty(v, name)

two(clock) = (check_length(clock, 2, "a clock"); [number(clock[1]), number(clock[2])])

"A dimensionless number as `Float64`. Characters convert in Julia, but are no numbers here."
@inline number(x::Real) = Float64(x)
function number(x)
    x isa AbstractChar || try
        return convert(Float64, x)
    catch # the packages of units throw errors of their own, which show that there is no dimension as a blank
    end
    x isa Number || throw(ArgumentError("$(repr(x)) is not a number"))
    throw(ArgumentError("a plain number is needed, but this is $x: a quantity of the call has the wrong dimension or kind"))
end

"The nine numbers of a tensor, row by row, from a 3×3 matrix or three principal moments. A tuple needs no allocation."
@inline function tensor(matrix::AbstractMatrix)
    size(matrix) == (3, 3) || refuse_size(matrix)
    ntuple(k -> number(matrix[(k + 2) ÷ 3, (k + 2) % 3 + 1]), Val(9))
end
@inline function tensor(moments)
    moments isa Number && throw(ArgumentError("an inertia is a 3×3 tensor or three principal moments, not one number: for a " *
        "sphere give ($moments, $moments, $moments)"))
    a, b, c = three(moments, "an inertia of principal moments")
    (a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c)
end

@noinline refuse_size(matrix) = throw(DimensionMismatch("an inertia must be 3×3, not $(join(size(matrix), '×'))"))

nine(inertia) = collect(tensor(inertia))

"Passes an output buffer to a C function and returns what it wrote: three numbers, four, two, or one, an integer or a number of things."
@inline function three_from(f)
    out = Ref((0.0, 0.0, 0.0))
    GC.@preserve out check(f(Ptr{Float64}(pointer_from_objref(out))))
    Vec3(out[]...)
end
@inline function four_from(f)
    out = Ref((0.0, 0.0, 0.0, 0.0))
    GC.@preserve out check(f(Ptr{Float64}(pointer_from_objref(out))))
    Quaternion(out[]...)
end
@inline function two_from(f)
    out = Ref((0.0, 0.0))
    GC.@preserve out check(f(Ptr{Float64}(pointer_from_objref(out))))
    out[]
end
@inline function one_from(f)
    out = Ref(0.0)
    GC.@preserve out check(f(Ptr{Float64}(pointer_from_objref(out))))
    out[]
end

@inline function integer_from(f)
    out = Ref(UInt64(0))
    check(f(out))
    out[]
end
@inline function size_from(f)
    out = Ref(Csize_t(0))
    check(f(out))
    Int(out[])
end

not_negative(number, name) = number >= 0 ? number : throw(ArgumentError("`$name` is $number; it must not be negative"))

"Copies numbers in any collection to a `Float64` array that a C function can read."
array(numbers) = Float64[number(x) for x in numbers]

"A count of the caller. `true` is 1 in Julia, but in the place of a count it is another argument's value."
whole(n::Integer, name) = n isa Bool ? throw(ArgumentError("`$name` must be a whole number, not the Bool $n")) : n

"The whole numbers of a list of the caller; `true` is not 1."
function whole_numbers(list, name)
    all(is_whole, list) && return list
    throw(ArgumentError("`$name` must be whole numbers, but there is $(repr(first(Iterators.filter(!is_whole, list))))"))
end
is_whole(x) = x isa Real && !(x isa Bool) && isinteger(x)
