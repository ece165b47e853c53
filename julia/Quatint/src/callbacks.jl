# Torques as Julia functions. C gets a function of this file, compiled for the type of the torque (so the call is direct), and as
# user data the address of a `Callback`, which its body or ensemble keeps alive.

"A torque function, and what it threw: an exception must not pass through C, so it waits here until the C function is back."
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

"Where in the torque function it happened: what Julia shows as the cause of an exception that a step throws."
struct ThrownByTorque <: Exception
    exception
    backtrace
end

function Base.showerror(io::IO, e::ThrownByTorque)
    print(io, "thrown by the torque function: ")
    showerror(io, e.exception, e.backtrace)
end

check(status::Int32, ::Nothing) = check(status)

function check(status::Int32, callback::Callback)
    status < 0 || return nothing
    exception = callback.exception
    if status == QI_ERR_CALLBACK && exception !== nothing
        callback.exception = nothing
        try
            throw(ThrownByTorque(exception, callback.backtrace))
        catch
            throw(exception) # as it was; the one before stands in the stack of exceptions with the backtrace of the torque
        end
    end
    throw(QuatintError(status))
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

# chunks of an ensemble

"""
A matrix in memory of the library, for the time of a call: nothing is allocated for it. Copy what is to be kept.
"""
struct ChunkMatrix <: AbstractMatrix{Float64}
    pointer::Ptr{Float64}
    rows::Int
    columns::Int
    calls::Base.RefValue{Int}
    call::Int # it is valid while `calls` shows this
end

@inline checkalive(a::ChunkMatrix) = a.calls[] == a.call || gone()
@noinline gone() = throw(ArgumentError("the matrices of a torque function are valid during its call only: copy what is to be kept"))

Base.size(a::ChunkMatrix) = (checkalive(a); (a.rows, a.columns)) # here, since whatever skips the check of bounds asks for the size first
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

"A function with the layout of its matrices: `true` for a row for each body, `false` for a column."
struct ChunkTorque{F, Rows}
    f::F
    calls::Base.RefValue{Int} # and ends of calls
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
