# Torques, events and inertias as Julia functions. C receives a function of this file, compiled for the type of the torque, so that the
# torque is called directly. The user data is the address of a `Callback`, which the body or ensemble keeps alive.
#
# Ctrl-C throws an InterruptException at any allocation, and one that passes through C leaves the object busy for ever. So C is
# called with Ctrl-C disabled (`calling_back`), and each callback enables it inside its `try` only. `poll` then throws what
# waits, because a function that does not allocate never would, and lets the garbage collection of other threads go on.

"A torque, event or inertia function and its exception. Exceptions must not pass through C: this one is stored until C has returned."
mutable struct Callback{F}
    f::F
    exception::Any
    backtrace::Vector
    Callback(f::F) where {F} = new{F}(f, nothing, [])
end

@noinline function caught!(callback::Callback, exception, backtrace)
    callback.exception = exception
    callback.backtrace = backtrace
    Cint(1)
end

"""
An exception with its backtrace in the torque, event or inertia function. Julia shows it as the cause of the exception that the step
throws.
"""
struct ThrownByFunction <: Exception
    kind::String
    exception
    backtrace
end

function Base.showerror(io::IO, e::ThrownByFunction)
    print(io, "thrown by the ", e.kind, " function: ")
    showerror(io, e.exception, e.backtrace)
end

"Calls a C function that may call back."
const calling_back = disable_sigint

@inline poll() = GC.safepoint()

check(status::Int32, ::Nothing; steps = 0) = check(status; steps = steps)

function check(status::Int32, callback::Callback; steps = 0)
    status < 0 || return nothing
    status == QI_ERR_CALLBACK && callback.exception !== nothing && throw_from(callback, "torque")
    throw(QuatintError(status; steps = steps))
end

"Throws the exception of a function of that kind, if it has thrown one."
check(::Int32, callback, kind::String) =
    callback === nothing || callback.exception === nothing || throw_from(callback, kind)

function throw_from(callback, kind)
    exception, callback.exception = callback.exception, nothing
    try
        throw(ThrownByFunction(kind, exception, callback.backtrace))
    catch
        throw(exception) # the original; Julia's exception stack also holds the ThrownByFunction with the function's backtrace
    end
end

user_data(callback::Callback) = pointer_from_objref(callback)

# one body

"Calls a function with a time and a state of C. Ctrl-C is enabled meanwhile."
@inline function at_state(f, time, q, ω)
    orientation = Quaternion(unsafe_load(q, 1), unsafe_load(q, 2), unsafe_load(q, 3), unsafe_load(q, 4))
    velocity = Vec3(unsafe_load(ω, 1), unsafe_load(ω, 2), unsafe_load(ω, 3))
    reenable_sigint() do
        poll()
        f(time, orientation, velocity)
    end
end

function torque_of(time::Cdouble, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, torque::Ptr{Cdouble}, callback::Callback)::Cint
    try
        x, y, z = three(at_state(callback.f, time, q, ω), "a torque")
        unsafe_store!(torque, x, 1)
        unsafe_store!(torque, y, 2)
        unsafe_store!(torque, z, 3)
        Cint(0)
    catch exception
        caught!(callback, exception, catch_backtrace())
    end
end

pointer_of(::Callback{F}) where {F} =
    @cfunction(torque_of, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{F}}))

function event_of(time::Cdouble, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, callback::Callback)::Cdouble
    try
        number(at_state(callback.f, time, q, ω))::Cdouble
    catch exception
        caught!(callback, exception, catch_backtrace())
        NaN # ends the solution
    end
end

"Whether it was called without an exception: 0, or 1, which ends the solution."
function monitor_of(time::Cdouble, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, callback::Callback)::Cint
    try
        at_state(callback.f, time, q, ω)
        Cint(0)
    catch exception
        caught!(callback, exception, catch_backtrace())
    end
end

monitor_pointer(::Callback{F}) where {F} =
    @cfunction(monitor_of, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{F}}))

steps_between(::Callback) = 1

"In the place of a monitor: C calls it to look for Ctrl-C, after some 0.1 ms."
struct Lookout end

(::Lookout)(time, orientation, angular_velocity) = nothing

steps_between(::Callback{Lookout}) = 256

event_pointer(::Callback{F}) where {F} =
    @cfunction(event_of, Cdouble, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{F}}))

function inertia_of(time::Cdouble, inertia::Ptr{Cdouble}, callback::Callback)::Cint
    try
        numbers = reenable_sigint() do
            poll()
            tensor(callback.f(time))
        end
        for k in 1:9
            unsafe_store!(inertia, numbers[k], k)
        end
        Cint(0)
    catch exception
        caught!(callback, exception, catch_backtrace())
    end
end

inertia_pointer(::Callback{F}) where {F} = @cfunction(inertia_of, Cint, (Cdouble, Ptr{Cdouble}, Ref{Callback{F}}))

# chunks of an ensemble

"How many calls of a torque function have started and ended, together."
mutable struct Calls
    number::Int
end

"The library's memory as a matrix. Nothing checks whether it is there, so only a `ChunkArray` may hold it."
struct ChunkMemory <: AbstractMatrix{Float64}
    pointer::Ptr{Float64}
    rows::Int
    columns::Int
end

Base.size(a::ChunkMemory) = (a.rows, a.columns)
Base.IndexStyle(::Type{ChunkMemory}) = IndexLinear()
Base.@propagate_inbounds function Base.getindex(a::ChunkMemory, i::Int)
    @boundscheck checkbounds(a, i)
    unsafe_load(a.pointer, i)
end
Base.@propagate_inbounds function Base.setindex!(a::ChunkMemory, x, i::Int)
    @boundscheck checkbounds(a, i)
    unsafe_store!(a.pointer, x, i)
    a
end

"""
A matrix in the library's memory, which needs no allocation, or a view, a reshaping or a transpose of one. It is valid only
during the call of the torque function; copy any values that you need later.
"""
struct ChunkArray{N, A <: AbstractArray{Float64, N}} <: AbstractArray{Float64, N}
    memory::A
    calls::Calls
    call::Int # the array is valid while `calls` has this number
end
const ChunkMatrix = ChunkArray{2, ChunkMemory}

is_alive(a::ChunkArray) = a.calls.number == a.call
@inline checkalive(a::ChunkArray) = is_alive(a) || gone()
@noinline gone() = throw(ArgumentError("the matrices of a torque function are valid only during its call: copy the values you need"))

Base.size(a::ChunkArray) = (checkalive(a); size(a.memory)) # checks here: code that skips bounds checks still asks for the size
Base.IndexStyle(::Type{ChunkArray{N, A}}) where {N, A} = IndexStyle(A)
Base.@propagate_inbounds function Base.getindex(a::ChunkArray, I::Vararg{Int, M}) where {M}
    @boundscheck checkbounds(a, I...)
    @inbounds a.memory[I...]
end
Base.@propagate_inbounds function Base.setindex!(a::ChunkArray, x, I::Vararg{Int, M}) where {M}
    @boundscheck checkbounds(a, I...)
    @inbounds a.memory[I...] = x
    a
end

# What shows the memory of a chunk is a `ChunkArray` itself. Those of Julia keep their size, and would not ask for that of the chunk.
part(a::ChunkArray, memory::AbstractArray{Float64, N}) where {N} = ChunkArray{N, typeof(memory)}(memory, a.calls, a.call)
Base.@propagate_inbounds function Base.view(a::ChunkArray, I::Vararg{Any, M}) where {M}
    checkalive(a)
    @boundscheck checkbounds(a, I...)
    part(a, view(a.memory, I...))
end
Base.reshape(a::ChunkArray, dims::Dims) = (checkalive(a); part(a, reshape(a.memory, dims)))
Base.reshape(a::ChunkArray, dims::Tuple{Vararg{Union{Int, Colon}}}) = (checkalive(a); part(a, reshape(a.memory, dims)))
LinearAlgebra.adjoint(a::ChunkArray{2}) = part(a, adjoint(a.memory))
LinearAlgebra.transpose(a::ChunkArray{2}) = part(a, transpose(a.memory))
Base.PermutedDimsArray(a::ChunkArray, order) = part(a, PermutedDimsArray(a.memory, order))
Base.view(a::Adjoint{Float64, <:ChunkArray}, I::Vararg{Any, M}) where {M} = view(part(parent(a), adjoint(parent(a).memory)), I...)
Base.view(a::Transpose{Float64, <:ChunkArray}, I::Vararg{Any, M}) where {M} = view(part(parent(a), transpose(parent(a).memory)), I...)

# Exceptions may hold a matrix and are shown after the call: to show it must not throw.
Base.summary(io::IO, a::ChunkArray) =
    print(io, join(size(a.memory), '×'), ndims(a) == 2 ? " matrix" : " array", " of a torque function")
Base.show(io::IO, a::ChunkArray) = is_alive(a) ? invoke(show, Tuple{IO, AbstractArray}, io, a) : summary(io, a)
Base.show(io::IO, m::MIME"text/plain", a::ChunkArray) =
    is_alive(a) ? invoke(show, Tuple{IO, MIME"text/plain", AbstractArray}, io, m, a) : summary(io, a)

"""
The exception in a form that can be shown after the call. An index error holds the array, which may be a matrix of the call, or a
view, reshaping or permutation of one: a copy takes its place.
"""
lasting(exception) = exception
function lasting(e::BoundsError)
    isdefined(e, :a) && e.a isa AbstractArray && whole_of(e.a) isa ChunkMemory || return e
    isdefined(e, :i) ? BoundsError(collect(e.a), e.i) : BoundsError(collect(e.a))
end

"The array that has the memory which an array shows: the last one in the chain of parents."
whole_of(a::ChunkArray) = whole_of(a.memory)
whole_of(a) = (next = parent(a); next === a ? a : whole_of(next))

"""
Refuses the torques that a function returns while it leaves `torque`, which was zero, at zero: they would be lost. The last
expression of a function that fills `torque` may well be another matrix, and that of one that only looks may be `ω`.
"""
expect_filled(torque, ω, result) = nothing
expect_filled(torque, ω, result::AbstractMatrix{<:Real}) =
    size(result) == size(torque) && iszero(torque) && !iszero(result) && whole_of(result) !== whole_of(ω) && not_filled()
@noinline not_filled() = throw(ArgumentError("the torque function returns its torques and leaves `torque` at zero: fill it, as in " *
    "`torque .= ...`. A function that means no torque returns `nothing`"))

"A torque function and the layout of its matrices. `Rows` is `true` for a row for each body, `false` for a column."
struct ChunkTorque{F, Rows}
    f::F
    calls::Calls
    ChunkTorque{F, Rows}(f) where {F, Rows} = new{F, Rows}(f, Calls(0))
end

matrix(t::ChunkTorque{F, true}, pointer, components, count) where {F} = matrix(t, ChunkMemory(pointer, count, components))
matrix(t::ChunkTorque{F, false}, pointer, components, count) where {F} = matrix(t, ChunkMemory(pointer, components, count))
matrix(t::ChunkTorque, memory::ChunkMemory) = ChunkMatrix(memory, t.calls, t.calls.number)

function torques_of(time::Cdouble, first::Csize_t, count::Csize_t, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, torque::Ptr{Cdouble},
        callback::Callback)::Cint
    chunk = callback.f
    chunk.calls.number += 1
    try
        n = Int(count)
        bodies = Int(first) + 1:Int(first) + n
        into, orientations, velocities = matrix(chunk, torque, 3, n), matrix(chunk, q, 4, n), matrix(chunk, ω, 3, n)
        reenable_sigint() do
            poll()
            expect_filled(into, velocities, chunk.f(into, time, bodies, orientations, velocities))
        end
        chunk.calls.number += 1
        Cint(0)
    catch exception
        backtrace = catch_backtrace()
        kept = lasting(exception) # while the matrices are valid
        chunk.calls.number += 1
        caught!(callback, kept, backtrace)
    end
end

pointer_of(::Callback{T}) where {T <: ChunkTorque} = @cfunction(torques_of, Cint,
    (Cdouble, Csize_t, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{T}}))
