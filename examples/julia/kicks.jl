# kicks.jl: a chain of coupled rotors, with a loop of its own and one torque evaluation a step.
# Torques have the forms of any other array, such as `particles => :torque`; `nothing` is no
# torque. `bind_predicted_velocities!(e, ω, dt / 2)` is for torques that depend on the angular
# velocity. See docs/kicks.md.
using Quatint, LinearAlgebra, Printf

# the torques of the energy -sum(m[i] . m[i + 1]), where m is the body axis x of a rotor; their sum is zero
function torques!(τ, m, q)
    n = length(m)
    for i in 1:n
        m[i] = rotate(Quatint.Quaternion(q[1, i], q[2, i], q[3, i], q[4, i]), Quatint.Vec3(1, 0, 0))
    end
    for i in 1:n
        τ[:, i] .= cross(m[i], m[mod1(i - 1, n)] + m[mod1(i + 1, n)])
    end
end

energy(e, m) = total_kinetic_energy(e) - sum(dot(m[i], m[mod1(i + 1, length(m))]) for i in 1:length(m))

function run(n, dt, steps)
    q = [cos(0.35i) * (c == 1) + sin(0.35i) * (c == 4) for c in 1:4, i in 1:n] # each rotor 0.7 rad from the last
    L = [sin(3c + i) for c in 1:3, i in 1:n]                                  # angular momenta, world frame
    m, τ = fill(Quatint.Vec3(1, 0, 0), n), zeros(3, n)

    e = Ensemble(n)
    set_inertias!(e, [0.5, 1, 1.2])
    bind!(e; orientations = q, angular_velocities = L, kind = :angmom_world)  # in place, no copy
    torques!(τ, m, q)
    first, total, worst = energy(e, m), sum(L, dims = 2), 0.0
    for _ in 1:steps
        kick_drift!(e, dt / 2, dt, τ)                                         # moves q
        torques!(τ, m, q)
        kick!(e, dt / 2, τ)
        worst = max(worst, abs(energy(e, m) - first))
    end
    @printf("t = %.0f: energy %.3f, at most %.3f off\n", time(e), first, worst)
    println("the total angular momentum is kept to 1e-12: ", norm(sum(L, dims = 2) - total) < 1e-12)
end

run(20, 0.05, 4000)

# It prints:
# t = 200: energy 3.544, at most 0.006 off
# the total angular momentum is kept to 1e-12: true
