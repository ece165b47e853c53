"Gradients [j, k, i] of 300 bodies, which differ from body to body and from step to step; none is symmetric."
gradients_at(step) = [sin(1.1j + 2.3k + 0.3i + step) for j in 1:3, k in 1:3, i in 1:300]
const semi_axes_of = [1 + 0.3sin(c + i) for c in 1:3, i in 1:300]
const shared_gradient = [0.1 0.2 -0.3; 0.4 -0.3 0.6; -0.7 0.8 0.2]

in_shear(method = :pcdm) = set_method!(set_torque!(tops(), ShearFlowTorque(semi_axes_of, 0.2, shared_gradient)), method)
row_by_row() = PermutedDimsArray(zeros(3, 3, 300), (2, 1, 3))

@testset "each body has the bits of a body alone in its flow, also as the flow changes ($method)" for method in (:pcdm, :cf4, :splitting)
    e, gradients, alike = in_shear(method), row_by_row(), in_shear(method)
    nines = zeros(9, 300)
    @test bind_flow_gradients!(e, gradients) === e
    bind_flow_gradients!(alike, nines)
    alone = [Body(inertia_of(i); orientation = tilts[i], angular_velocity = (0.1, 0.2, 3), method = method) for i in 1:60:300]
    for step in 1:3
        gradients .= gradients_at(step) # as a flow solver does, between the steps
        for i in 1:300, j in 1:3, k in 1:3
            nines[3 * (j - 1) + k, i] = gradients_at(step)[j, k, i]
        end
        step!(e, 0.01)
        step!(alike, 0.01)
        for (body, i) in zip(alone, 1:60:300)
            set_torque!(body, ShearFlowTorque(semi_axes_of[:, i], 0.2, gradients_at(step)[:, :, i]))
            step!(body, 0.01)
        end
    end
    @test state(e) == state(alike)
    @test orientations(e)[:, 1:60:300] == reduce(hcat, [collect(orientation(body)) for body in alone])
    @test angular_velocities(e)[:, 1:60:300] == reduce(hcat, [collect(angular_velocity(body)) for body in alone])
end

@testset "gradients lie in parts of larger arrays, until they are no longer wanted" begin
    expected = step!(bind_flow_gradients!(in_shear(), (a = row_by_row(); a .= gradients_at(1); a)), 0.1)
    cells = zeros(13, 600)
    block = PermutedDimsArray(view(zeros(3, 3, 600), :, :, 600:-2:2), (2, 1, 3))
    for i in 1:300, j in 1:3, k in 1:3
        cells[3 + 3 * (j - 1) + k, 2i] = block[j, k, i] = gradients_at(1)[j, k, i]
    end
    plain, apart = zeros(3, 3, 300), view(zeros(6, 5, 900), 1:2:5, 2:4, 3:3:900)
    by_body_first = PermutedDimsArray(zeros(300, 3, 3), (2, 3, 1))
    for array in (plain, apart, by_body_first)
        array .= gradients_at(1)
    end
    for array in (view(cells, 4:12, 2:2:600), block, plain, apart, by_body_first)
        e = bind_flow_gradients!(in_shear(), array)
        @test occursin("flow gradients in      your Array", repr("text/plain", e))
        @test state(step!(e, 0.1)) == state(expected)
        bind_flow_gradients!(e, nothing)
        @test !occursin("gradients", repr("text/plain", e)) && e.bound[4] === nothing
    end
    e = bind_flow_gradients!(bind_flow_gradients!(in_shear(), block), nothing)
    @test state(step!(e, 0.1)) == state(step!(in_shear(), 0.1))

    e = bind_flow_gradients!(in_shear(), (a = row_by_row(); a .= gradients_at(1); a)) # the ensemble keeps it alive
    GC.gc()
    junk = [fill(NaN, 3, 3, 300) for _ in 1:100]
    @test state(step!(e, 0.1)) == state(expected) && length(junk) == 100
end

@testset "wrong gradients are refused, and gradients of other bodies stop the steps" begin
    e, gradients = in_shear(), row_by_row()
    bind_flow_gradients!(e, gradients)
    for wrong in (zeros(3, 3, 299), zeros(300, 9)', [zeros(3, 3) for _ in 1:300], zeros(Float32, 9, 300), zeros(Float32, 3, 3, 300),
        view(zeros(18, 300), 1:2:18, :), PermutedDimsArray(zeros(3, 300, 3), (1, 2, 3)), zeros(3, 300, 3))
        @test_throws Union{ArgumentError, DimensionMismatch} bind_flow_gradients!(e, wrong)
    end
    message = try bind_flow_gradients!(e, zeros(Float32, 3, 3, 300)) catch x; x.msg end
    @test occursin("give a 3×3×300 array", message)
    @test_throws DimensionMismatch bind_flow_gradients!(e, zeros(300, 9))
    @test_throws DimensionMismatch bind_flow_gradients!(e, PermutedDimsArray(zeros(3, 3, 299), (2, 1, 3)))
    not_finite = row_by_row()
    not_finite[1, 2, 7] = NaN
    failure = try bind_flow_gradients!(e, not_finite) catch x; x end
    @test failure isa QuatintError && (failure.name, failure.body) == ("QI_ERR_NON_FINITE", 7)
    @test e.bound[4] === parent(gradients)
    for change in (release_arrays!, e -> resize!(e, 300), e -> select_bodies!(e, :))
        bind_flow_gradients!(e, gradients)
        change(e)
        failure = try step!(e, 0.1) catch x; x end
        @test failure isa QuatintError && failure.name == "QI_ERR_ORDER" && e.bound[4] === nothing
    end
    step!(bind_flow_gradients!(e, nothing), 0.1)
    close(e)
    @test_throws QuatintError bind_flow_gradients!(e, gradients)
end
