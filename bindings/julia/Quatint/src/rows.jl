# The data of bodies as columns of plain numbers: for messages between processes, files and restarts.

const PARTS = (state = QI_PART_STATE, inertia = QI_PART_INERTIA, torque = QI_PART_TORQUE, memory = QI_PART_MEMORY, id = QI_PART_ID,
    bound = QI_PART_BOUND)
const ALL_PARTS = reduce(|, PARTS) & ~QI_PART_ID

parts_of(part::Symbol) = part === :all ? ALL_PARTS : haskey(PARTS, part) ? PARTS[part] :
    throw(ArgumentError("a part must be $(join((":$name" for name in keys(PARTS)), ", ")) or :all, not :$part"))
parts_of(parts) = reduce(|, (parts_of(part) for part in parts); init = Int32(0))

"""
    row_size(ensemble; parts = :all)
    row_size(body; parts = :all)

How many numbers [`rows`](@ref) returns for each body.
"""
function row_size(e::Ensemble; parts = :all)
    GC.@preserve e begin
        size = qi_get_ensemble_row_size(handle_of(e), parts_of(parts))
        # 0 may stand for an ensemble that cannot be used now: a call for no bodies says so
        size == 0 && check(qi_get_ensemble_rows(handle_of(e), parts_of(parts), NO_LIST, 0, C_NULL))
    end
    Int(size)
end

"""
    rows(ensemble, bodies = :; parts = :all)

Returns the data of bodies, for a message or a file: a matrix with a column for each of the `bodies`, which are given by index
or by a vector of `Bool`. Each column is a row of the C library: its numbers stand side by side in memory.

`parts` is one of the following or a tuple of them. Whatever their order in the tuple, the numbers have this one.

- `:state`: the orientation `w, x, y, z`, then the angular velocity in the body frame. 7 numbers.
- `:inertia`: the principal moments, negative about locked axes, then the rotation from the principal axes to the body frame. 7 numbers.
- `:torque`: the parameters of the ready-made torque, 0, 1, 3 or 6 numbers. With [`set_drag!`](@ref) or
  [`set_langevin!`](@ref) follow 3 coefficients and 3 numbers of `flow`, and with rotors their angular momentum, 3 numbers.
- `:memory`: what the method keeps from step to step. Nothing with `:pcdm` and `:cf4`; with a splitting method the last
  torque, 3 numbers, and 4 more if it knows a drag; `NaN` if nothing is kept yet.
- `:bound`: the angular velocity or momentum as the bound array holds it; in the body frame where none is bound. 3 numbers.
- `:all`: all of these.
- `:id`: which noise belongs to the body, see [`set_ids!`](@ref): the 64 bits of an integer in the place of a number. Copy it; do not
  compute with it. With random torques take `parts = (:all, :id)`. It stands before `:bound`.

Together with [`clock`](@ref), the kind of the torque and the method this is all there is to a state, with random torques also
[`noise_draws`](@ref): see [`set_rows!`](@ref).
"""
function rows(e::Ensemble, bodies = Colon(); parts = :all)
    list = indices_of(e, bodies)
    into = Matrix{Float64}(undef, row_size(e; parts = parts), count_of(e, list))
    get_rows(e, parts, list, into)
end

function row_size(body::Body; parts = :all)
    GC.@preserve body begin
        size = qi_get_body_row_size(handle_of(body), parts_of(parts))
    end
    Int(size)
end

"""
    rows(body; parts = :all)

Returns the data of one body as a vector of numbers: the column that [`rows`](@ref) has of an ensemble of this body. With `clock`, and
with torque, method, drag and motors set again, it is all that a restart needs. Random torques need `parts = (:all, :id)` and
[`noise_draws`](@ref), too.
"""
function rows(body::Body; parts = :all)
    row = Vector{Float64}(undef, row_size(body; parts = parts))
    GC.@preserve body row check(qi_get_body_row(handle_of(body), parts_of(parts), pointer(row)))
    row
end

"""
    set_rows!(body, numbers; parts = :all)

Sets the data of one body from [`rows`](@ref) of a body, or from a column of those of an ensemble. Set torque, method, drag, rotors,
random torques and clock before.
"""
function set_rows!(body::Body, numbers::AbstractVector; parts = :all)
    expected = row_size(body; parts = parts)
    length(numbers) == expected || throw(DimensionMismatch("the row has $(length(numbers)) numbers instead of $expected. Are parts, " *
        "torque, drag, rotors, random torques and method those of the body that wrote the row?"))
    packed = array(numbers)
    GC.@preserve body packed check(qi_set_body_row(handle_of(body), parts_of(parts), pointer(packed)))
    body
end

"""
    rows!(into, ensemble, bodies = :; parts = :all)

Writes [`rows`](@ref) to a matrix, for example to a `view` of the first columns of a larger one, and returns the matrix. It
must not overlap a bound array.
"""
function rows!(into::AbstractMatrix, e::Ensemble, bodies = Colon(); parts = :all)
    list = indices_of(e, bodies)
    check_rows(e, parts, list, into)
    is_packed(into) || return copyto!(into, get_rows(e, parts, list, Matrix{Float64}(undef, size(into))))
    if !isempty(into)
        GC.@preserve into touch(View(pointer(into), size(into, 1), 1, into), 0:size(into, 2) - 1)
    end
    get_rows(e, parts, list, into)
end

"""
    set_rows!(ensemble, numbers, bodies = :; parts = :all)

Sets the data of bodies from [`rows`](@ref) of this or of another ensemble. All columns are checked before the first is
written; the error names the body. Of a body that is listed twice the last column stays.

To continue a run with the same bits, give an ensemble the same torque, drag and method, the clock ([`set_clock!`](@ref)), and
last the rows: what is set after them makes the splitting methods forget the torque that they keep.
"""
function set_rows!(e::Ensemble, numbers::AbstractMatrix, bodies = Colon(); parts = :all)
    list = indices_of(e, bodies)
    check_rows(e, parts, list, numbers)
    packed = is_packed(numbers) ? numbers : array(numbers)
    GC.@preserve e packed check(qi_set_ensemble_rows(handle_of(e), parts_of(parts), list, count_of(e, list), pointer(packed)))
    e
end

function get_rows(e, parts, list, into)
    GC.@preserve e into check(qi_get_ensemble_rows(handle_of(e), parts_of(parts), list, count_of(e, list), pointer(into)))
    into
end

function check_rows(e, parts, list, a)
    expected = (row_size(e; parts = parts), count_of(e, list))
    size(a) == expected || throw(DimensionMismatch("there are $(expected[2]) bodies with rows of $(expected[1]) numbers, so the " *
        "matrix must be $(join(expected, '×')), not $(join(size(a), '×')). Are parts, torque, drag, rotors, random torques and " *
        "method those of the ensemble that wrote the rows?"))
    nothing
end

"Whether the numbers stand one after another in memory, as C needs them."
is_packed(a::StridedMatrix{Float64}) = isempty(a) || (stride(a, 1) == 1 && stride(a, 2) == size(a, 1))
is_packed(a) = false
