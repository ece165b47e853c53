# solution.jl: the period of a pendulum that is released at 2 rad, by tolerance.
# See docs/solutions.md. nodding_top.jl draws the path of a top's axis, with events.
using Quatint, LinearAlgebra, Printf

arm(q) = rotate(q, Quatint.Vec3(0, 0, -1))

# turns about x; the frequency of its small swings is 1 rad/s
pendulum() = set_torque!(Body([1, 1, 1]; orientation = orientation((1, 0, 0), 2)),
    (time, q, ω) -> cross(arm(q), Quatint.Vec3(0, 0, -1)))

agm(a, b) = abs(a - b) < 1e-15 ? a : agm((a + b) / 2, sqrt(a * b))
const period = 2pi / agm(1, cos(2 / 2)) # exact: the arithmetic-geometric mean, of the cosine of half the swing

println("tolerance  error of the period  evaluations  steps")
for tolerance in (1e-3, 1e-6, 1e-9)
    body = pendulum()
    solve_until!(body, 100; tolerance = tolerance, direction = :falling) do time, q, ω
        ω[1] # it turns back: here at the half period it rises through 0, at the period it falls
    end
    cost = solve_statistics(body)
    @printf("%9.0e %20.0e %12d %6d\n", tolerance, abs(time(body) - period), cost.evaluations, cost.accepted)
end

rows = record(pendulum(), [0, 0.25, 0.5, 1] .* period; tolerance = 1e-9)
for i in 1:length(rows.time)
    tip = arm(rows.orientation[:, i])
    @printf("t = %.3f: %.6f rad\n", rows.time[i], abs(atan(tip[2], -tip[3])))
end

# It prints:
# tolerance  error of the period  evaluations  steps
#     1e-03                2e-04          160      8
#     1e-06                1e-06          302     17
#     1e-09                2e-10          648     38
# t = 0.000: 2.000000 rad
# t = 2.087: 0.000000 rad
# t = 4.175: 2.000000 rad
# t = 8.350: 2.000000 rad
