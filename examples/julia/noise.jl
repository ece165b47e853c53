# noise.jl: dipoles with the energy -2 kT cos(θ) in a field along z, at the energy kT = 1.
# Without `set_ids!` the id of body `i` is `i - 1`: docs/random.md.
using Quatint, Printf

function dipoles(n)
    e = Ensemble(n; method = :splitting)
    set_inertias!(e, [1, 2, 3])
    set_torque!(e, UniformFieldTorque((0, 0, 1), (0, 0, 2)))
    set_langevin!(e, [1, 1, 6]; kt = 1, seed = 42)
end

cosines(q) = 1 .- 2 .* (q[2, :] .^ 2 .+ q[3, :] .^ 2)

function run(n, times)
    e = set_ids!(dipoles(n), 1001:1000 + n) # which noise belongs to which dipole
    advance!(e, 0.2, 100)
    each = sum(cosines(orientations(advance!(e, 0.2, 5))) for _ in 1:times) ./ times # the mean over time of each dipole
    mean, exact = sum(each) / n, 1 / tanh(2) - 1 / 2
    deviation = sqrt(sum(abs2, each .- mean) / n / (n - 1)) # the dipoles are independent
    @printf("mean of cos(θ): %.3f, standard error %.4f, exact %.3f\n", mean, deviation, exact)
    println("within three standard errors: ", abs(mean - exact) < 3deviation)

    saved = (rows(e; parts = (:all, :id)), clock(e), noise_draws(e))
    advance!(e, 0.2, 50)

    again = dipoles(n)
    set_clock!(again, saved[2])
    set_rows!(again, saved[1]; parts = (:all, :id))
    set_noise_draws!(again, saved[3])
    advance!(again, 0.2, 50)
    println("restarted after ", saved[3], " draws, the same bits: ", orientations(again) == orientations(e))
end

run(1000, 200)

# It prints:
# mean of cos(θ): 0.537, standard error 0.0014, exact 0.537
# within three standard errors: true
# restarted after 1100 draws, the same bits: true
