"The functions of CommonSolve, which DifferentialEquations exports, for bodies and ensembles too. Its `solve` calls two of them."
module QuatintCommonSolveExt

import CommonSolve, Quatint
using Quatint: Body, Ensemble, Integrator

CommonSolve.step!(object::Union{Body, Ensemble}, dt) = Quatint.step!(object, dt)
CommonSolve.solve!(body::Body, end_time; kwargs...) = Quatint.solve!(body, end_time; kwargs...)
CommonSolve.init(body::Body, end_time; kwargs...) = Quatint.init(body, end_time; kwargs...)
CommonSolve.step!(integrator::Integrator) = Quatint.step!(integrator)
CommonSolve.step!(integrator::Integrator, duration) = Quatint.step!(integrator, duration)
CommonSolve.solve!(integrator::Integrator) = Quatint.solve!(integrator)

end
