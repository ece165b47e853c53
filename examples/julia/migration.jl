# migration.jl: bodies go between two ensembles, as between two processes.
# Before Julia 1.11, a vector that was once bound cannot be resized even after
# `release_arrays!(e)`: bind a new one (`particles[stays]`). `MPI.Allreduce!(sum.words, +, comm)`
# adds an `ExactSum` over processes.
using Quatint

ensemble(n) = set_torque!(Ensemble(n), UniformFieldTorque((0, 0, 0), (0, 0, -1))) # each body has an arm of its own

function migrate!(from, to, leaving)
    message = rows(from, leaving) # a dense matrix: between processes, MPI.Send takes it and MPI.Recv! fills it
    deleteat!(from, leaving)
    n = length(to)
    resize!(to, n + size(message, 2))
    set_rows!(to, message, n + 1:length(to))
end

function run(n)
    whole = set_torque!(Ensemble(n), UniformFieldTorque([sin(c * i) for c in 1:3, i in 1:n], (0, 0, -1)))
    set_principal_inertias!(whole, [c + 0.001i for c in 1:3, i in 1:n])
    left, right = set_rows!(ensemble(n), rows(whole)), ensemble(0)
    for step in 1:100
        foreach(e -> step!(e, 0.01), (whole, left, right))
        migrate!(left, right, rows(left)[1, :] .< 0.99) # who has turned by more than 0.28 rad
        migrate!(right, left, rows(right)[1, :] .>= 0.99)
    end
    println(length(left), " bodies on the left, ", length(right), " on the right")
    energy = kinetic_energy_sums(left) + kinetic_energy_sums(right)
    println("the same bits of the energy: ", Float64(energy) == Float64(kinetic_energy_sums(whole)))
end

run(1000)

# It prints:
# 557 bodies on the left, 443 on the right
# the same bits of the energy: true
