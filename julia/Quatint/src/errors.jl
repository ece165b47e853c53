"""
Thrown when the library refuses a call or a step fails. `name` is the status as in quatint.h, such as `"QI_ERR_INERTIA"`.
`message` names the function, the argument or the body (counted from 0), and the reason.
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
