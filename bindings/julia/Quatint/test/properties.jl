@testset "properties read and set the state" begin
    body = Body([1, 2, 3]; orientation = orientation((1, 2, 3), 0.5), angular_velocity = (1, 2, 3), torque = (t, q, ω) -> -ω)
    @test body.orientation == orientation(body) && body.angular_velocity == angular_velocity(body)
    @test body.angular_velocity_body == angular_velocity_body(body) && body.angular_momentum == angular_momentum(body)
    @test body.kinetic_energy == kinetic_energy(body) && body.time == 0 && body.clock == (0, 0) && body.method === :pcdm
    @test body.torque isa Function && body.rotor_momentum == [0, 0, 0]
    before = body.angular_velocity
    body.orientation = (0, 1, 0, 0)
    @test body.orientation == Quaternion(0, 1, 0, 0) && body.angular_velocity ≈ before
    body.angular_velocity = (3, 2, 1)
    body.time, body.method, body.torque, body.rotor_momentum = 2, :cf4, nothing, (0, 0, 1)
    @test body.angular_velocity ≈ [3, 2, 1] && body.time == 2 && body.method === :cf4 && body.torque === nothing
    @test body.rotor_momentum == [0, 0, 1]
    body.angular_momentum = (1, 1, 1)
    @test body.angular_momentum ≈ [1, 1, 1]
    @test :orientation in propertynames(body) && !(:handle in propertynames(body))
    failure = try body.omega catch e; e end
    @test failure isa ArgumentError && occursin("no property omega; it has", failure.msg)
    @test_throws ArgumentError body.kinetic_energy = 1
    @test_throws ArgumentError body.omega = 1

    e = Ensemble(2)
    e.orientations, e.angular_velocities, e.threads = (0, 1, 0, 0), (1, 2, 3), 2
    @test e.orientations == orientations(e) && e.angular_velocities ≈ [1 1; 2 2; 3 3] && e.threads == 2
    e.threads = 1
    e.torque = ConstantTorque((0, 0, 1))
    e.method = :splitting
    @test e.torque isa ConstantTorque && e.method === :splitting && e.total_kinetic_energy == total_kinetic_energy(e)
    @test_throws ArgumentError e.orientation
end

@testset "objects are not serialized" begin
    for object in (Body([1, 2, 3]), Ensemble(2))
        failure = try serialize(IOBuffer(), object) catch e; e end
        @test failure isa ArgumentError && occursin("cannot be serialized", failure.msg)
        @test_throws ArgumentError serialize(IOBuffer(), [object])
        @test isopen(object)
    end
end

@testset "what is wanted is said" begin
    said(f) = try f() catch e; sprint(showerror, e) end
    for make in (() -> Body([1, 2, 3]; method = "cf4"), () -> set_method!(Ensemble(1), 2))
        @test occursin("the method must be :pcdm", said(make))
    end
    @test occursin("not \"cf4\"", said(() -> Body([1, 2, 3]; method = "cf4")))
    @test occursin("three principal moments, not one number: for a sphere give (2, 2, 2)", said(() -> Body(2)))
    @test occursin("a matrix of 4×2: give a column", said(() -> rotation_matrix(zeros(4, 2))))
end

@testset "rotate takes matrices with a column for each" begin
    q = hcat([collect(orientation((1, 2, i), 0.3i)) for i in 1:5]...)
    v = [sin(c + i) for c in 1:3, i in 1:5]
    expected = hcat([rotate(q[:, i], v[:, i]) for i in 1:5]...)
    @test rotate(q, v) == expected
    @test rotate(q[:, 2], v) == hcat([rotate(q[:, 2], v[:, i]) for i in 1:5]...)
    @test rotate(q, (0, 0, 1)) == rotate(q, Vec3(0, 0, 1)) == hcat([rotate(q[:, i], [0.0, 0, 1]) for i in 1:5]...)
    @test_throws DimensionMismatch rotate(q, v[:, 1:4])
    @test_throws DimensionMismatch rotate(permutedims(q), v)
    @test_throws DimensionMismatch rotate(q, permutedims(v))
end

@testset "limits of error control: a pulse is seen, and a solution ends" begin
    pulse(t) = Body([1, 1, 1]; torque = (time, q, ω) -> (0.0, 0.0, 5 <= time <= 5.1 ? 1.0 : 0.0))
    body = set_solve_longest_step!(pulse(0), 0.05)
    solve!(body, 10; tolerance = 1e-6)
    @test angular_velocity(body)[3] ≈ 0.1 rtol = 1e-3
    set_solve_most_evaluations!(body, 100)
    failure = try solve!(body, 1000) catch e; e end
    @test failure isa QuatintError && failure.name == "QI_ERR_STEP" && 10 < time(body) < 1000
    @test solve_statistics(body).evaluations <= 100
    @test_throws QuatintError set_solve_longest_step!(body, -1)
    @test_throws ArgumentError set_solve_most_evaluations!(body, -1)
    dragged() = Body([1, 2, 3]; angular_velocity = (1, 1, 1), torque = (t, q, ω) -> (-1e4 * (ω[1] - 1), -1e4 * ω[2], -1e4 * ω[3]))
    crawling = set_solve_most_evaluations!(dragged(), 2000)
    failure = try solve!(crawling, 10) catch e; e end
    @test occursin("set_solve_method", sprint(showerror, failure))
    @test solve!(set_solve_method!(dragged(), :stiff), 10; tolerance = 1e-6) !== nothing
    stiff = set_solve_most_evaluations!(set_solve_method!(dragged(), :stiff), 2000)
    solve!(stiff, 10; tolerance = 1e-6)
    @test angular_velocity(stiff)[1] ≈ 1 rtol = 1e-5
    @test_throws ArgumentError set_solve_method!(stiff, :rosenbrock)
    one, other = pulse(0), pulse(0)
    solve!(one, 1)
    solve!(other, 1; tolerance = 1e-9) # the default
    @test state(one) == state(other)
end
