# points.jl: two clumps of four spheres collide; the forces between the spheres move and turn the clumps.
# The functions with `!` write to arrays of yours: docs/ensembles.md.
using Quatint, LinearAlgebra, Printf

const arms = 0.4 * [1 1 -1 -1; 1 -1 1 -1; 1 -1 -1 1] # of the spheres, body frame
const radius, stiffness, dt = 0.5, 1e3, 1e-3

"Writes the forces on the spheres, and returns the energy of the contacts."
function contacts!(f, spheres)
    fill!(f, 0)
    elastic = 0.0
    for a in 1:4, b in 5:8
        apart = spheres[:, a] - spheres[:, b]
        overlap = max(2radius - norm(apart), 0)
        push = stiffness * overlap / norm(apart) * apart
        f[:, a] += push
        f[:, b] -= push
        elastic += stiffness / 2 * overlap^2
    end
    elastic
end

function report(e, x, v, elastic)
    energy = total_kinetic_energy(e) + norm(v)^2 / 2 + elastic
    momentum = total_angular_momentum(e) + sum(cross(x[:, i], v[:, i]) for i in 1:2)
    spins = [norm(ω) for ω in eachcol(angular_velocities(e))]
    @printf("spins %.3f %.3f, energy %.3f, angular momentum %.6f %.6f %.6f\n", spins..., energy, momentum...)
end

function run(steps)
    clump = Mass()
    foreach(arm -> add_sphere!(clump, 0.25, radius, arm), eachcol(arms))
    x, v = [-1.5 1.5; 0 0.5; 0 0.3], [1.0 -1; 0 0; 0 0] # mass 1
    e = set_inertias!(Ensemble(2), mass_properties(clump).inertia)
    set_angular_velocities!(e, [0.3 -0.4; -0.2 0.6; 0.5 0.1])
    set_points!(e, [1, 1, 1, 1, 2, 2, 2, 2], [arms arms])

    spheres, f, F, τ = zeros(3, 8), zeros(3, 8), zeros(3, 2), zeros(3, 2)
    function forces!()
        elastic = contacts!(f, point_positions!(spheres, e; centres = x))
        sum_point_forces!(F, τ, e, f)
        elastic
    end
    report(e, x, v, forces!())
    elastic = 0.0
    for _ in 1:steps
        v .+= dt / 2 * F
        x .+= dt * v
        kick_drift!(e, dt / 2, dt, τ)
        elastic = forces!()
        v .+= dt / 2 * F
        kick!(e, dt / 2, τ)
    end
    report(e, x, v, elastic)
end

run(2000)

# It prints:
# spins 0.616 0.728, energy 1.191, angular momentum -0.042000 -0.132000 0.752000
# spins 0.599 0.984, energy 1.191, angular momentum -0.042000 -0.132000 0.752000
