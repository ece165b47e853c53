"Rotations of the package Rotations wherever Quatint takes a quaternion, and the way back."
module QuatintRotationsExt

import Quatint, Rotations
using Rotations: QuatRotation, Rotation

# A rotation is a matrix, which must not be read as a column for each body.
Quatint.four(r::Rotation{3}) = Quatint.four(QuatRotation(r))
Quatint.four(r::QuatRotation) = map(Float64, (r.w, r.x, r.y, r.z))

Quatint.rotate(r::Rotation{3}, v) = Quatint.rotate(Quatint.Quaternion(r), v)
Quatint.rotate(r::Rotation{3}, v::Quatint.Vec3) = Quatint.rotate(Quatint.Quaternion(r), v)
Quatint.rotate(r::Rotation{3}, v::AbstractMatrix) = Quatint.rotate(Quatint.Quaternion(r), v)

"The same numbers: a unit quaternion of Quatint needs no other length."
rotation(w, x, y, z) = QuatRotation(w, x, y, z, false)

Quatint.quaternion_like(::Rotation{3}) = rotation

Rotations.QuatRotation(q::Quatint.Quaternion) = rotation(q.s, q.v1, q.v2, q.v3)
Base.convert(::Type{R}, q::Quatint.Quaternion) where {R <: Rotation{3}} = convert(R, QuatRotation(q))
Quatint.orientation(::Type{R}, body::Quatint.Body) where {R <: Rotation{3}} = convert(R, Quatint.orientation(body))
Quatint.orientation(::Type{R}, axis, angle) where {R <: Rotation{3}} = convert(R, Quatint.orientation(axis, angle))

end
