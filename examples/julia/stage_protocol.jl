# stage_protocol.jl: a ring of magnets, each in the field of its neighbours.
# See docs/ensembles.md.
using Quatint, LinearAlgebra, Printf

axes_of(q) = [rotate(q[:, i], Quatint.Vec3(1, 0, 0)) for i in 1:size(q, 2)] # each magnet points along body x

field_of(m) = Quatint.Vec3(-m[1], -m[2], 2m[3]) # field of a neighbour above or below; the magnets lie along z

function torques!(torque, time, q, ω)
    m = axes_of(q)
    n = length(m)
    for i in 1:n
        torque[:, i] = cross(m[i], field_of(m[mod1(i - 1, n)]) + field_of(m[mod1(i + 1, n)]))
    end
end

energy(e) = (m = axes_of(orientations(e)); total_kinetic_energy(e) - sum(dot(m[i], field_of(m[mod1(i + 1, length(m))])) for i in 1:length(m)))

function run(n)
    e = Ensemble(n)
    set_inertias!(e, [0.5, 1, 1])
    set_orientations!(e, [orientation((0.2, 1, 0.1), 0.7i) for i in 1:n])
    first = energy(e)
    advance!(torques!, e, 2e-3, 1000)
    @printf("energy at first %.4f, after %.0f s %.4f\n", first, time(e), energy(e))
end

run(20)

# It prints:
# energy at first -7.8574, after 2 s -7.8574
