# heavy_top.jl: a leaning, spinning top; the torque comes from a Julia function. It prints the same bits as c_examples/heavy_top.c.
#
#     julia --project=bindings/julia/Quatint examples/julia/heavy_top.jl

using Quatint, Printf

weight(time, q, ω) = (arm = rotate(q, Quatint.Vec3(0, 0, 1)); (-arm[2], arm[1], 0)) # arm × (0, 0, -1), world frame

bits(numbers) = join((string(reinterpret(UInt64, x), base = 16, pad = 16) for x in numbers), " ")

q = orientation((1, 0, 0), 0.3)                                                   # leans by 0.3 rad
top = Body([1, 1, 0.5]; orientation = q, angular_velocity = rotate(q, (0, 0, 20))) # spins about its own axis
set_torque!(top, weight)
advance!(top, 1e-3, 5000)

q = orientation(top)
@printf("after 5 s it leans by %.4f rad\n", acos(1 - 2 * (q[2] * q[2] + q[3] * q[3])))
println("orientation       ", bits(q))
println("angular velocity  ", bits(angular_velocity(top)))
