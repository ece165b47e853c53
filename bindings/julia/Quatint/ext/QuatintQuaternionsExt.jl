"Operations between the quaternions of Quatint and those of the package Quaternions, whose type a product of both has."
module QuatintQuaternionsExt

import Quatint, Quaternions

const Ours, Theirs = Quatint.Quaternion, Quaternions.Quaternion

Quaternions.Quaternion(q::Ours) = Theirs(q.s, q.v1, q.v2, q.v3)
Base.convert(::Type{T}, q::Ours) where {T <: Theirs} = convert(T, Theirs(q))
Base.convert(::Type{Ours}, q::Theirs) = Ours(q)
Base.:*(a::Ours, b::Theirs) = Theirs(a) * b
Base.:*(a::Theirs, b::Ours) = a * Theirs(b)
Base.:/(a::Ours, b::Theirs) = Theirs(a) / b
Base.:/(a::Theirs, b::Ours) = a / Theirs(b)
Base.:(==)(a::Ours, b::Theirs) = Theirs(a) == b
Base.:(==)(a::Theirs, b::Ours) = a == Theirs(b)
Base.isapprox(a::Theirs, b::Ours; kwargs...) = isapprox(b, a; kwargs...)

end
