"""
What the library refused, or a step that failed. `name` is the status as quatint.h calls it, such as `"QI_ERR_INERTIA"`; `message`
names the function, the argument or body (bodies are counted from 0 there), and the reason.
"""
struct QuatintError <: Exception
    status::Int32
    name::String
    message::String
end

QuatintError(status::Int32, message = unsafe_string(qi_last_error())) =
    QuatintError(status, unsafe_string(qi_status_name(status)), message)

Base.showerror(io::IO, e::QuatintError) = print(io, e.name, ": ", e.message)

@inline check(status::Int32) = status < 0 ? throw(QuatintError(status)) : nothing
