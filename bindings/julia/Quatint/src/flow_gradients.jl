# The velocity gradient of the fluid at each body, in an array of the caller.

"""
    bind_flow_gradients!(ensemble, gradients)
    bind_flow_gradients!(ensemble, nothing)

Binds an array with the velocity gradient of the fluid at each body, in place of the one that all bodies share in
`ShearFlowTorque`. Element `[j, k, i]` is `∂u_j / ∂x_k` at body `i`, world frame. `nothing`: the shared one again.

Steps read the array where it lies, at each torque evaluation, and never write it. Write it between the steps. Gradients at the
middle of the step give order 2. No array is copied; so give one of:

- a 3×3×n array, a `view` of one, or a `PermutedDimsArray` of these. `PermutedDimsArray(a, (2, 1, 3))` reads the matrices of `a`
  transposed: of gradients `a[k, j, i]` whose first index is that of the axis.
- a 9×n matrix, or a `view` with whole columns: element `[3(j - 1) + k, i]` is `∂u_j / ∂x_k`.

The ensemble keeps the array alive. [`release_arrays!`](@ref), `resize!` and [`select_bodies!`](@ref) let it go; then steps in a
shear flow fail until an array or `nothing` is bound.
"""
function bind_flow_gradients!(e::Ensemble, gradients)
    array, by_row, by_column, by_body = matrices_in(gradients, e.count)
    GC.@preserve e array begin
        root = held(array)
        disable_sigint() do # no interrupt may come after C has stored the pointer and before we keep the array alive
            check(qi_bind_flow_gradients(handle_of(e), pointer(array), by_body, by_row, by_column))
            e.bound[4] = root
        end
    end
    e
end

function bind_flow_gradients!(e::Ensemble, ::Nothing)
    GC.@preserve e disable_sigint() do
        check(qi_bind_flow_gradients(handle_of(e), C_NULL, 0, 0, 0))
        e.bound[4] = nothing
    end
    e
end

"The array that holds the gradients, and its strides from row to row, from column to column and from body to body."
function matrices_in(a::StridedMatrix{Float64}, n)
    size(a) == (9, n) || wrong_gradients(a, n)
    stride(a, 1) == 1 || throw(ArgumentError("the nine numbers of a column must lie side by side"))
    (a, 3, 1, stride(a, 2))
end
function matrices_in(a::StridedArray{Float64, 3}, n)
    size(a) == (3, 3, n) || wrong_gradients(a, n)
    (a, strides(a)...)
end
function matrices_in(a::PermutedDimsArray{Float64, 3, order, places, <:StridedArray}, n) where {order, places}
    size(a) == (3, 3, n) || wrong_gradients(a, n)
    (parent(a), (stride(parent(a), dimension) for dimension in order)...)
end
matrices_in(a, n) = throw(ArgumentError("an object of type $(typeof(a)) cannot be used in place: give a 3×3×$n array or a 9×$n matrix of Float64"))

wrong_gradients(a, n) = throw(DimensionMismatch("there are $n bodies, so the gradients must be 3×3×$n or 9×$n, not $(join(size(a), '×'))"))
