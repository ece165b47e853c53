# QuaternionIntegrator.jl adds methods to other packages, and its users' programs rely on them: `unit` of an array for
# Unitful, and quaternions made from static arrays for Quaternions. This file adds the same methods when these packages are
# loaded, now or later, unless the packages define them. It also lets quaternions of Quaternions and ours be used together.

const QUATERNIONS = Base.PkgId(Base.UUID("94ee1d12-ae83-5a48-8b1c-48b8ff168ae0"), "Quaternions")
const STATIC_ARRAYS = Base.PkgId(Base.UUID("90137ffa-7385-5640-81b9-e52037218182"), "StaticArrays")
const UNITFUL = Base.PkgId(Base.UUID("1986cc42-f94f-5a68-af5c-568840ba703d"), "Unitful")

loaded(package) = get(Base.loaded_modules, package, nothing)

const MIXED = Ref(false) # whether `mix` has run
const OPERATIONS = normpath(joinpath(@__DIR__, "..", "ext", "operations.jl"))

"Before Julia 1.9, which has no extensions of packages: what ext/QuatintQuaternionsExt.jl does later."
function mix(theirs)
    MIXED[] && return
    MIXED[] = true
    extension = Module(:QuatintQuaternionsExt)
    Core.eval(extension, :(const Ours, Theirs = $Quaternion, $theirs))
    Base.include(extension, OPERATIONS)
end

function complete_companions(_ = nothing)
    ccall(:jl_generating_output, Cint, ()) == 0 || return # do not add methods while another package is being precompiled
    quaternions, static, unitful = loaded(QUATERNIONS), loaded(STATIC_ARRAYS), loaded(UNITFUL)
    quaternions === nothing || isdefined(Base, :get_extension) || mix(quaternions.Quaternion)
    if unitful !== nothing && !hasmethod(unitful.unit, Tuple{Vector{Float64}})
        Core.eval(unitful, :(unit(array::AbstractArray) = unit(eltype(array))))
    end
    if quaternions !== nothing && static !== nothing
        make = quaternions.Quaternion
        three, four = (static.StaticArray{Tuple{n}, T, 1} where {T <: Real} for n in (3, 4))
        hasmethod(make, Tuple{Float64, static.SVector{3, Float64}}) ||
            Core.eval(quaternions, :(Quaternion(s::Real, v::$three) = Quaternion(s, v...)))
        hasmethod(make, Tuple{static.SVector{4, Float64}}) || Core.eval(quaternions, :(Quaternion(q::$four) = Quaternion(q...)))
    end
    nothing
end
