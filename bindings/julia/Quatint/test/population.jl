@testset "an ensemble is resized: its first bodies stay, new ones are as created" begin
    e = set_threads!(set_method!(set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1))), :splitting), 2)
    advance!(set_active!(e, 1:7), 1e-2, 5)
    before = rows(e; parts = (:state, :inertia))
    @test resize!(e, 400) === e && length(e) == 400 && !occursin("of which", repr("text/plain", e))
    @test rows(e, 1:300; parts = (:state, :inertia)) == before
    @test orientations(e)[:, 301:400] == repeat([1.0, 0, 0, 0], 1, 100) && iszero(angular_velocities(e)[:, 301:400])
    @test time(e) ≈ 0.05 && method(e) === :splitting && e.threads == 2
    advance!(e, 1e-2, 5)
    @test all(orientations(e)[:, i] != before[1:4, i] for i in 1:300) # all move, under the torque
    @test size(orientations(resize!(e, 10))) == (4, 10)
    @test rows(resize!(e, 12); parts = :torque)[:, 11:12] == [0 0; 0 0; 1 1] # which the bodies share, so new ones do
    set_principal_inertias!(e, fill(2.0, 3, 12))
    set_torque!(e, ConstantTorque(ones(3, 12)))
    @test rows(resize!(e, 13); parts = (:inertia, :torque))[:, 12:13] == [2 1; 2 1; 2 1; 1 1; 0 0; 0 0; 0 0; 1 0; 1 0; 1 0]
    resize!(e, 10)
    @test_throws ArgumentError resize!(e, -1)
    @test_throws QuatintError resize!(e, typemax(Int))
    @test length(e) == 10 && size(rows(step!(e, 0.1)), 2) == 10
end

@testset "ensembles that have grown and are no longer used do not exhaust the memory" begin
    used() = parse(Int, match(r"VmRSS:\s*(\d+)", read("/proc/self/status", String))[1]) / 1e6
    before = used()
    for _ in 1:40
        step!(resize!(Ensemble(0), 500_000), 0.1)
    end
    @test used() - before < 1 # GB; all 40 ensembles together need 2.2 GB
end

@testset "bodies are selected, sorted, copied and removed" begin
    e = set_torque!(tops(), ConstantTorque(torques_at(0)))
    before = rows(e)
    @test select_bodies!(e, 300:-1:1) === e && rows(e) == before[:, 300:-1:1]
    @test rows(select_bodies!(e, :)) == before[:, 300:-1:1]
    @test rows(select_bodies!(e, [300, 299, 1, 1, 300])) == before[:, [1, 2, 300, 300, 1]] && length(e) == 5
    @test rows(select_bodies!(e, [true, false, true, true, false])) == before[:, [1, 300, 300]]
    @test rows(select_bodies!(e, repeat(1:3, 200))) == before[:, repeat([1, 300, 300], 200)] && length(e) == 600
    @test rows(deleteat!(e, 4:600)) == before[:, [1, 300, 300]]
    @test rows(deleteat!(e, 3)) == before[:, [1, 300]]
    @test rows(deleteat!(e, [false, true])) == before[:, [1]]
    for wrong in ([0], [2], 2)
        @test_throws BoundsError select_bodies!(e, wrong)
        @test_throws BoundsError deleteat!(e, wrong)
    end
    @test_throws DimensionMismatch select_bodies!(e, [true, false])
    @test rows(step!(e, 0)) == before[:, [1]]
    @test length(deleteat!(e, :)) == 0
end

@testset "an ensemble without bodies allows everything" begin
    e, q, ω = Ensemble(0), fill(3.0, 4, 5), fill(3.0, 3, 5)
    set_torque!(e, ConstantTorque((1, 0, 0)))
    for name in (:pcdm, :splitting)
        set_method!(e, name)
        @test rows(e) == zeros(row_size(e), 0) == rows(e, Int[]) == rows(e, Bool[]) && row_size(e) >= 17
        @test set_rows!(e, rows(e)) === e && rows!(zeros(row_size(e), 0), e) == rows(e)
        bind!(e; orientations = zeros(4, 0), angular_velocities = zeros(3, 0))
        bind!(e; orientations = q, angular_velocities = ω, rows = Int[])
        step!(e, 0.1)
        release_arrays!(e)
        @test length(resize!(e, 0)) == length(select_bodies!(e, Int[])) == length(deleteat!(e, Int[])) == 0
        set_principal_inertias!(e, zeros(3, 0))
        @test Float64(kinetic_energy_sums(e)) == 0 && Float64.(angular_momentum_sums(e)) == [0, 0, 0]
    end
    @test q == fill(3.0, 4, 5) && ω == fill(3.0, 3, 5)
    @test time(e) ≈ 0.2 && length(resize!(e, 3)) == 3 && time(step!(e, 0.1)) ≈ 0.3
end

@testset "bound arrays hold the bodies in any order, and their other places are not touched" begin
    q_rows, L_rows = [7i % 601 + 1 for i in 1:300], [1000 - 3i for i in 1:300]
    packed, L = orientations(tops()), angular_momenta(tops())
    e = set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
    bind!(e; orientations = packed, angular_velocities = L, kind = :angmom_world)
    wide_q, wide_L = fill(NaN, 4, 700), fill(NaN, 1000, 3)
    particles = [Particle(1.0, (NaN, NaN, NaN, NaN), (NaN, NaN, NaN), i) for i in 1:1000]
    tuples = fill((NaN, NaN, NaN, NaN), 700)
    for i in 1:300
        wide_q[:, q_rows[i]], wide_L[L_rows[i], :] = packed[:, i], L[:, i]
        tuples[q_rows[i]] = Tuple(packed[:, i])
        particles[L_rows[i]] = Particle(1.0, (NaN, NaN, NaN, NaN), Tuple(L[:, i]), L_rows[i])
    end
    advance!(e, 1e-2, 20)
    for (q, ω, q_of, L_of) in ((wide_q, wide_L, i -> wide_q[:, i], i -> wide_L[i, :]),
        (tuples, particles => :ω, i -> collect(tuples[i]), i -> collect(particles[i].ω)))
        f = set_torque!(set_inertias!(Ensemble(300), inertia_of.(1:300)), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
        @test bind!(f; orientations = q, rows = q_rows) === f
        bind!(f; angular_velocities = ω, rows = Iterators.Stateful(L_rows), kind = :angmom_world)
        GC.gc() # the list is copied
        advance!(f, 1e-2, 20)
        @test all(q_of(q_rows[i]) == packed[:, i] && L_of(L_rows[i]) == L[:, i] for i in 1:300)
        @test all(isnan, [x for i in 1:700 if !(i in q_rows) for x in q_of(i)])
        @test all(isnan, [x for i in 1:1000 if !(i in L_rows) for x in L_of(i)])
        @test rows(f; parts = :state) == rows(e; parts = :state)
    end
    @test all(p.mass == 1 && p.id == i && isnan(p.q[1]) for (i, p) in enumerate(particles))

    before = state(e)
    for wrong in ([0; 2:300], [1:299; 701], [-5; 2:300], [1:299; 2^40])
        @test_throws BoundsError bind!(e; orientations = wide_q, rows = wrong)
    end
    @test_throws DimensionMismatch bind!(e; orientations = wide_q, rows = 1:299)
    @test_throws DimensionMismatch bind!(e; orientations = zeros(5, 700), rows = 1:300)
    wide_q .= (1, 0, 0, 0)
    failure = try bind!(e; orientations = wide_q, rows = [1:299; 7]) catch x; x end # two bodies in one place
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_INVALID", 300)
    @test state(e) == before && e.bound[1] === packed
end

@testset "bound arrays may have room for bodies to come" begin
    q, ω = fill(NaN, 4, 300), fill(NaN, 3, 300)
    q[:, 1:100], ω[:, 1:100] = orientations(tops())[:, 1:100], angular_velocities(tops())[:, 1:100]
    e, f = set_active!(tops(), 1:100), tops()
    step!(bind!(e; orientations = q, angular_velocities = ω), 0.1)
    step!(f, 0.1)
    @test q[:, 1:100] ≈ orientations(f)[:, 1:100] atol = 1e-13
    @test all(isnan, q[:, 101:300]) && all(isnan, ω[:, 101:300])
end

@testset "released arrays are used no more, and the bits of the states stay" begin
    q, ω, predicted = orientations(tops()), permutedims(angular_velocities(tops())), fill(NaN, 3, 300)
    e = set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
    f = set_torque!(tops(), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
    bind!(e; orientations = q, angular_velocities = rows(e; parts = :state)[5:7, :], kind = :omega_body)
    bind_predicted_velocities!(e, predicted, 0.1)
    foreach(x -> advance!(x, 1e-2, 10), (e, f))
    @test release_arrays!(e) === e && state(e) == state(f)
    kept = copy(q)
    foreach(x -> advance!(x, 1e-2, 10), (e, f))
    kick_drift!(e, 0.1, 0.1, nothing)
    kick_drift!(f, 0.1, 0.1, nothing)
    @test q == kept && all(isnan, predicted) && state(e) == state(f)
    @test count("its own memory", repr("text/plain", e)) == 2 && !occursin("predicted", repr("text/plain", e))
    @test release_arrays!(e) === e && state(e) == state(f)

    bind!(e; orientations = q, angular_velocities = ω)
    q[1, 7] = 3
    for change in (release_arrays!, x -> resize!(x, 400), x -> select_bodies!(x, 1:3))
        failure = try change(e) catch x; x end
        @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_ORIENTATION", 7)
        @test length(e) == 300 && e.bound[1] === q && e.bound[2] === ω # the library still uses them
    end
end

"Binds arrays that nothing else refers to."
@noinline function bind_own!(e)
    n = length(e)
    q, ω, predicted = repeat([1.0, 0, 0, 0], 1, n), zeros(3, n), zeros(3, n)
    bind_predicted_velocities!(bind!(e; orientations = q, angular_velocities = ω), predicted, 0.1)
    [WeakRef(q), WeakRef(ω), WeakRef(predicted)]
end

@testset "arrays stay alive while they are bound, and no longer" begin
    alive(refs) = (GC.gc(); [ref.value !== nothing for ref in refs])
    for let_go in (release_arrays!, e -> resize!(e, 1000), e -> resize!(e, 2000), e -> select_bodies!(e, 1:2), e -> deleteat!(e, 5),
        close, bind_own!)
        e = Ensemble(1000)
        refs = bind_own!(e)
        @test alive(refs) == [true, true, true]
        let_go(e)
        @test alive(refs) == [false, false, false]
        close(e)
    end
end

@testset "a population does not change within a step" begin
    for change in (e -> resize!(e, 500), e -> select_bodies!(e, 1:3), e -> deleteat!(e, 1), release_arrays!,
        e -> set_rows!(e, zeros(17, 300)))
        e = tops()
        before = state(e)
        @test_throws QuatintError step!((torque, t, q, ω) -> change(e), e, 0.1)
        set_torque!(e, (torque, t, bodies, q, ω) -> change(e))
        @test_throws QuatintError step!(e, 0.1)
        @test state(e) == before && length(e) == 300
        close(e)
        @test_throws QuatintError change(e)
    end
end

@testset "principal moments in arrays of every form" begin
    moments = [10.0 * c + 0.01 * i for c in 1:3, i in 1:300]
    energies = kinetic_energies(set_inertias!(tops(), [moments[:, i] for i in 1:300]))
    for form in (moments, collect(moments'), [Tuple(moments[:, i]) for i in 1:300], view(repeat(moments, 2, 2), 3 .+ (1:3), 1:300))
        e = tops()
        @test set_principal_inertias!(e, form) === e
        @test kinetic_energies(e) ≈ energies rtol = 1e-14
        @test rows(e; parts = :inertia)[1:3, :] == moments
    end
    @test rows(set_principal_inertias!(tops(), [1, 2, 3])) == rows(set_inertias!(tops(), [1, 2, 3]))
    failure = try set_principal_inertias!(tops(), [i == 9 && c == 2 ? -1.0 : 1.0 for c in 1:3, i in 1:300]) catch x; x end
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_INERTIA", 9)
    @test_throws DimensionMismatch set_principal_inertias!(tops(), ones(3, 299))
end

@testset "there are at most $(Int(Quatint.QI_MAX_THREADS)) threads" begin
    @test_throws QuatintError set_threads!(Ensemble(3), Quatint.QI_MAX_THREADS + 1)
end
