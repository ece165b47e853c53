# Linear drag in addition to the torque.

"""
    set_drag!(body, coefficients; flow = nothing)
    set_drag!(ensemble, coefficients; flow = nothing, layout = nothing)

Sets a drag in addition to the torque: `-cᵢ (ωᵢ - flowᵢ)` about each body axis `i`. `flow` is the angular velocity of the
surroundings, world frame; `nothing` is at rest. The drag is taken implicitly, so it is stable for any coefficient and step.

For an ensemble, `coefficients` and `flow` are each one vector for all, a 3×n or n×3 matrix, a vector of `n` vectors, or
`particles => :field`. They are copied. For `layout` see [`set_orientations!`](@ref).

    set_drag!(body, nothing)
    set_drag!(ensemble, nothing)

Removes the drag.
"""
function set_drag!(body::Body, coefficients; flow = nothing)
    c = vector(coefficients)
    if flow === nothing
        GC.@preserve body check(qi_set_drag(handle_of(body), c, Ptr{Float64}(C_NULL)))
    else
        GC.@preserve body check(qi_set_drag(handle_of(body), c, vector(flow)))
    end
    body.has_drag = true
    body
end

function set_drag!(body::Body, ::Nothing)
    GC.@preserve body check(qi_set_drag(handle_of(body), Ptr{Float64}(C_NULL), Ptr{Float64}(C_NULL)))
    body.has_drag = false
    body
end

function set_drag!(e::Ensemble, coefficients; flow = nothing, layout = nothing)
    c = packed(coefficients, e.count, layout)
    u = flow === nothing ? View(C_NULL, 0, 1, nothing) : packed(flow, e.count, layout)
    GC.@preserve e c u check(qi_set_ensemble_drag(handle_of(e), c.pointer, c.body_stride, u.pointer, u.body_stride))
    e.has_drag = true
    e
end

function set_drag!(e::Ensemble, ::Nothing)
    GC.@preserve e check(qi_set_ensemble_drag(handle_of(e), Ptr{Float64}(C_NULL), 0, Ptr{Float64}(C_NULL), 0))
    e.has_drag = false
    e
end

"Like `readable`, for three numbers of each body that must stand side by side: others are copied."
function packed(a, n, layout)
    view = readable(a, 3, n; layout = layout)
    view.component_stride == 1 && return view
    columns = GC.@preserve view [unsafe_load(view.pointer, 1 + (i - 1) * view.body_stride + (c - 1) * view.component_stride)
        for c in 1:3, i in 1:n]
    view_of(columns, 3, n)
end
