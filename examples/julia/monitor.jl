# monitor.jl: the steps of a solution, which a monitor ends: here after 50 of them, elsewhere after some seconds.
# A monitor is called after each step, and ends the solution by an exception, not by what it
# returns. Rows of `record` are then lost: keep those that you need in the monitor.
using Quatint, Printf

top = Body([1, 1.5, 0.7]; orientation = (0.6, 0.8, 0, 0), angular_velocity = (0.3, 0.1, 5),
    torque = UniformFieldTorque((0, 0, 1), (0, 0, -1)))
times = Float64[]
function watch(time, orientation, angular_velocity)
    push!(times, time)
    length(times) == 50 && error("stopped")
end
try
    solve!(top, 10; monitor = watch)
catch e
    @printf("after %d steps t = %.6f; %s\n", length(times), time(top), e.msg)
end
solve!(top, 10)
@printf("gone on to t = %g\n", time(top))

# It prints:
# after 50 steps t = 4.014903; stopped
# gone on to t = 10
