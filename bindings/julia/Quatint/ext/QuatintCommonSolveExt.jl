"The `step!` and `solve!` of CommonSolve, which DifferentialEquations exports, for bodies and ensembles too."
module QuatintCommonSolveExt

import CommonSolve, Quatint
using Quatint: Body, Ensemble

CommonSolve.step!(object::Union{Body, Ensemble}, dt) = Quatint.step!(object, dt)
CommonSolve.solve!(body::Body, end_time; kwargs...) = Quatint.solve!(body, end_time; kwargs...)

end
