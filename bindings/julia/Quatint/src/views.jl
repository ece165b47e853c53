# The caller's arrays in the form that the library needs: a pointer and the strides from body to body and from component to
# component.

"The location of the numbers, and the object (`root`) that must stay alive while they are used."
struct View
    pointer::Ptr{Float64}
    body_stride::Int
    component_stride::Int
    root::Any
    scalar::Union{Nothing, Symbol} # where the type of quaternions has the scalar, :first or :last; `nothing`: it does not tell
end
View(pointer, body_stride, component_stride, root) = View(pointer, body_stride, component_stride, root, nothing)

"""
Checks where in a value of this type the components lie, as the names of its fields tell or its indices: one after the other.
Returns where the scalar of a quaternion is, if names tell. Values whose components cannot be told are refused.
"""
function places_of(T, components)
    value = reinterpret(T, Float64.(1:components))[1]
    places = try
        components == 4 ? four(value) : components == 3 ? three(value) : Tuple(Float64.(1:components))
    catch
        throw(ArgumentError("which number of a $T is which cannot be told: give tuples, static vectors, or values with the fields " *
            (components == 4 ? "s, v1, v2, v3" : "x, y, z")))
    end
    is_first = places == Tuple(1:components)
    is_first || (places == (4, 1, 2, 3) && !(T <: AbstractArray)) || throw(ArgumentError("the numbers of a $T lie in another order in " *
        "memory, so it cannot be used in place: $(places) for 1 to $components"))
    components == 4 && !(T <: Union{AbstractArray, Tuple}) ? (is_first ? :first : :last) : nothing
end

"""
Locates the `components` numbers of each of `n` bodies. The argument is a matrix with a column or a row for each body, a
vector of tuples or static vectors, or `vector => :field` for one field of the structs in a vector. `layout` says whether a
matrix has `:columns` or `:rows`. By default its size does, and a square matrix has columns. Errors speak of `things`.
"""
function view_of(a::StridedMatrix{Float64}, components, n; layout = nothing, things = "bodies")
    if has_rows(a, components, n, layout, things)
        View(pointer(a), stride(a, 1), stride(a, 2), a)
    else
        View(pointer(a), stride(a, 2), stride(a, 1), a)
    end
end

function has_rows(a, components, n, layout, things)
    columns, rows = size(a) == (components, n), size(a) == (n, components)
    fits = layout === nothing ? columns || rows : in_rows(layout) ? rows : columns
    fits || wrong_size(a, components, n, layout, things)
    layout === nothing ? !columns : in_rows(layout)
end

function view_of(a::StridedVector{T}, components, n; layout = nothing, things = "bodies") where {T}
    length(a) == n || throw(DimensionMismatch("there are $n $things, but the vector has $(length(a)) elements"))
    is_made_of(T, components) || throw(ArgumentError("the element type $T does not consist of $components Float64"))
    View(Ptr{Float64}(pointer(a)), stride(a, 1) * components, 1, a, places_of(T, components))
end

function view_of(field::Pair{<:StridedVector{T}, Symbol}, components, n; layout = nothing, things = "bodies") where {T}
    a, name = field
    length(a) == n || throw(DimensionMismatch("there are $n $things, but the vector has $(length(a)) elements"))
    isbitstype(T) || throw(ArgumentError("$T is not an isbits type, so its fields are not stored in the array"))
    hasfield(T, name) || throw(ArgumentError("$T has no field $name"))
    is_made_of(fieldtype(T, name), components) ||
        throw(ArgumentError("the field $name of $T does not consist of $components Float64"))
    sizeof(T) % 8 == 0 || throw(ArgumentError("the size of $T, $(sizeof(T)) bytes, is not a multiple of 8"))
    offset = fieldoffset(T, Base.fieldindex(T, name))
    View(Ptr{Float64}(pointer(a)) + offset, stride(a, 1) * sizeof(T) ÷ 8, 1, a, places_of(fieldtype(T, name), components))
end

"The same with the bodies in a list of places of the array. `nothing`: body `i` is in place `i`."
view_of(a, components, n, ::Nothing; layout = nothing) = view_of(a, components, n; layout = layout)
function view_of(a, components, n, list; layout = nothing)
    length(list) == n || throw(DimensionMismatch("there are $n bodies, but $(length(list)) rows"))
    any(row -> row isa Bool, list) && throw(ArgumentError("the rows must be numbers of places, not Bools: give findall(rows)"))
    whole_numbers(list, "rows")
    places = places_in(a, components, layout)
    view = view_of(a, components, places; layout = layout)
    all(row -> 1 <= row <= places, list) || throw(BoundsError(view.root, list))
    view
end

places_in(a::AbstractMatrix, components, layout) =
    (layout === nothing ? size(a, 1) != components : in_rows(layout)) ? size(a, 1) : size(a, 2)
places_in(field::Pair, components, _) = length(first(field))
places_in(a, components, _) = length(a)

"""
The object that keeps the memory of a bound array alive. For a vector it is a second array that shares the memory. Julia
then refuses to resize the vector; Julia 1.11 and later allow it, but the old memory stays valid.
"""
held(a::Vector) = reshape(a, 1, length(a))
held(a::Array) = a
held(a) = (owner = parent(a); owner === a ? a : held(owner))

"""
Throws Julia's error if the array cannot be written, for example a file mapped read-only. In C the error would come too late.
Tries the first and the last of the places that C will write, counted from 0.
"""
function touch(view::View, places)
    isempty(places) && return
    for i in (first(places), last(places))
        at = view.pointer + 8 * Int(i) * view.body_stride
        put(at, unsafe_load(at))
    end
end
@noinline put(at, x) = unsafe_store!(at, x) # not inlined, so not optimised away

view_of(a, components, n; layout = nothing, things = "bodies") = throw(ArgumentError("an object of type $(typeof(a)) cannot be used in place: give a dense or strided " *
    "matrix of Float64, a vector of tuples or static vectors, or `vector => :field`"))

function wrong_size(a, components, n, layout, things)
    expected = layout === nothing ? "$components×$n or $n×$components" : in_rows(layout) ? "$n×$components" : "$components×$n"
    throw(DimensionMismatch("there are $n $things, so the matrix must be $expected, not $(join(size(a), '×'))"))
end

in_rows(layout) = layout in (:rows, :columns) ? layout === :rows :
    throw(ArgumentError("the layout must be :rows or :columns, not :$layout"))
layout_of(layout) = in_rows(layout) ? QI_LAYOUT_SOA : QI_LAYOUT_AOS

"Whether a value of this type consists of exactly this many `Float64`."
is_made_of(T, components) = isbitstype(T) && sizeof(T) == 8 * components && all_float64(T)
all_float64(T) = T === Float64 || (isbitstype(T) && fieldcount(T) > 0 && all(all_float64, fieldtypes(T)))

"Like `view_of`, for input that is only read: an array that cannot be used in place is copied, and one vector may serve all bodies."
readable(a::Union{StridedMatrix{Float64}, Pair}, components, n; layout = nothing, things = "bodies") =
    scalar_first(view_of(a, components, n; layout = layout, things = things), n)
function readable(a::AbstractMatrix, components, n; layout = nothing, things = "bodies")
    has_rows(a, components, n, layout, things) # refuses a wrong size before the copy
    view_of(array(a), components, n; layout = layout)
end
function readable(a, components, n; layout = nothing, things = "bodies")
    has_names(a, components == 4 ? :v1 : :x) && return readable(components == 4 ? four(a) : three(a), components, n)
    if length(a) == components && first(a) isa Number && !hasproperty(first(a), :v1)
        one = Float64[number(x) for x in a]
        return View(pointer(one), 0, 1, one)
    end
    length(a) == n || throw(DimensionMismatch("there are $n $things, but $(length(a)) elements"))
    columns = Matrix{Float64}(undef, components, n)
    for (i, x) in enumerate(a)
        columns[:, i] .= components == 4 ? four(x) : three(x)
    end
    view_of(columns, components, n)
end
readable(q::Quaternion, components, n; layout = nothing, things = "bodies") = readable(four(q), components, n)

"The same view, or a copy of quaternions whose type has the scalar last: only `bind!` tells C so."
function scalar_first(view, n)
    view.scalar === :last || return view
    columns = GC.@preserve view [unsafe_load(view.pointer, 1 + (i - 1) * view.body_stride + k) for k in (3, 0, 1, 2), i in 1:n]
    View(pointer(columns), 4, 1, columns)
end
