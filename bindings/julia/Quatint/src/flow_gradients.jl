# The velocity gradient of the fluid at each body, in an array of the caller.

"""
    bind_flow_gradients!(ensemble, gradients)
    bind_flow_gradients!(ensemble, nothing)

Binds an array with the velocity gradient of the fluid at each body, in place of the one that all bodies share in
`ShearFlowTorque`. Element `[j, k, i]` is `∂u_j / ∂x_k` at body `i`, world frame. `nothing`: the shared one again.

Steps read the array where it lies, at each torque evaluation, and never write it. Write it between the steps. Gradients at the
middle of the step give order 2. The library reads the nine numbers of a body row by row, and no array is copied; so give one of:

- `PermutedDimsArray(rows, (2, 1, 3))`, where `rows` is a dense 3×3×n array, or a `view` with whole matrices: you then write
  `gradients[j, k, i]`, which is `rows[k, j, i]`. A plain 3×3×n array lies column by column. It is refused, because its matrices would
  be read transposed.
- a 9×n matrix, or a `view` with whole columns: element `[3(j - 1) + k, i]` is `∂u_j / ∂x_k`.

The ensemble keeps the array alive. [`release_arrays!`](@ref), `resize!` and [`select_bodies!`](@ref) let it go; then steps in a
shear flow fail until an array or `nothing` is bound.
"""
function bind_flow_gradients!(e::Ensemble, gradients)
    array = nine_by_bodies(gradients, e.count)
    GC.@preserve e array begin
        root = held(array)
        disable_sigint() do # no interrupt may come after C has stored the pointer and before we keep the array alive
            check(qi_bind_flow_gradients(handle_of(e), pointer(array), stride(array, ndims(array))))
            e.bound[4] = root
        end
    end
    e
end

function bind_flow_gradients!(e::Ensemble, ::Nothing)
    GC.@preserve e disable_sigint() do
        check(qi_bind_flow_gradients(handle_of(e), C_NULL, 9))
        e.bound[4] = nothing
    end
    e
end

"The array whose first elements the library reads one after the other: nine of each body, row by row."
function nine_by_bodies(a::StridedMatrix{Float64}, n)
    size(a) == (9, n) || wrong_gradients(a, n)
    stride(a, 1) == 1 || throw(ArgumentError("the nine numbers of a column must lie side by side"))
    a
end
function nine_by_bodies(a::PermutedDimsArray{Float64, 3, (2, 1, 3), (2, 1, 3), <:StridedArray}, n)
    size(a) == (3, 3, n) || wrong_gradients(a, n)
    rows = parent(a)
    strides(rows)[1:2] == (1, 3) || throw(ArgumentError("the nine numbers of a matrix must lie side by side"))
    rows
end
nine_by_bodies(a::AbstractArray{<:Any, 3}, n) = throw(ArgumentError("the matrices of $(typeof(a)) do not lie row by row: give " *
    "PermutedDimsArray(zeros(3, 3, $n), (2, 1, 3)), whose element [j, k, i] is ∂u_j / ∂x_k at body i"))
nine_by_bodies(a, n) = throw(ArgumentError("an object of type $(typeof(a)) cannot be used in place: give a 9×$n matrix of Float64, or " *
    "PermutedDimsArray(zeros(3, 3, $n), (2, 1, 3))"))

wrong_gradients(a, n) = throw(DimensionMismatch("there are $n bodies, so the gradients must be 3×3×$n or 9×$n, not $(join(size(a), '×'))"))
