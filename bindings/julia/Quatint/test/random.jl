const bath = (drag = (1.0, 0.5, 2.0), kt = 0.7, seed = typemax(UInt64) - 6, flow = (0.0, 0.3, 0.1))

"An ensemble with the torque, the method and the random torques that a restart sets again."
random_ensemble(n, method) = set_langevin!(set_torque!(Ensemble(n; method = method), UniformFieldTorque((0, 0, 1), (0.2, 0, -1))),
    bath.drag; kt = bath.kt, seed = bath.seed, flow = bath.flow)

"Ids that are more than an Int64 holds."
big_ids(n) = [UInt64(1000003i) ⊻ UInt64(i) << 62 for i in 1:n]

function random_start(n, method)
    e = set_angular_velocities!(set_inertias!(random_ensemble(n, method), [1, 2, 3]), (0.1, -0.2, 0.3))
    set_noise_draws!(set_ids!(e, big_ids(n)), 1000)
end

@testset "ids and seeds have 64 bits, and without ids body i has number i - 1" begin
    e = random_start(5, :splitting)
    @test thermalize!(advance!(e, 0.1, 5), 0.2) === e
    @test noise_draws(e) === e.noise_draws === UInt64(1006)
    body = Body([1, 2, 3]; angular_velocity = (0.1, -0.2, 0.3), torque = UniformFieldTorque((0, 0, 1), (0.2, 0, -1)), method = :splitting)
    @test set_langevin!(body, bath.drag; kt = bath.kt, seed = bath.seed, id = big_ids(5)[3], flow = bath.flow) === body
    thermalize!(advance!(set_noise_draws!(body, 1000), 0.1, 5), 0.2)
    @test noise_draws(body) === body.noise_draws === UInt64(1006)
    @test [orientation(body)..., angular_velocity_body(body)...] == rows(e, 3; parts = :state)[:, 1]
    others = set_ids!(random_start(5, :splitting), nothing)
    @test others.ids == 0:4
    advance!(others, 0.1, 5)
    @test !any(abs.(rows(e)[1, :] .- rows(others)[1, :]) .< 1e-9)
end

@testset "a run with random torques that restarts every ten steps has the bits of one that does not, by $name" for name in (:splitting, :brownian)
    whole, part = random_start(70, name), random_start(70, name)
    advance!(whole, 0.1, 30)
    saved = nothing
    for _ in 1:3
        advance!(part, 0.1, 10)
        saved = (rows(part; parts = (:all, :id)), clock(part), noise_draws(part))
        part = random_ensemble(70, name)
        part.noise_draws, part.clock = saved[3], saved[2]
        set_rows!(part, saved[1]; parts = (:id, :all))
    end
    @test state(whole) == state(part) && ids(part) == big_ids(70)
    without_draws = advance!(set_rows!(random_ensemble(70, name), saved[1]; parts = (:all, :id)), 0.1, 10)
    without_ids = set_rows!(random_ensemble(70, name), saved[1][1:end - 1, :])
    advance!(set_noise_draws!(without_ids, saved[3]), 0.1, 10)
    advance!(part, 0.1, 10)
    @test orientations(without_draws) != orientations(part) != orientations(without_ids)
end

@testset "ids go with the bodies" begin
    whole, e = random_start(70, :splitting), random_start(70, :splitting)
    @test row_size(e; parts = :id) == 1 && row_size(e; parts = (:all, :id)) == row_size(e) + 1
    @test ids(e) isa Vector{UInt64} && ids(e) == e.ids == big_ids(70)
    select_bodies!(e, 70:-1:1)
    @test ids(e) == reverse(big_ids(70))
    foreach(e -> advance!(e, 0.1, 10), (whole, e))
    @test orientations(e) == orientations(whole)[:, 70:-1:1]
    e.ids = 1:70
    resize!(deleteat!(e, 2:70), 3)
    @test ids(e) == [1, 2, 3]
    @test set_rows!(e, reshape([reinterpret(Float64, UInt64(8))], 1, 1), 1; parts = :id) === e && ids(resize!(e, 4)) == [8, 2, 3, 9]
end

@testset "coefficients and flow are one for all or each" begin
    one = step!(random_start(70, :splitting), 0.1)
    drags, flows = repeat(collect(bath.drag), 1, 70), repeat(collect(bath.flow), 1, 70)
    for (c, u) in ((drags, flows), (permutedims(drags), [flows[:, i] for i in 1:70]), (bath.drag, flows))
        each = set_langevin!(random_start(70, :splitting), c; kt = bath.kt, seed = bath.seed, flow = u)
        @test state(step!(each, 0.1)) == state(one)
    end
    flows[2, :] = 0.01 .* (1:70)
    e = set_langevin!(random_start(70, :splitting), bath.drag; kt = 0, seed = 1, flow = flows)
    @test angular_velocities(thermalize!(e, 1e3)) ≈ flows atol = 1e-14 # without noise each body turns with its fluid in the end
end

@testset "noise has the temperature: about each axis the mean of I ω² is kT" begin
    e = set_langevin!(random_start(70, :splitting), bath.drag; kt = bath.kt, seed = 42)
    squares = sum(1:400) do _
        sum(abs2, rows(thermalize!(e, 1e3); parts = :state)[5:7, :]; dims = 2)
    end
    @test vec(squares) .* (1, 2, 3) ./ (400 * 70 * bath.kt) ≈ [1, 1, 1] atol = 3 * sqrt(2 / (400 * 70)) norm = x -> maximum(abs, x)
end

@testset "angular momenta are scaled, and degrees of freedom counted without axes of zero moment" begin
    e = random_start(5, :splitting)
    before = angular_momenta(e)
    scale_angular_momenta!(set_active!(e, [3, 5]), 0.5)
    @test angular_momenta(e) ≈ before .* [1 1 0.5 1 0.5] && degrees_of_freedom(e) === 6
    set_principal_inertias!(set_active!(e, :), [2 0 0 1 1; 2 0 0 1 1; 0 1 0 1 1])
    @test degrees_of_freedom(e) === e.degrees_of_freedom === 2 + 1 + 0 + 3 + 3
    rod = Body([2, 2, 0]; angular_velocity = (1, 0, 5)) # a linear molecule does not turn about its axis
    @test angular_velocity(rod) == [1, 0, 0] && norm(angular_velocity(advance!(rod, 0.1, 100))) ≈ 1
    @test angular_velocity_body(rod)[3] == 0
end

@testset "what does not go with random torques is refused, and what is shown says that they are there" begin
    e, body = random_start(2, :splitting), Body([1, 2, 3]; method = :splitting)
    said(f) = try f() catch failure; sprint(showerror, failure) end
    @test occursin("must not be negative", said(() -> set_langevin!(e, (1, -1, 1); kt = 1, seed = 1)))
    @test occursin("must not be negative", said(() -> set_langevin!(body, (1, 1, 1); kt = -1, seed = 1)))
    @test_throws DimensionMismatch set_langevin!(body, (1, 1); kt = 1, seed = 1)
    @test_throws DimensionMismatch set_langevin!(body, (1, 1, 1); kt = 1, seed = 1, flow = (1, 1))
    @test_throws DimensionMismatch set_langevin!(e, zeros(3, 4); kt = 1, seed = 1)
    @test_throws InexactError set_langevin!(body, (1, 1, 1); kt = 1, seed = -1)
    @test_throws InexactError set_ids!(e, [1, -1])
    @test_throws DimensionMismatch set_ids!(e, [1, 2, 3])
    @test_throws UndefKeywordError set_langevin!(body, (1, 1, 1); kt = 1)
    @test !occursin("random", repr("text/plain", body)) && occursin("random torques         yes", repr("text/plain", e))
    set_langevin!(body, (1, 1, 1); kt = 1, seed = 1)
    @test occursin("random torques    yes", repr("text/plain", body))
    for object in (e, body)
        @test occursin("no way back", said(() -> step!(object, -0.1)))
        @test occursin("no way back", said(() -> thermalize!(object, -0.1)))
        @test occursin("bring their own", said(() -> set_drag!(object, (1, 1, 1))))
        @test occursin("no other takes random torques", said(() -> step!(set_method!(object, :pcdm), 0.1)))
        @test set_langevin!(object, nothing) === object && !occursin("random", repr("text/plain", object))
        @test occursin("needs the drag and the noise", said(() -> step!(set_method!(object, :brownian), 0.1)))
        @test method(object) === :brownian
        @test occursin("must have random torques", said(() -> thermalize!(object, 0.1)))
    end
    @test occursin("`factor` is NaN", said(() -> scale_angular_momenta!(e, NaN)))
    close(e)
    close(body)
    for call in (noise_draws, o -> thermalize!(o, 1), o -> set_langevin!(o, nothing), o -> set_noise_draws!(o, 1)), object in (e, body)
        @test_throws QuatintError call(object)
    end
    for call in (ids, degrees_of_freedom, e -> set_ids!(e, nothing), e -> set_ids!(e, [1, 2]), e -> scale_angular_momenta!(e, 1))
        @test_throws QuatintError call(e)
    end
end
