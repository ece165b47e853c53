"Operations between the quaternions of Quatint and those of the package Quaternions. Julia 1.9 and later load it with both packages."
module QuatintQuaternionsExt

import Quatint, Quaternions

const Ours, Theirs = Quatint.Quaternion, Quaternions.Quaternion
include("operations.jl")

end
