"Bodies with all that a copy must have."
const COPIED = (
    "a torque of time and orientation" => () -> Body([1, 2, 3]; torque = (t, q, ω) -> (sin(3t), q[2], 0.1)),
    "a turned inertia" => () -> Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4]; torque = (t, q, ω) -> (sin(3t), q[2], 0.1)),
    "a ready-made torque" => () -> Body([1, 2, 3]; torque = UniformFieldTorque((0.1, 0, 1), (0, 0, -1))),
    "a shear flow" => () -> Body([1, 2, 3]; torque = ShearFlowTorque((1, 2, 3), 0.1, [0 0 1; 0 0 0; 0 0 0]), method = :splitting),
    "a gravity gradient" => () -> Body([1, 2, 3]; torque = GravityGradientTorque((0, 0.6, 0.8), 0.3)),
    "drag in a fluid that turns" => () -> set_drag!(Body([1, 2, 3]; method = :splitting), (0.1, 0.2, 3); flow = (0, 0, 1)),
    "drag at rest" => () -> set_drag!(Body([1, 2, 3]), (0.1, 0.2, 3)),
    "random torques" => () -> set_langevin!(Body([1, 2, 3]; method = :splitting), (1, 2, 3); kt = 0.7, seed = 3, id = 2^53 + 1),
    "overdamped motion" => () -> set_langevin!(Body([1, 2, 3]; method = :brownian), (1, 2, 3); kt = 0.7, seed = 3, flow = (0, 1, 0)),
    "rotors and their motors" => () -> set_rotor_torque!(set_rotor_momentum!(Body([1, 2, 3]), (0, 1, 2)), (0.1, 0, 0)),
    "locked axes" => () -> lock_axes!(Body([1, 2, 2]; torque = (t, q, ω) -> (1, q[2], 0)), "x"),
    "an inertia that changes" =>
        () -> set_inertia_function!(Body([1, 2, 3]; method = :splitting, torque = (t, q, ω) -> (0, 0, cos(t))), t -> (1 + t^2, 2, 3 - t / 9)))

@testset "a copy goes on with the bits of the body, with $name" for (name, make) in COPIED
    for copied in (copy, deepcopy), more in (:pcdm, :splitting, :force_gradient, :cf4)
        body = make()
        set_state!(body, orientation((1, 2, 3), 0.4), (0.3, 0.2, -1))
        # the other methods, where they take what acts
        plain = body.random === nothing && body.inertia_callback === nothing
        plain && !(more === :force_gradient && (body.has_drag || body.acting isa ShearFlowTorque)) && set_method!(body, more)
        set_clock!(body, (0.1, 1e-18))
        advance!(body, 0.01, 7)
        twin, before = copied(body), rows(body; parts = (:all, :id))
        @test isequal(rows(twin; parts = (:all, :id)), before) && clock(twin) == clock(body) && method(twin) == method(body)
        advance!(twin, 0.01, 50)
        @test isequal(rows(body; parts = (:all, :id)), before) # the body has stayed where it was
        advance!(body, 0.01, 50)
        @test isequal(rows(twin; parts = (:all, :id)), rows(body; parts = (:all, :id)))
        @test clock(twin) == clock(body) && noise_draws(twin) == noise_draws(body)
    end
end

@testset "a copy keeps the torque function, and calls it no more often, when the body is gone" begin
    asked = 0
    body = Body([1, 2, 3]; angular_velocity = (1, 2, 3), method = :splitting, torque = (t, q, ω) -> (asked += 1; (q[2], 0, 0)))
    advance!(body, 0.01, 3)
    twin = copy(body)
    @test twin.torque === body.torque
    close(body)
    asked = 0
    advance!(twin, 0.01, 5)
    @test asked == 5 # the torque that the splitting keeps came along
    @test_throws QuatintError copy(body)
    twin.torque = (t, q, ω) -> throw(Stopped("the copy"))
    @test_throws Stopped step!(copy(twin), 0.1)
end

struct Pull
    strength::Vector{Float64}
end
(pull::Pull)(t, q, ω) = Tuple(pull.strength)

@testset "a deep copy has functions of its own, and shares what is copied with it" begin
    body = Body([1, 1, 1]; torque = Pull([1, 0, 0]))
    shared, own = copy(body), deepcopy(body)
    both = deepcopy([body, body])
    @test both[1] === both[2] && both[1] !== body
    body.torque.strength[1] = 5
    @test angular_velocity(step!(shared, 1)) ≈ [5, 0, 0] && angular_velocity(step!(own, 1)) ≈ [1, 0, 0]
    field = [0.0, 0, -1]
    body = Body([1, 1, 1]; torque = UniformFieldTorque((0, 1, 0), field))
    field[3] = 7 # not what has been set
    @test angular_velocity(step!(copy(body), 1e-3)) == angular_velocity(step!(body, 1e-3))
end

@testset "a copy solves as the body does" begin
    for method in (:nonstiff, :stiff, :splitting)
        body = set_solve_longest_step!(set_solve_method!(leaning_top(), method), 0.03)
        twin = copy(body)
        @test state(solve!(twin, 1; tolerance = 1e-8)) == state(solve!(body, 1; tolerance = 1e-8))
        @test solve_statistics(twin) == solve_statistics(body)
    end
    few = copy(set_solve_most_evaluations!(leaning_top(), 50))
    @test_throws QuatintError solve!(few, 10)
end
