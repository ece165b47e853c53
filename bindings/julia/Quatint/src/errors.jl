"""
Thrown when the library refuses a call or a step fails.

- `status`, `name`: the kind of failure as in quatint.h, such as `-5` and `"QI_ERR_INERTIA"`.
- `body`: the index of the body concerned, counted from 1; `nothing` if no single body of an ensemble is concerned.
- `message`: how many steps were completed, the body, and the reason.
"""
struct QuatintError <: Exception
    status::Int32
    name::String
    body::Union{Nothing, Int}
    message::String
end

QuatintError(status::Int32, message) = QuatintError(status, status_name(status), nothing, message)

"The last failure in the library on this thread, after a number of completed steps."
function QuatintError(status::Int32; steps = 0)
    index = qi_last_error_body()
    body = index == typemax(Csize_t) ? nothing : Int(index) + 1
    after = steps == 0 ? "" : steps == 1 ? "after 1 step: " : "after $steps steps: "
    of_body = body === nothing ? "" : "body $body: "
    QuatintError(status, status_name(status), body, string(after, of_body, unsafe_string(qi_last_error_cause())))
end

status_name(status) = unsafe_string(qi_status_name(status))

Base.showerror(io::IO, e::QuatintError) = print(io, e.name, ": ", e.message)

@inline check(status::Int32; steps = 0) = status < 0 ? throw(QuatintError(status; steps = steps)) : nothing
