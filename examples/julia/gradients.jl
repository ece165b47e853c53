# gradients.jl: thin rods carried by a cellular flow turn as the lines of the fluid do.
# The array is 3×3×n, with any strides; `PermutedDimsArray(a, (2, 1, 3))` reads the matrices of `a`
# transposed. A 9×n matrix has `∂u_j / ∂x_k` in row `3(j - 1) + k`. See docs/torques.md.
using Quatint, LinearAlgebra, Printf

velocity(x) = [sin(x[1]) * cos(x[2]), -cos(x[1]) * sin(x[2]), 0]

"Element [j, k] is ∂u_j / ∂x_k."
gradient(x) = [cos(x[1]) * cos(x[2]) -sin(x[1]) * sin(x[2]) 0; sin(x[1]) * sin(x[2]) -cos(x[1]) * cos(x[2]) 0; 0 0 0]

function run(n, dt, steps)
    x = [[2.0 + sin(3i), 1 + cos(i), 0] for i in 1:n]
    e = set_orientations!(Ensemble(n), [orientation((sin(i), cos(2i), 1), 0.1i) for i in 1:n])
    set_principal_inertias!(e, (1e-8, 1e-6, 1e-6))
    set_torque!(e, ShearFlowTorque((1, 1 / 50, 1 / 50), 1, zeros(3, 3)))
    at_rods = zeros(3, 3, n)         # [j, k, i]
    bind_flow_gradients!(e, at_rods) # in place of the zeros
    lines = rotate(orientations(e), repeat([1.0, 0, 0], 1, n))
    for _ in 1:steps
        for i in 1:n
            middle = x[i] + dt / 2 * velocity(x[i])
            at_rods[:, :, i] = gradient(middle)            # of the middle of the step: order 2
            half = lines[:, i] + dt / 2 * gradient(x[i]) * lines[:, i]
            lines[:, i] += dt * gradient(middle) * half
            x[i] += dt * velocity(middle)
        end
        step!(e, dt)
    end
    rods = rotate(orientations(e), repeat([1.0, 0, 0], 1, n))
    angles = [acosd(min(dot(rods[:, i], normalize(lines[:, i])), 1)) for i in 1:n]
    @printf("at t = %.0f the rods are %.3f° from the lines of the fluid, and at most %.1f°\n", time(e), sum(angles) / n, maximum(angles))
end

run(1000, 0.01, 300)

# It prints:
# at t = 3 the rods are 0.013° from the lines of the fluid, and at most 0.1°
