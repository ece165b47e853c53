# top_by_methods.jl: by how many radians a heavy top is off after 5 seconds, by method and step.
# `integrate` uses PCDM, unless it has a tolerance. docs/methods.md says which method to take.
using Quatint, LinearAlgebra, Printf

function orientation_after_5_s(method, dt)
    top = Body([1, 1, 0.5]; orientation = orientation((1, 0, 0), 0.3), angular_velocity = (0, -6, 19), method = method)
    set_torque!(top, UniformFieldTorque((0, 0, 1), (0, 0, -9.81))) # its weight
    orientation(advance!(top, dt, round(Int, 5 / dt)))
end

const exact = orientation_after_5_s(:splitting_6, 0.005)

function angle_off(method, dt)
    turn = orientation_after_5_s(method, dt) * inv(exact)
    2 * atan(norm([turn[2], turn[3], turn[4]]), abs(turn[1]))
end

const methods = (:pcdm, :cf4, :splitting, :splitting_4, :splitting_6)

println("dt    ", join(lpad(name, 13) for name in methods))
for dt in (0.05, 0.025, 0.0125)
    @printf("%.4f", dt)
    foreach(name -> @printf("%13.1e", angle_off(name, dt)), methods)
    println()
end

# It prints:
# dt             pcdm          cf4    splitting  splitting_4  splitting_6
# 0.0500      9.5e-01      1.4e-02      3.8e-03      2.1e-08      2.7e-10
# 0.0250      2.2e-01      8.7e-04      9.5e-04      1.8e-09      4.3e-12
# 0.0125      5.0e-02      5.4e-05      2.4e-04      1.2e-10      9.2e-14
