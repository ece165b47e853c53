# swings.jl: a pendulum's turning points and passes through the bottom, and its path in between.
# `solve` returns the motion as a function of time, a `Solution`, with any number of events. Events that do not stop it change
# no bit. The pendulum itself stays where it is. After `using CommonSolve: init, solve, solve!, step!` these are the same.
using Quatint, Printf

const weight = UniformFieldTorque((0, 0, -1), (0, 0, -1))
const pendulum = Body([1, 1, 1]; orientation = orientation((1, 0, 0), pi / 2), torque = weight)

turns(t, q, ω) = ω[1]
passes(t, q, ω) = q[2]
listed(times) = join((@sprintf("%.6f", t) for t in times), ", ")

swing = solve(pendulum, 20; tolerance = 1e-10, events = [turns, Event(passes; direction = :rising)])
println(swing)
println("turns at ", listed(swing.events[1].time))
println("rises through the bottom at ", listed(swing.events[2].time))
angles = [rad2deg(rotation_vector(swing(t).orientation)[1]) for t in (1, 2, 3)]
println("angles: ", listed(angles))

stopped = solve(pendulum, 20; events = Event(turns; stops = true))
@printf("stopped at %.6f by event %d\n", time(stopped.body), stopped.stopped_by)

# little by little
integrator = init(pendulum, 20; tolerance = 1e-10)
let longest = 0.0, before = integrator.t
    while !integrator.done
        step!(integrator)
        longest, before = max(longest, integrator.t - before), integrator.t
    end
    println("at t = ", integrator.t, ", no stretch longer than half a swing: ", longest < 3.708149)
end

# It prints:
# Solution from t = 0.0 to 20.0, events: 5, 2
# turns at 3.708149, 7.416299, 11.124448, 14.832597, 18.540747
# rises through the bottom at 5.562224, 12.978523
# angles: 61.587903, -11.782275, -75.663797
# stopped at 3.708149 by event 1
# at t = 20.0, no stretch longer than half a swing: true
