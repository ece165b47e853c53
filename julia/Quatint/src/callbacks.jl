# Torques and events as Julia functions. C receives a function of this file, compiled for the type of the torque, so that the
# torque is called directly. The user data is the address of a `Callback`, which the body or ensemble keeps alive.

"A torque or event function and its exception. Exceptions must not pass through C: this one is stored until C has returned."
mutable struct Callback{F}
    f::F
    exception::Any
    backtrace::Vector{Union{Ptr{Nothing}, Base.InterpreterIP}}
    Callback(f::F) where {F} = new{F}(f, nothing, [])
end

@noinline function caught!(callback::Callback, exception, backtrace)
    callback.exception = exception
    callback.backtrace = backtrace
    Cint(1)
end

"""
An exception with its backtrace in the torque or event function. Julia shows it as the cause of the exception that the step
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

check(status::Int32, ::Nothing; steps = 0) = check(status; steps = steps)

function check(status::Int32, callback::Callback; steps = 0)
    status < 0 || return nothing
    status == QI_ERR_CALLBACK && callback.exception !== nothing && throw_from(callback, "torque")
    throw(QuatintError(status; steps = steps))
end

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

function torque_of(time::Cdouble, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, torque::Ptr{Cdouble}, callback::Callback)::Cint
    try
        orientation = Quaternion(unsafe_load(q, 1), unsafe_load(q, 2), unsafe_load(q, 3), unsafe_load(q, 4))
        x, y, z = three(callback.f(time, orientation, Vec3(unsafe_load(ω, 1), unsafe_load(ω, 2), unsafe_load(ω, 3))), "a torque")
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
        orientation = Quaternion(unsafe_load(q, 1), unsafe_load(q, 2), unsafe_load(q, 3), unsafe_load(q, 4))
        number(callback.f(time, orientation, Vec3(unsafe_load(ω, 1), unsafe_load(ω, 2), unsafe_load(ω, 3))))::Cdouble
    catch exception
        caught!(callback, exception, catch_backtrace())
        NaN # ends the solution
    end
end

event_pointer(::Callback{F}) where {F} =
    @cfunction(event_of, Cdouble, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{F}}))

# chunks of an ensemble

"""
A matrix in the library's memory, which needs no allocation. It is valid only during the call of the torque function; copy
any values that you need later.
"""
struct ChunkMatrix <: AbstractMatrix{Float64}
    pointer::Ptr{Float64}
    rows::Int
    columns::Int
    calls::Base.RefValue{Int}
    call::Int # the matrix is valid while `calls` has this value
end

@inline checkalive(a::ChunkMatrix) = a.calls[] == a.call || gone()
@noinline gone() = throw(ArgumentError("the matrices of a torque function are valid only during its call: copy the values you need"))

Base.size(a::ChunkMatrix) = (checkalive(a); (a.rows, a.columns)) # checks here: code that skips bounds checks still asks for the size
Base.IndexStyle(::Type{ChunkMatrix}) = IndexLinear()
Base.@propagate_inbounds function Base.getindex(a::ChunkMatrix, i::Int)
    @boundscheck checkbounds(a, i)
    unsafe_load(a.pointer, i)
end
Base.@propagate_inbounds function Base.setindex!(a::ChunkMatrix, x, i::Int)
    @boundscheck checkbounds(a, i)
    unsafe_store!(a.pointer, x, i)
    a
end

"A torque function and the layout of its matrices. `Rows` is `true` for a row for each body, `false` for a column."
struct ChunkTorque{F, Rows}
    f::F
    calls::Base.RefValue{Int} # increases at the start and at the end of each call
    ChunkTorque{F, Rows}(f) where {F, Rows} = new{F, Rows}(f, Ref(0))
end

matrix(t::ChunkTorque{F, true}, pointer, components, count) where {F} = ChunkMatrix(pointer, count, components, t.calls, t.calls[])
matrix(t::ChunkTorque{F, false}, pointer, components, count) where {F} = ChunkMatrix(pointer, components, count, t.calls, t.calls[])

function torques_of(time::Cdouble, first::Csize_t, count::Csize_t, q::Ptr{Cdouble}, ω::Ptr{Cdouble}, torque::Ptr{Cdouble},
        callback::Callback)::Cint
    chunk = callback.f
    chunk.calls[] += 1
    try
        n = Int(count)
        bodies = Int(first) + 1:Int(first) + n
        chunk.f(matrix(chunk, torque, 3, n), time, bodies, matrix(chunk, q, 4, n), matrix(chunk, ω, 3, n))
        chunk.calls[] += 1
        Cint(0)
    catch exception
        chunk.calls[] += 1
        caught!(callback, exception, catch_backtrace())
    end
end

pointer_of(::Callback{T}) where {T <: ChunkTorque} = @cfunction(torques_of, Cint,
    (Cdouble, Csize_t, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ref{Callback{T}}))
