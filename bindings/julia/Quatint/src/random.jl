# Random torques in addition to the torque: molecules and colloids in a fluid. docs/random.md says which method, and how long a step.

"""
    set_langevin!(body, coefficients; kt, seed, id = 0, flow = nothing)
    set_langevin!(ensemble, coefficients; kt, seed, flow = nothing, layout = nothing)

Sets random torques in addition to the torque: a drag `-cᵢ (ωᵢ - flowᵢ)` about each body axis `i`, and the noise that belongs to it at
the energy `kt`, Boltzmann's constant times the temperature. `flow` is the angular velocity of the fluid, world frame; `nothing` is at
rest. Steps must be of the method `:splitting` or `:brownian`; a drag of [`set_drag!`](@ref) besides is refused.

The noise of a body is a function of `seed`, `id` and the number of the draw ([`noise_draws`](@ref)) alone. Both are integers from 0 to
2^64 - 1. The ids of an ensemble are those of [`set_ids!`](@ref).

For an ensemble, `coefficients` and `flow` are each one vector for all, a 3×n or n×3 matrix, a vector of `n` vectors, or
`particles => :field`. They are copied. For `layout` see [`set_orientations!`](@ref).

    set_langevin!(body, nothing)
    set_langevin!(ensemble, nothing)

Removes the random torques. Ids and the number of draws stay.
"""
function set_langevin!(body::Body, coefficients; kt, seed::Integer, id::Integer = 0, flow = nothing)
    c, u = vector(coefficients), flow === nothing ? Float64[] : vector(flow)
    GC.@preserve body u check(qi_set_langevin(handle_of(body), c, flow === nothing ? C_NULL : pointer(u), number(kt), seed, id))
    body.random = (number(kt), UInt64(seed))
    body
end

function set_langevin!(body::Body, ::Nothing)
    GC.@preserve body check(qi_set_langevin(handle_of(body), C_NULL, C_NULL, 0, 0, 0))
    body.random = nothing
    body
end

function set_langevin!(e::Ensemble, coefficients; kt, seed::Integer, flow = nothing, layout = nothing)
    c = packed(coefficients, e.count, layout)
    u = flow === nothing ? View(C_NULL, 0, 1, nothing) : packed(flow, e.count, layout)
    GC.@preserve e c u check(
        qi_set_ensemble_langevin(handle_of(e), c.pointer, c.body_stride, u.pointer, u.body_stride, number(kt), seed))
    e.is_random = true
    e
end

function set_langevin!(e::Ensemble, ::Nothing)
    GC.@preserve e check(qi_set_ensemble_langevin(handle_of(e), C_NULL, 0, C_NULL, 0, 0, 0))
    e.is_random = false
    e
end

"""
    set_ids!(ensemble, ids)

Sets which noise belongs to which body: one integer from 0 to 2^64 - 1 for each, no two the same. `nothing`: of body `i` the number
`i - 1`. Bodies keep their ids in [`select_bodies!`](@ref) and `resize!`; new ones get the numbers after the greatest.
"""
function set_ids!(e::Ensemble, ids)
    numbers = UInt64[id for id in whole_numbers(collect(ids), "ids")]
    length(numbers) == e.count || throw(DimensionMismatch("there are $(e.count) bodies, but $(length(numbers)) ids"))
    allunique(numbers) || throw(ArgumentError("`ids` must be different: two bodies with one id get one noise"))
    GC.@preserve e check(qi_set_ensemble_ids(handle_of(e), vec(numbers)))
    e
end

set_ids!(e::Ensemble, ::Nothing) = (GC.@preserve e check(qi_set_ensemble_ids(handle_of(e), C_NULL)); e)

"Which noise belongs to which body of an ensemble, as a vector of `UInt64`; see [`set_ids!`](@ref)."
ids(e::Ensemble) = collect(reinterpret(UInt64, vec(rows(e; parts = :id))))

"""
    degrees_of_freedom(ensemble)

The number of rotational degrees of freedom of the active bodies: 3 each, less the axes of zero moment. At thermal equilibrium the mean
of the kinetic energy is `kt / 2` for each.
"""
degrees_of_freedom(e::Ensemble) = Int(GC.@preserve e integer_from(out -> qi_get_ensemble_degrees_of_freedom(handle_of(e), out)))
