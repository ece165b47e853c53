# Three vectors or four quaternions fill a square matrix, whose size does not say where the bodies are.

@testset "the layout says whether a square matrix has columns or rows" begin
    ω, q = [1.0 2 3; 4 5 6; 7 8 9.5], reduce(hcat, [collect(orientation((1, i, 2), 0.3 * i)) for i in 1:4])
    for (layout, columns) in ((nothing, identity), (:columns, identity), (:rows, permutedims))
        e = set_angular_velocities!(Ensemble(3), ω; layout = layout)
        @test angular_velocities(e) ≈ columns(ω)
        kick!(e, 1, ω; layout = layout)
        @test angular_velocities(e) ≈ 2 * columns(ω)
        kick_drift!(e, 1, 0, ω; layout = layout)
        @test angular_velocities(e) ≈ 3 * columns(ω)
        set_principal_inertias!(e, ω .+ [0 0 0; 0 1 0; 1 0 0] .+ 5; layout = layout)
        @test rows(e; parts = :inertia)[1:3, :] ≈ columns(ω .+ [0 0 0; 0 1 0; 1 0 0] .+ 5)
        bound = copy(ω)
        e = bind!(Ensemble(3); angular_velocities = bound, layout = layout)
        @test angular_velocities(e) ≈ columns(ω)
        predicted = zeros(3, 3)
        bind_predicted_velocities!(e, predicted, 0; layout = layout)
        kick_drift!(e, 0, 0, nothing)
        @test columns(predicted) ≈ columns(ω)
        @test orientations(set_orientations!(Ensemble(4), q; layout = layout === :rows ? :columns : layout)) ≈ q
        @test orientations(set_orientations!(Ensemble(4), columns(q); layout = layout)) ≈ q
        @test orientations(set_orientations!(Ensemble(4), Float32.(columns(q)); layout = layout)) ≈ q atol = 1e-6
        @test orientations(bind!(Ensemble(4); orientations = columns(q), layout = layout)) ≈ q
        @test orientations(bind!(Ensemble(4); orientations = columns(q), rows = [2, 1, 4, 3], layout = layout)) ≈ q[:, [2, 1, 4, 3]]
        drag(a) = angular_velocities(step!(set_drag!(set_angular_velocities!(Ensemble(3), (1, 1, 1)), a; layout = layout), 0.1))
        @test drag(columns(ω)) == angular_velocities(step!(set_drag!(set_angular_velocities!(Ensemble(3), (1, 1, 1)), ω), 0.1))
    end
end

@testset "a matrix that does not have the layout is refused" begin
    e = Ensemble(5)
    for (layout, wrong, right) in ((:rows, zeros(3, 5), "5×3"), (:columns, zeros(5, 3), "3×5"))
        failure = try set_angular_velocities!(e, wrong; layout = layout) catch x; x end
        @test failure isa DimensionMismatch && occursin("must be $right, not", failure.msg)
        @test_throws DimensionMismatch bind!(e; angular_velocities = wrong, layout = layout)
        @test_throws DimensionMismatch set_angular_velocities!(e, Float32.(wrong); layout = layout)
        set_angular_velocities!(e, permutedims(wrong); layout = layout)
    end
    @test_throws ArgumentError set_angular_velocities!(e, zeros(3, 5); layout = :diagonal)
    @test_throws ArgumentError bind!(e; orientations = zeros(4, 5), rows = [true, true, true, true, true])
    @test_throws DimensionMismatch set_active!(e, Any[true, false])
    moved = set_active!(e, Any[true, false, false, false, true])
    @test active_count(moved) == 2
end
