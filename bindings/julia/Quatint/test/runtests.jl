using Test, LinearAlgebra, Mmap, Serialization, Quatint
using Quatint: Quaternion, Vec3

struct Stopped <: Exception
    why::String
end

"The state of a body, which a failed call must not change."
state(body) = (Tuple(orientation(body)), Tuple(angular_velocity_body(body)), time(body))
state(e::Ensemble) = (orientations(e), angular_velocities(e), time(e))

@testset "Quatint" begin
    include("body.jl")
    include("properties.jl")
    include("ensemble.jl")
    include("layout.jl")
    include("arrays.jl")
    include("interrupt.jl")
    include("kicks.jl")
    include("points.jl")
    include("flow_gradients.jl")
    include("drag.jl")
    include("inertia.jl")
    include("rows.jl")
    include("population.jl")
    include("exact_sums.jl")
    include("conversions.jl")
    include("attitude.jl")
    include("mass.jl")
    include("drop_in.jl")
    include("extensions.jl")
    include("solve.jl")
    include("copies.jl")
    include("solution.jl")
    include("rotors.jl")
    include("random.jl")
    include("torque_functions.jl")
    include("cases.jl")
    include("library.jl")
end
