# fibres.jl: fibres in shear flow tumble in Jeffery orbits. It prints the same bits as c_examples/fibres.c.
#
#     julia --project=bindings/julia/Quatint examples/julia/fibres.jl [count]

using Quatint, Printf

bits(numbers) = join((string(reinterpret(UInt64, x), base = 16, pad = 16) for x in numbers), " ")

function main(count)
    dt, steps_a_call = 0.001, 20
    mass = 4.0 / 3 * pi * 2 * 0.01 # volume times density
    q = Matrix{Float64}(undef, 4, count)
    for i in 1:count # rotated about the vorticity axis, z
        q[:, i] .= orientation((0, 0, 1), pi * (i - 1) / count)
    end

    fibres = Ensemble(count)
    set_inertias!(fibres, [mass / 5 * 2, mass / 5 * 5, mass / 5 * 5]) # m (b² + c²)/5, ...
    bind!(fibres; orientations = q)
    set_torque!(fibres, ShearFlowTorque((2, 1, 1), 1.0, [0 1 0; 0 0 0; 0 0 0]))

    # follow the angle of the first fibre in the plane of the flow, and note the time of each half turn
    turned, crossed = 0.0, Float64[]
    while length(crossed) < 2
        advance!(fibres, dt, steps_a_call)
        before = turned
        change = 2 * atan(q[4, 1], q[1, 1]) - rem(turned, 2pi)
        turned += change - 2pi * floor(change / 2pi + 0.5)
        level = -pi * (length(crossed) + 0.5) # clockwise, with the vorticity
        turned <= level && push!(crossed, time(fibres) - dt * steps_a_call * (turned - level) / (turned - before))
    end
    @printf("period of an orbit: %.4f, Jeffery's: %.4f\n", 2 * (crossed[2] - crossed[1]), 2pi * (2 + 0.5))
    for i in (0, count ÷ 2, count - 1)
        println("fibre ", rpad(i, 7), " ", bits(q[:, i + 1]))
    end
end

main(isempty(ARGS) ? 1000000 : parse(Int, ARGS[1]))
