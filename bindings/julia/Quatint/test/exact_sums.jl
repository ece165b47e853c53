@testset "an exact sum is that of all orders, rounded once" begin
    numbers = [ldexp(sin(i), 40 * (i % 50 - 25)) for i in 1:1000]
    expected = setprecision(() -> Float64(sum(big, numbers)), 5000)
    sums = [append!(ExactSum(), order) for order in (numbers, reverse(numbers), sort(numbers), numbers[[500:1000; 1:499]])]
    @test all(s -> Float64(s) == expected, sums)
    half = append!(ExactSum(), numbers[1:2:end])
    @test Float64(half + append!(ExactSum(), numbers[2:2:end])) == expected
    @test Float64(sum(sums)) == 4 * expected && Float64(copy(half)) == Float64(half)

    s = ExactSum()
    @test Float64(s) == 0 && length(s.words) == 68
    @test push!(s, 1e300) === s && append!(s, (1, -1f0, 3//2, big"0.25")) === s
    @test Float64(push!(s, -1e300)) == 1.75 && repr(s) == "ExactSum of 1.75"
    append!(s, [1 2; 3 4])
    @test Float64(append!(s, Float64[])) == 11.75 && Float64(ExactSum(2 .* s.words)) == 23.5
    before = copy(s.words)
    @test_throws QuatintError append!(s, [1, NaN])
    @test_throws QuatintError push!(s, Inf)
    @test s.words == before
    @test_throws DimensionMismatch ExactSum(zeros(Int64, 67))
end

@testset "sums over ensembles do not depend on how the bodies are spread" begin
    e = set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
    advance!(e, 1e-2, 10)
    energy, momentum = kinetic_energy_sums(e), angular_momentum_sums(e)
    @test Float64(energy) == Float64(sum(big, kinetic_energies(e))) && Float64(energy) ≈ total_kinetic_energy(e)
    @test Float64.(momentum) == [Float64(sum(big, angular_momenta(e)[c, :])) for c in 1:3]
    parts = [set_rows!(Ensemble(length(bodies)), rows(e, bodies; parts = (:state, :inertia)); parts = (:state, :inertia))
        for bodies in (300:-7:1, [i for i in 1:300 if i % 7 != 6])]
    @test Float64(sum(kinetic_energy_sums.(parts))) == Float64(energy)
    @test Float64.(sum(angular_momentum_sums.(parts))) == Float64.(momentum)
    set_active!(e, [5]) # the others do not count
    @test Float64(kinetic_energy_sums(e)) == total_kinetic_energy(e) == kinetic_energies(e)[5]
    @test Float64.(angular_momentum_sums(e)) == total_angular_momentum(e) == angular_momenta(e)[:, 5]
    close(e)
    @test_throws QuatintError kinetic_energy_sums(e)
    @test_throws QuatintError angular_momentum_sums(e)
end
