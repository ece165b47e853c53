# The moments 3, 5 and 7 about axes that are turned in the body.
const GENERIC = [5.72 0.768 -0.576; 0.768 5.0992 -1.5744; -0.576 -1.5744 4.1808]

# With the numbers of tests/rust/every_language.rs.
@testset "a generic body comes where it comes in every language" begin
    body = Body(GENERIC; orientation = (0.5, -0.1, 0.7, 0.5), angular_velocity = (0.3, -0.7, 1.1))
    set_torque!(body, (t, q, ω) -> (0.3 + q[2] * q[3] - 0.2 * ω[2], 0.1 * t - q[1] * q[4], 0.2 + q[3] * q[4] + 0.3 * ω[1]))
    advance!(body, 0.01, 100)
    @test collect(orientation(body)) ≈ [0.4591273469192799, -0.5026845302823357, 0.1801445488229428, 0.7099706218253464] rtol = 1e-14
    @test angular_velocity(body) ≈ [0.7566512967365715, -0.8861596187131292, 0.9622951882072567] rtol = 1e-14
    @test angular_velocity_body(body) ≈ [-1.318525692064565, -0.37332023040899964, -0.6371295699234223] rtol = 1e-14
end

@testset "functions, closures and callables are torques, and a ready-made one agrees with them" begin
    struct Weight
        force::Float64
    end
    (w::Weight)(time, q, ω) = cross(rotate(q, Vec3(0, 0, 1)), Vec3(0, 0, -w.force))
    force, asked = 2.0, 0
    closure(time, q, ω) = (asked += 1; arm = rotate(q, [0, 0, 1]); [-force * arm[2], force * arm[1], 0])
    tilted = orientation((1, 0, 0), 0.3)
    tops = map((closure, Weight(2), UniformFieldTorque((0, 0, 1), (0, 0, -2)))) do torque
        top = Body([1, 1, 0.5]; orientation = tilted, angular_velocity = (0, 0, 8))
        set_torque!(top, torque)
        advance!(top, 1e-3, 500)
        for _ in 1:500
            step!(top, 1e-3)
        end
        top
    end
    @test asked == 2000
    @test state(tops[1]) == state(tops[2])
    @test collect(orientation(tops[1])) ≈ collect(orientation(tops[3])) atol = 1e-11
    set_torque!(tops[1], nothing)
    momentum = angular_momentum(tops[1])
    advance!(tops[1], 1e-3, 100)
    @test angular_momentum(tops[1]) ≈ momentum rtol = 1e-5
end

@testset "a torque is given the time and the state of its stage" begin
    seen = []
    body = Body([1, 1, 1]; angular_velocity = (0, 0, 2))
    set_time!(body, 5)
    set_torque!(body, (time, q, ω) -> (push!(seen, (time, q, ω)); (0, 0, 0)))
    step!(body, 0.5)
    @test [s[1] for s in seen] == [5, 5.25]
    @test seen[1][2] == Quaternion(1, 0, 0, 0) && seen[1][3] == [0, 0, 2]
    @test collect(seen[2][2]) ≈ [cos(0.25), 0, 0, sin(0.25)]
end

@testset "a body is advanced by the method that was chosen" begin
    body = Body([1, 2, 3])
    @test method(body) === :pcdm && method(Body([1, 2, 3]; method = :cf4)) === :cf4
    @test set_method!(body, :cf4) === body && method(body) === :cf4
    @test_throws ArgumentError set_method!(body, :euler)
    @test method(body) === :cf4
    # the torques of ten steps: a splitting method asks for one before the first step, and then keeps the last of each
    for (name, torques) in ((:pcdm, 20), (:cf4, 40), (:splitting, 11), (:splitting_4, 61), (:force_gradient, 31), (:splitting_6, 111))
        asked = 0
        set_torque!(set_method!(body, name), (t, q, ω) -> (asked += 1; (0, 0, 0)))
        advance!(body, 0.1, 5)
        advance!(body, 0.1, 5)
        @test method(body) === name && asked == torques
    end
end

@testset "a splitting method asks anew after a change, and those of high order refuse torques of the angular velocity" begin
    asked = 0
    body = set_torque!(Body([1, 2, 3]; method = :splitting), (t, q, ω) -> (asked += 1; (0, 0, 0)))
    step!(body, 0.1)
    for change in (b -> set_state!(b, (1, 0, 0, 0), (1, 0, 0)), b -> set_time!(b, 7), b -> set_method!(b, :splitting),
        b -> set_torque!(b, b.torque), b -> kick!(b, 0.1, (1, 0, 0)), b -> drift!(b, 0.1))
        asked = 0
        step!(body, 0.1)
        step!(change(body), 0.1)
        @test asked == 3
    end
    for torque in (LinearDragTorque((1, 1, 1)), ShearFlowTorque((1, 1, 1), 1, zeros(3, 3)))
        for name in (:splitting_4, :force_gradient, :splitting_6)
            body = Body([1, 2, 3]; method = name)
            @test_throws QuatintError set_torque!(body, torque)
            @test body.torque === nothing
            set_torque!(set_method!(body, :splitting), torque)
            @test_throws QuatintError set_method!(body, name)
            @test method(body) === :splitting
        end
    end
end

@testset "a frame is :world or :body" begin
    @test_throws ArgumentError set_torque!(Body([1, 2, 4]), ConstantTorque((1, 0, 0); frame = :moon))
end

@testset "a record has the start and every so many steps, with the bits of steps" begin
    body, other = Body([1, 2, 3]; angular_velocity = [1, 1, 1]), Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    rows = record(body, 0.01, 10; every = 5)
    @test rows.time == [0, time(advance!(other, 0.01, 5)), time(body)]
    @test rows.orientation[:, 2] == collect(orientation(other))
    @test size(rows.angular_velocity) == (3, 3)
    @test_throws ArgumentError record(body, 0.01, 10; every = 0)
end

@testset "a checkpoint restores every bit" begin
    body = Body([3 0.1 0; 0.1 5 0; 0 0 9]; angular_velocity = [0.1, 0.4, 0.2])
    advance!(body, 1e-2, 100)
    kept = orientation(body), angular_velocity_body(body), time(body)
    advance!(body, 1e-2, 100)
    again = Body([3 0.1 0; 0.1 5 0; 0 0 9])
    set_state_body!(again, kept[1], kept[2])
    set_time!(again, kept[3])
    advance!(again, 1e-2, 100)
    @test state(again)[1:2] == state(body)[1:2]
end

@testset "what a torque throws comes out as it is, with its backtrace, and the body is as it was" begin
    guilty(time, q, ω) = time > 0.22 ? throw(Stopped("too late")) : (0, 0, 0)
    body = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    set_torque!(body, guilty)
    advance!(body, 0.1, 2)
    before = state(body)
    @test_throws Stopped advance!(body, 0.1, 1)
    @test state(body) == before
    try
        step!(body, 0.1)
    catch exception
        @test exception == Stopped("too late")
        causes = sprint(showerror, Base.catch_stack()[1][1])
        @test occursin("guilty", causes) && occursin("body.jl", causes)
    end
    @test state(body) == before

    for (torque, exception) in (((t, q, ω) -> (1, 2), DimensionMismatch), ((t, q, ω) -> nothing, ArgumentError),
        ((t, q, ω) -> ("a", "b", "c"), ArgumentError), (() -> 1, MethodError))
        set_torque!(body, torque)
        @test_throws exception step!(body, 0.1)
        @test state(body) == before
    end

    set_torque!(body, (t, q, ω) -> (NaN, 0, 0))
    @test_throws QuatintError step!(body, 0.1)
    @test state(body) == before
    set_torque!(body, nothing)
    step!(body, 0.1)
    @test state(body) != before
end

@testset "a torque that meddles with its own body is refused, and nothing breaks" begin
    body = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    for meddle in (() -> step!(body, 0.1), () -> set_torque!(body, nothing), () -> orientation(body))
        set_torque!(body, (t, q, ω) -> (meddle(); (0, 0, 0)))
        failure = try step!(body, 0.1) catch e; e end
        @test failure isa QuatintError && failure.name == "QI_ERR_BUSY"
    end
    set_torque!(body, (t, q, ω) -> (close(body); (0, 0, 0)))
    step!(body, 0.1)
    @test !isopen(body)
end

@testset "a line does not turn about itself" begin
    line = Body([0, 2, 2]; angular_velocity = (1, 0, 3))
    @test angular_velocity(line) == [0, 0, 3] && kinetic_energy(line) == 9
    @test_throws QuatintError Body([0, 1, 2])
end

@testset "what is wrong with an argument is said, and no more is changed" begin
    message(f) = try f(); "" catch e; sprint(showerror, e) end
    @test occursin("QI_ERR_INERTIA: `inertia` is not positive definite", message(() -> Body([1, 1, -1])))
    @test_throws QuatintError Body([1 0.5 0; 0 1 0; 0 0 1])
    @test_throws ArgumentError Body([1, 1, 1]; method = :euler)
    @test_throws QuatintError Body([1, 1, 1]; orientation = (2, 0, 0, 0))
    @test_throws QuatintError Body([1, 1, 1]; angular_velocity = (NaN, 0, 0))
    @test_throws DimensionMismatch Body([1, 1])
    @test_throws DimensionMismatch Body([1 0; 0 1])
    @test_throws DimensionMismatch Body([1, 1, 1]; orientation = [1, 0, 0])
    @test_throws DimensionMismatch Body([1, 1, 1]; angular_velocity = [1, 0, 0, 0])
    body = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    before = state(body)
    @test occursin("`dt` is NaN", message(() -> step!(body, NaN)))
    @test_throws QuatintError advance!(body, Inf, 10)
    for negative in (() -> advance!(body, 0.1, -1), () -> record(body, 0.1, -1))
        @test message(negative) == "ArgumentError: the number of steps is -1; it must not be negative"
    end
    @test message(() -> Body("abc")) == "ArgumentError: 'a' is not a number"
    @test message(() -> set_state!(body, (1, 0, 0, 0), (1, "2", 3))) == "ArgumentError: \"2\" is not a number"
    @test message(() -> step!(set_torque!(body, (t, q, ω) -> nothing), 0.1)) == "ArgumentError: a torque is `nothing` instead of 3 numbers"
    @test message(() -> step!(set_torque!(body, (t, q, ω) -> 1.0), 0.1)) == "DimensionMismatch(\"a torque has 1 number instead of 3\")"
    set_torque!(body, nothing)
    @test_throws QuatintError set_state!(body, (0, 0, 0, 0), (1, 1, 1))
    @test_throws QuatintError set_time!(body, NaN)
    @test state(body) == before
end

@testset "an error of a body says after how many steps, and concerns no body of an ensemble" begin
    body = set_torque!(Body([1, 2, 3]), (t, q, ω) -> (t > 0.31 ? NaN : 0, 0, 0))
    failure = try advance!(body, 0.1, 10) catch e; e end
    @test failure isa QuatintError && failure.status == -4 && failure.body === nothing
    @test startswith(failure.message, "after 3 steps: the torque is not finite at time 0.35") && time(body) ≈ 0.3
    failure = try advance!(set_time!(body, 0.2), 0.1, 10) catch e; e end
    @test startswith(failure.message, "after 1 step: the torque")
    failure = try step!(body, 0.1) catch e; e end
    @test startswith(failure.message, "the torque")
end

@testset "a closed body refuses every use; bodies are freed when nobody has them" begin
    body = Body([1, 2, 3])
    set_torque!(body, (t, q, ω) -> (0, 0, 0))
    close(body)
    close(body)
    for use in (b -> step!(b, 0.1), b -> advance!(b, 0.1, 1), orientation, angular_velocity, time, kinetic_energy,
        b -> set_torque!(b, nothing), b -> set_torque!(b, (t, q, ω) -> (0, 0, 0)), b -> record(b, 0.1, 1))
        @test_throws QuatintError use(body)
    end
    @test repr(body) == "Body (closed)" && repr("text/plain", body) == "Body (closed)"
    for _ in 1:10_000
        step!(set_torque!(Body([1, 2, 3]), (t, q, ω) -> [0.1, 0.1, 0.1]), 0.1)
    end
    GC.gc()
    @test true # the process is still running
end

@testset "collecting garbage inside a torque harms nothing" begin
    body = Body([1, 2, 3]; angular_velocity = [1, 1, 1])
    set_torque!(body, (t, q, ω) -> (GC.gc(); zeros(3)))
    step!(body, 0.1)
    free = step!(Body([1, 2, 3]; angular_velocity = [1, 1, 1]), 0.1)
    @test collect(orientation(body)) ≈ collect(orientation(free)) atol = 1e-15
end

@testset "a body shows its state" begin
    text = repr("text/plain", set_torque!(Body([1, 2, 3]; angular_velocity = [1, 0, 0]), LinearDragTorque((1, 1, 1))))
    @test occursin("method            pcdm", text) && occursin("t = 0.0", text) && occursin("(1.0, 0.0, 0.0, 0.0)", text) && occursin("LinearDragTorque", text)
end

@testset "what a torque is given behaves as numbers do" begin
    @test norm(Quatint.Vec3(3e200, 4e200, 0)) ≈ 5e200 && norm(Quatint.Vec3(0, 3e-200, 4e-200)) ≈ 5e-200
    @test inv(Quatint.Quaternion(1, 0, 0, 0)) == Quatint.Quaternion(1, 0, 0, 0)
    @test hash(inv(Quatint.Quaternion(1, 0, 0, 0))) == hash(Quatint.Quaternion(1, 0, 0, 0))
end

@testset "a command acts from the next step on after forget_torque!" begin
    command = Ref(1.0)
    body = Body([1, 2, 3]; angular_velocity = (0.1, 0.2, 0.3), method = :splitting)
    set_torque!(body, (t, q, ω) -> (command[], 0.0, 0.0))
    step!(body, 0.1)
    before = angular_momentum(body)
    @test acting_torque(body) ≈ [1, 0, 0]
    command[] = 0
    step!(forget_torque!(body), 0.1)
    @test maximum(abs, angular_momentum(body) - before) < 1e-15
    # Euler's equation, I ω′ = I ω × ω in the body frame
    ω = angular_velocity_body(body)
    of_body = [(2 - 3) * ω[2] * ω[3] / 1, (3 - 1) * ω[3] * ω[1] / 2, (1 - 2) * ω[1] * ω[2] / 3]
    @test maximum(abs, angular_acceleration(body) - rotation_matrix(orientation(body)) * of_body) < 1e-15
    set_torque!(body, (t, q, ω) -> error("no torque"))
    @test_throws ErrorException angular_acceleration(body)
    e = Ensemble(5; method = :splitting)
    set_active!(e, [2, 4])
    @test active_count(forget_torque!(e)) == 2
end

@testset "a body restarts from its row with the same bits" begin
    function made()
        inertia = [3 0.4 -0.2; 0.4 5 0.3; -0.2 0.3 7]
        body = Body(inertia; orientation = (0.5, -0.5, 0.1, 0.7), angular_velocity = (1, 0.5, 2), method = :splitting)
        set_torque!(body, (t, q, ω) -> (sin(t) - ω[1], q[2], q[3] * ω[2]))
        set_drag!(body, (0.3, 2, 5))
    end
    state(body) = (orientation(body), angular_velocity_body(body), clock(body))
    left, restarted = made(), made()
    advance!(left, 0.05, 20)
    row = rows(left; parts = (:all, :id))
    @test length(row) == row_size(left; parts = (:all, :id)) == 7 + 7 + 6 + 6 + 3 + 1
    set_clock!(restarted, clock(left))
    set_rows!(restarted, row; parts = (:all, :id))
    advance!(left, 0.05, 20)
    advance!(restarted, 0.05, 20)
    @test state(left) === state(restarted)
    @test_throws DimensionMismatch set_rows!(restarted, row)
    @test_throws QuatintError set_rows!(restarted, fill(NaN, 7); parts = :state)
    @test state(left) === state(restarted)
end
