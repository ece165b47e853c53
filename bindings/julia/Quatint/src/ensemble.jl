"""
    Ensemble(n; method = :pcdm)

Makes `n` rigid bodies that step together. They start with the identity orientation, at rest, with unit inertia and no
torque; the clock is at 0. For the method see [`set_method!`](@ref).

The states are in the ensemble's own memory ([`set_orientations!`](@ref), [`orientations`](@ref), ...) or in your arrays
([`bind!`](@ref)). In its own memory, or in arrays bound with `kind = :omega_body`, each body's state is bitwise that of the
same body stepped alone.
"""
mutable struct Ensemble
    handle::Ptr{Cvoid}
    count::Int
    acting::Any
    callback::Union{Nothing, Callback}
    threads::Int
    most::Int # the most bodies so far: their memory stays
    bound::Vector{Any} # the bound arrays, kept alive here: orientations, velocities, predicted velocities, flow gradients
    has_drag::Bool
    has_rotors::Bool
    is_random::Bool # has random torques

    function Ensemble(n::Integer; method = :pcdm)
        whole(n, "n") >= 0 || throw(ArgumentError("the number of bodies is $n; it must not be negative"))
        status = Ref(QI_OK)
        make_room(n)
        handle = qi_create_ensemble(n, status)
        handle == C_NULL && (GC.gc(); handle = qi_create_ensemble(n, status))
        handle == C_NULL && throw(QuatintError(status[]))
        bound = Any[nothing, nothing, nothing, nothing]
        set_method!(finalizer(close, new(handle, n, nothing, nothing, 1, n, bound, false, false, false)), method)
    end
end

const UNCOLLECTED = Threads.Atomic{Int}(0) # bytes of ensembles made since this file last called GC.gc()

"Collects ensembles that are no longer used before `n` more bodies need memory: Julia does not see it."
function make_room(n)
    fresh = Threads.atomic_add!(UNCOLLECTED, 112 * Int(min(n, 2^50)))
    fresh > 2^28 && (GC.gc(); UNCOLLECTED[] = 0)
    nothing
end

function Base.close(e::Ensemble)
    handle, e.handle = e.handle, C_NULL
    qi_destroy_ensemble(handle)
    fill!(e.bound, nothing)
    nothing
end

check(status::Int32, e::Ensemble; steps = 0) = check(status, e.callback; steps = steps)

Base.deepcopy_internal(::Ensemble, ::IdDict) =
    throw(ArgumentError("an Ensemble cannot be copied: make another one and set its state"))
Serialization.serialize(::Serialization.AbstractSerializer, object::Union{Body, Ensemble}) =
    throw(ArgumentError("$(article(object)) cannot be serialized, since its memory belongs to the library: serialize its state, " *
        (object isa Body ? "clock(b), orientation(b) and angular_velocity_body(b)" : "clock(e) and rows(e)")))
article(::Body) = "a Body"
article(::Ensemble) = "an Ensemble"

Base.isopen(e::Ensemble) = e.handle != C_NULL
Base.length(e::Ensemble) = e.count

"""
    set_inertias!(ensemble, inertia)

Sets the inertias: a 3×3 tensor or three principal moments for all bodies, a 3×3×n array, or a vector of `n` tensors or of
`n` triples of moments. Angular velocities stay. No axis is locked then.
"""
function set_inertias!(e::Ensemble, inertia::AbstractArray{<:Any, 3})
    size(inertia) == (3, 3, e.count) ||
        throw(DimensionMismatch("there are $(e.count) bodies, but the tensors are $(join(size(inertia), '×'))"))
    set_inertias!(e, [inertia[:, :, i] for i in 1:e.count])
end
function set_inertias!(e::Ensemble, inertia::AbstractVector{<:AbstractArray})
    length(inertia) == e.count ||
        throw(DimensionMismatch("there are $(e.count) bodies, but $(length(inertia)) tensors"))
    give_inertias(e, isempty(inertia) ? Float64[] : reduce(vcat, [nine(tensor) for tensor in inertia]), 9)
end
set_inertias!(e::Ensemble, inertia) = give_inertias(e, nine(inertia), 0)

give_inertias(e, numbers, stride) = (GC.@preserve e check(qi_set_inertias(handle_of(e), numbers, stride)); e)

"""
    set_orientations!(ensemble, q; layout = nothing)

Sets the orientations: a 4×n or n×4 matrix, a vector of `n` quaternions, or one quaternion for all. Angular velocities in the
world frame are unchanged.

With `layout = :columns` a matrix must have a column for each body, with `:rows` a row. By default its size decides, and a
square matrix has columns. So give `:rows` wherever you have rows: else four bodies are read the wrong way.
"""
set_orientations!(e::Ensemble, q; layout = nothing) =
    give(e, readable(q, 4, e.count; layout = layout), qi_set_orientations)

function give(e, view, set)
    GC.@preserve e view check(set(handle_of(e), view.pointer, view.body_stride, view.component_stride))
    e
end

"""
    orientations(ensemble)

Returns a copy of the orientations, 4×n.
"""
orientations(e::Ensemble) = take(e, 4, qi_get_orientations)

function take(e, components, get)
    a = Matrix{Float64}(undef, components, e.count)
    GC.@preserve e check(get(handle_of(e), a, components, 1))
    a
end

"The number of each body that C gets."
function take_numbers(e, get)
    a = Vector{Float64}(undef, e.count)
    GC.@preserve e check(get(handle_of(e), a, 1))
    a
end

const KINDS = (omega_world = QI_OMEGA_WORLD, omega_body = QI_OMEGA_BODY,
    angmom_world = QI_ANGMOM_WORLD, angmom_body = QI_ANGMOM_BODY)

"""
    bind!(ensemble; orientations, angular_velocities, rows = nothing, scalar = nothing, kind = :omega_world, layout = nothing)

Binds one or both arrays: from now on the ensemble reads and writes its state there, without a copy. The contents of the
arrays become the state.

An array is a matrix with a column or a row for each body (any strides, for example a `view`), a vector of tuples, static
vectors, or structs whose fields have names that [`set_orientations!`](@ref) takes, or `particles => :q`, the field `q` of the
structs in a vector. `scalar` is the position of the scalar in a quaternion, `:first` or `:last`; by default the names of its
fields tell, and otherwise it is first. `kind` is the content of `angular_velocities`: `:omega_world`, `:omega_body`,
`:angmom_world` or `:angmom_body`. `layout = :rows` says that matrices have a row for each body, also square ones; see
[`set_orientations!`](@ref).

With `rows`, body `i` is in place `rows[i]` of the arrays, counted from 1: in this column or row of a matrix, or this element of
a vector. The arrays may have more places than there are bodies; the others are not touched. Arrays in different orders are
bound by two calls.

The ensemble keeps the arrays alive until [`release_arrays!`](@ref), `resize!` or [`select_bodies!`](@ref) lets them go. Until
then you must not resize them. You may read and write them between steps. If you give both, the orientations are bound first, and they stay bound if the other array is refused.
"""
function bind!(e::Ensemble; orientations = nothing, angular_velocities = nothing, rows = nothing,
        scalar::Union{Nothing, Symbol} = nothing, kind::Symbol = :omega_world, layout = nothing)
    scalar in (nothing, :first, :last) || throw(ArgumentError("the scalar must be :first or :last, not :$scalar"))
    haskey(KINDS, kind) || throw(ArgumentError("the kind must be one of $(join(keys(KINDS), ", ")), not $kind"))
    list = rows === nothing ? nothing : collect(rows) # only once, because `rows` may be an iterator that can be read once
    q = orientations === nothing ? nothing : view_of(orientations, 4, e.count, list; layout = layout)
    ω = angular_velocities === nothing ? nothing : view_of(angular_velocities, 3, e.count, list; layout = layout)
    places = list === nothing ? (0:e.count - 1) : Int32[row - 1 for row in list]
    in_c = list === nothing ? Ptr{Int32}(C_NULL) : places
    GC.@preserve e q ω begin
        q === nothing || touch(q, places)
        ω === nothing || touch(ω, places)
        if q !== nothing
            root = held(q.root)
            q.scalar in (nothing, something(scalar, q.scalar, :first)) ||
                throw(ArgumentError("the type of the orientations has the scalar $(q.scalar), not $scalar"))
            order = something(scalar, q.scalar, :first) === :last ? QI_SCALAR_LAST : QI_SCALAR_FIRST
            disable_sigint() do # no interrupt may come after C has stored the pointer and before we keep the array alive
                check(qi_bind_orientation_rows(handle_of(e), q.pointer, q.body_stride, q.component_stride, order, in_c))
                e.bound[1] = root
            end
        end
        if ω !== nothing
            root = held(ω.root)
            disable_sigint() do
                check(qi_bind_angular_velocity_rows(handle_of(e), ω.pointer, ω.body_stride, ω.component_stride, KINDS[kind], in_c))
                e.bound[2] = root
            end
        end
    end
    e
end

"""
    set_torque!(ensemble, torque!; layout = :rows, frame = :world)

Sets the torque function `torque!(torque, time, bodies, orientation, angular_velocity)`. It is called at each stage of a step for each
chunk of at most 64 bodies and fills `torque`, which is zero on entry; what it returns is not used. `bodies` is the range of their indices; after
[`set_active!`](@ref) these are positions in that list. All vectors are in `frame`, `:world` or `:body`. The matrices are
valid only during the call.

With `layout = :rows` the matrices have a row for each body (`q[i, 1:4]`, `ω[i, 1:3]`), with `:columns` a column. `:rows` is
the fastest: each component is contiguous over the bodies, so Julia vectorises loops and broadcasts over bodies.

    set_torque!(ensemble, ready_made)

Sets a ready-made torque, as for a [`Body`](@ref). To give each body its own parameters, pass a 3×n matrix for a vector and
a vector for a number. `nothing` removes the torque.
"""
function set_torque!(e::Ensemble, torque; layout::Symbol = :rows, frame::Symbol = :world)
    e.threads > 1 && refuse_threads(e.threads)
    callback = Callback(ChunkTorque{typeof(torque), in_rows(layout)}(torque))
    frame = frame_of(frame)
    disable_sigint() do # no interrupt may come after C has stored the callback and before we have
        check(qi_set_ensemble_torque(handle_of(e), pointer_of(callback), layout_of(layout), frame, user_data(callback)))
        e.acting, e.callback = torque, callback
    end
    e
end

function set_torque!(e::Ensemble, ::Nothing)
    GC.@preserve e disable_sigint() do
        check(qi_set_ensemble_torque(handle_of(e), C_NULL, 0, 0, C_NULL))
        e.acting = e.callback = nothing
    end
    e
end

function set_torque!(e::Ensemble, torque::ReadyMade)
    GC.@preserve e disable_sigint() do
        check(set_ready_made(handle_of(e), e.count, torque))
        e.acting, e.callback = torque, nothing
    end
    e
end

refuse_threads(threads) = throw(ArgumentError("a Julia torque function can be called on one thread only, but the ensemble " *
    "has $threads: use a ready-made torque, or step! with a function of all bodies"))

"""
    set_threads!(ensemble, n)

Sets the number of threads that step the ensemble, at most $(Int(QI_MAX_THREADS)). They are the library's threads, not Julia's. A
Julia torque function needs `n = 1`.
"""
function set_threads!(e::Ensemble, n::Integer)
    whole(n, "n") > 1 && e.callback !== nothing && refuse_threads(n)
    n >= 0 || throw(ArgumentError("the number of threads is $n; it must not be negative"))
    GC.@preserve e check(qi_set_ensemble_threads(handle_of(e), n))
    setfield!(e, :threads, Int(n))
    e
end

"""
    set_active!(ensemble, bodies)

Selects the bodies that move, by index in ascending order or by a vector of `Bool`; `:` selects all. The other bodies keep
their states.
"""
function set_active!(e::Ensemble, bodies)
    indices = indices_of(e, bodies)
    count = length(indices)
    # NULL would mean all bodies
    isempty(indices) && push!(indices, 0)
    GC.@preserve e check(qi_set_ensemble_active(handle_of(e), indices, count))
    e
end

function set_active!(e::Ensemble, ::Colon)
    GC.@preserve e check(qi_set_ensemble_active(handle_of(e), Ptr{Csize_t}(C_NULL), 0))
    e
end

"Indices of bodies for C, from 0: from indices, from a vector of `Bool`, or from a colon, which is all bodies and NULL in C."
function indices_of(e, bodies)
    numbers = collect(bodies) # only once, because `bodies` may be an iterator that can be read once
    if !isempty(numbers) && all(x -> x isa Bool, numbers) # true is not body 1
        length(numbers) == e.count || throw(DimensionMismatch("there are $(e.count) bodies, but $(length(numbers)) Bools"))
        numbers = findall(vec(numbers))
    end
    whole_numbers(numbers, "bodies")
    all(i -> 1 <= i <= e.count, numbers) || throw(BoundsError(e, numbers))
    Csize_t[i - 1 for i in vec(numbers)]
end
indices_of(e, ::Colon) = NO_LIST

const NO_LIST = Ptr{Csize_t}(C_NULL)

count_of(e, list) = list === NO_LIST ? e.count : length(list)

"""
    forget_torque!(ensemble)

Says that something has changed that the torque reads, or that you have written states to bound arrays: the splitting methods then
ask for the torque again.
"""
forget_torque!(e::Ensemble) = (GC.@preserve e check(qi_forget_ensemble_torques(handle_of(e))); e)
set_method!(e::Ensemble, method) = (GC.@preserve e check(qi_set_ensemble_method(handle_of(e), number_of(method))); e)

method(e::Ensemble) = GC.@preserve e name_of_method(number -> qi_get_ensemble_method(handle_of(e), number))

function step!(e::Ensemble, dt)
    GC.@preserve e check(calling_back(() -> qi_step_ensemble(handle_of(e), dt)), e)
    e
end

function advance!(e::Ensemble, dt, steps::Integer)
    in_parts(e, steps, active_count(e)) do part, completed
        GC.@preserve e calling_back(() -> qi_advance_ensemble(handle_of(e), dt, part, completed))
    end
end

"""
    step!(torque!, ensemble, dt; layout = :columns)
    step!(ensemble, dt; layout = :columns) do torque, time, orientation, angular_velocity
        ...
    end

Takes one step with a function that computes the torques of all (active) bodies in one call, for example torques between
bodies. The function is called at each stage of the step with a 4×n matrix of orientations and a 3×n matrix of
angular velocities. It fills `torque`, 3×n, world frame; what it returns is not used. With `layout = :rows` the matrices have a row for each body (n×4
and n×3), which suits broadcasts and is faster. If the function throws, the step is cancelled.
"""
step!(torque!, e::Ensemble, dt; layout::Symbol = :columns) = advance!(torque!, e, dt, 1; layout = layout)

"""
    advance!(torque!, ensemble, dt, steps; layout = :columns)

Takes many such steps; see [`step!`](@ref). This is faster than calling `step!` many times and gives bitwise the same
result. Every call of the function receives the same matrices. If the function throws, the completed steps are kept.
"""
function advance!(torque!, e::Ensemble, dt, steps::Integer; layout::Symbol = :columns)
    rows = in_rows(layout)
    n, time = active_count(e), Ref(0.0)
    q, ω, torque = map(k -> Matrix{Float64}(undef, rows ? n : k, rows ? k : n), (4, 3, 3))
    GC.@preserve e begin
        check(qi_set_ensemble_stage_layout(handle_of(e), layout_of(layout)))
        check(qi_begin_ensemble_steps(handle_of(e), dt, count_of_steps(steps)))
        try
            status = qi_next_ensemble_stage(handle_of(e), time, q, ω)
            while status == QI_NEED_TORQUE
                poll() # Ctrl-C, also where the function does not allocate
                fill!(torque, 0)
                expect_filled(torque, ω, torque!(torque, time[], q, ω))
                status = qi_continue_ensemble_step(handle_of(e), torque, time, q, ω)
            end
            check(status)
        catch
            e.handle == C_NULL || qi_cancel_ensemble_step(e.handle)
            rethrow()
        end
    end
    e
end

function Base.show(io::IO, ::MIME"text/plain", e::Ensemble)
    isopen(e) || return print(io, "Ensemble (closed)")
    print(io, "Ensemble of ", e.count, " bodies at t = ", time(e))
    moving = active_count(e)
    moving < e.count && print(io, ", of which ", moving, " move")
    places = [root === nothing ? "its own memory" : "your " * string(nameof(typeof(root))) for root in e.bound]
    print(io, "\n  orientations in        ", places[1], "\n  angular velocities in  ", places[2])
    e.bound[3] === nothing || print(io, "\n  predicted velocities   ", places[3])
    e.bound[4] === nothing || print(io, "\n  flow gradients in      ", places[4])
    print(io, "\n  method                 ", method(e), "\n  torque                 ", name_of(e.acting))
    e.has_drag && print(io, "\n  drag                   linear")
    e.has_rotors && print(io, "\n  rotors                 yes")
    e.is_random && print(io, "\n  random torques         yes")
    print(io, "\n  threads                ", e.threads)
end

Base.show(io::IO, e::Ensemble) = print(io, isopen(e) ? "Ensemble($(e.count))" : "Ensemble (closed)")
