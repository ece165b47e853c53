# Orientations from given angular velocities.

"""
    turn_orientation(rate, q, start, finish, steps; frame = :world)

Returns the orientation at the time `finish` of what has the orientation `q` at the time `start` and turns with the angular velocity
`rate(time)`, in rad/s: a gyroscope, a drum, a paddle. `rate` stands first, so that a `do` block may follow; it returns three
numbers, in `frame`, `:world` or `:body`. Order 4, coning included, by `steps` equal steps of two calls each; `finish` may lie before
`start`. What `rate` throws is thrown.
"""
function turn_orientation(rate, q, start, finish, steps; frame::Symbol = :world)
    turned, callback = collect(four(q)), Callback(rate)
    steps >= 1 || throw(ArgumentError("`steps` must be at least 1, not $steps"))
    calling_back() do
        status = GC.@preserve callback qi_turn_orientation(turned, number(start), number(finish), steps, rate_pointer(callback),
            frame_of(frame), user_data(callback))
        status == QI_ERR_CALLBACK && check(status, callback, "rate")
        check(status)
    end
    Quaternion(turned)
end

function rate_of(time::Cdouble, rate::Ptr{Cdouble}, callback::Callback)::Cint
    try
        x, y, z = reenable_sigint() do
            poll()
            three(callback.f(time), "an angular velocity")
        end
        unsafe_store!(rate, x, 1)
        unsafe_store!(rate, y, 2)
        unsafe_store!(rate, z, 3)
        Cint(0)
    catch exception
        caught!(callback, exception, catch_backtrace())
    end
end

rate_pointer(::Callback{F}) where {F} = @cfunction(rate_of, Cint, (Cdouble, Ptr{Cdouble}, Ref{Callback{F}}))

"""
    turn_by_samples(q, angular_velocities, dt; frame = :world)

Returns the orientation at the last of equally spaced samples of the angular velocity, in rad/s, of what has the orientation `q` at
the first. The samples are a 3×n matrix, a column for each, or a vector of vectors, `dt` apart, in `frame`; gyroscopes measure in
the frame `:body`. Order 4, coning included. Of a record in pieces, the last sample of a piece is the first one of the next.
"""
function turn_by_samples(q, angular_velocities, dt; frame::Symbol = :world)
    turned, samples = collect(four(q)), samples_of(angular_velocities)
    GC.@preserve samples check(qi_turn_by_samples(turned, size(samples, 2), samples, 3, number(dt), frame_of(frame)))
    Quaternion(turned)
end

function samples_of(ω::AbstractMatrix)
    size(ω, 1) == 3 ||
        throw(DimensionMismatch("angular velocities are 3×n, a column for each sample, not $(join(size(ω), '×'))"))
    Float64[number(x) for x in ω]
end
function samples_of(ω)
    columns = Matrix{Float64}(undef, 3, length(ω))
    for (i, sample) in enumerate(ω)
        columns[:, i] .= three(sample, "an angular velocity")
    end
    columns
end

"""
    orientation_rate(q, angular_velocity)

Returns the derivative of an orientation with respect to time, `dq/dt`, for an angular velocity in the world frame: for a solver of
your own. `q` may have any length, which does not change by this derivative.
"""
function orientation_rate(q, angular_velocity)
    at, turning = collect(four(q)), vector(angular_velocity)
    four_from(out -> qi_orientation_rate(at, turning, out))
end
