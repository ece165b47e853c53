@testset "a drag is shown until it is removed" begin
    body = Body([1, 1, 1]; angular_velocity = (1, 0, 0), method = :splitting)
    @test set_drag!(body, (0.5, 0.5, 0.5)) === body && occursin("drag", repr("text/plain", body))
    @test set_drag!(body, nothing) === body && !occursin("drag", repr("text/plain", body))
    before = angular_velocity(body)
    advance!(body, 0.1, 10)
    @test angular_velocity(body) ≈ before
end

@testset "a kick includes the drag of its duration, without a torque too" begin
    body = set_drag!(Body([1, 1, 1]; angular_velocity = (1, 0, 0)), (1, 1, 1))
    kick!(body, 1e-3, nothing)
    @test angular_velocity(body) ≈ [exp(-1e-3), 0, 0] atol = 1e-6
    e = set_drag!(set_angular_velocities!(Ensemble(2), (1, 0, 0)), (1, 1, 1))
    kick!(e, 1e-3, nothing)
    @test angular_velocities(e)[:, 2] == angular_velocity(body)
end

@testset "coefficients and flow are one for all or each body's own, in arrays of every form" begin
    c, u = [1 + 0.1i + c for c in 1:3, i in 1:300], [sin(0.1i + c) for c in 1:3, i in 1:300]
    alone = map(1:300) do i
        body = Body(inertia_of(i); orientation = tilts[i], angular_velocity = (0.1, 0.2, 3), method = :splitting)
        advance!(set_drag!(body, c[:, i]; flow = u[:, i]), 1e-2, 20)
    end
    expected = reduce(hcat, [collect(orientation(b)) for b in alone])
    for form in (identity, permutedims, x -> view(repeat(x, 2, 1), 4:6, :), x -> [Tuple(x[:, i]) for i in 1:300],
        x -> view(reverse(x; dims = 2), :, 300:-1:1), x -> [x[:, i] for i in 1:300],
        x -> [Particle(1.0, (1.0, 0.0, 0.0, 0.0), Tuple(x[:, i]), i) for i in 1:300] => :ω)
        e = set_method!(tops(), :splitting)
        @test set_drag!(e, form(c); flow = form(u)) === e
        advance!(e, 1e-2, 20)
        @test orientations(e) == expected
    end
    @test occursin("drag", repr("text/plain", set_drag!(tops(), c)))

    free = tops()
    set_drag!(set_drag!(free, (1, 2, 3)), nothing)
    @test state(advance!(free, 1e-2, 20)) == state(advance!(tops(), 1e-2, 20))
end

@testset "a drag that is refused changes nothing" begin
    body, e = Body([1, 2, 3]), tops()
    @test_throws DimensionMismatch set_drag!(body, (1, 2))
    @test_throws DimensionMismatch set_drag!(body, (1, 2, 3); flow = (1, 2))
    @test_throws QuatintError set_drag!(body, (1, NaN, 3))
    @test_throws QuatintError set_drag!(body, (1, 2, 3); flow = (Inf, 0, 0))
    @test_throws DimensionMismatch set_drag!(e, zeros(3, 299))
    @test_throws DimensionMismatch set_drag!(e, zeros(3, 300); flow = zeros(4, 300))
    @test_throws QuatintError set_drag!(e, fill(NaN, 3, 300))
    @test !body.has_drag && !e.has_drag
    @test state(step!(e, 0.1)) == state(step!(tops(), 0.1))
    close(body)
    close(e)
    @test_throws QuatintError set_drag!(body, (1, 2, 3))
    @test_throws QuatintError set_drag!(e, nothing)
end
