"A torque of time, orientation and angular velocity that differs from body to body by orientation only."
function driven_in_rows(torque, time, bodies, q, ω)
    for i in 1:size(q, 1)
        shown(x) = isnan(x) ? zero(x) : x # some methods show NaN
        torque[i, 1] = sin(3time) - 0.2 * shown(ω[i, 1])
        torque[i, 2] = q[i, 2] * cos(2time)
        torque[i, 3] = q[i, 1] - 0.1 * shown(ω[i, 3])
    end
end

"Takes steps and starts again every 10 of them: with another ensemble, from the rows and the clock that would be in a file."
function advance_with_restarts!(e, restarted, dt, steps)
    for _ in 1:steps ÷ 10
        advance!(e, dt, 10)
        saved, time = rows(e), clock(e)
        e = set_rows!(set_clock!(restarted(), time), saved)
        @test isequal(rows(e), saved) && clock(e) == time # isequal: NaN where nothing is kept
    end
    e
end

@testset "a run that restarts every 10 steps has the bits of one that does not, by every method" begin
    asked = 0
    counted(arguments...) = (asked += 1; driven_in_rows(arguments...))
    for name in (:pcdm, :cf4, :splitting, :splitting_4, :force_gradient, :splitting_6), is_damped in (false, true)
        is_damped && name in (:splitting_4, :force_gradient, :splitting_6) && continue
        function ensemble(n)
            e = set_torque!(Ensemble(n; method = name), counted)
            is_damped ? set_drag!(e, (0.1, 0.2, 0.3); flow = (0, 0, 1)) : e
        end
        once = resize!(ensemble(1), 300)
        set_inertias!(once, [0.1 * Matrix(Diagonal([10, 20, 30 + i])) + [0 0 0; 0 0 0.2; 0 0.2 0] for i in 1:300])
        set_orientations!(once, tilts)
        set_angular_velocities!(once, (0.1, 0.2, 3))
        is_damped && set_drag!(once, [0.1 + 0.01i + c for c in 1:3, i in 1:300]; flow = (0, 0, 1))
        again = set_rows!(ensemble(300), rows(once))
        asked = 0
        advance!(once, 0.01, 60)
        asked_once, asked = asked, 0
        again = advance_with_restarts!(again, () -> ensemble(300), 0.01, 60)
        @test asked == asked_once # the torque that a splitting method keeps came with the rows
        @test state(again) == state(once) && clock(again) == clock(once) && clock(once)[2] != 0
    end
end

@testset "a run in bound arrays goes on from its rows with the same bits" begin
    for kind in (:omega_world, :omega_body, :angmom_world, :angmom_body)
        bound(q, ω) = bind!(set_inertias!(tops(), [1, 2, 3]); orientations = q, angular_velocities = ω, kind = kind)
        q, ω = orientations(tops()), angular_velocities(tops())
        p, θ = repeat([1.0, 0, 0, 0], 1, 300), zeros(3, 300)
        e, again = advance!(bound(q, ω), 1e-2, 20), bound(p, θ)
        set_clock!(set_rows!(again, rows(e)), clock(e))
        @test (p, θ) == (q, ω)
        advance!(e, 1e-2, 20)
        advance!(again, 1e-2, 20)
        @test (p, θ) == (q, ω)
    end
end

@testset "the parameters of a torque come with the rows" begin
    for (own, other, width) in ((ConstantTorque(torques_at(0)), ConstantTorque((9, 9, 9)), 3),
        (UniformFieldTorque(torques_at(0), (0, 0, 1)), UniformFieldTorque((0, 0, 9), (0, 0, 1)), 3),
        (GravityGradientTorque((0, 0, 1), collect(1.0:300)), GravityGradientTorque((0, 0, 1), 7), 1),
        (LinearDragTorque(abs.(torques_at(0))), LinearDragTorque((1, 1, 1)), 3),
        (ShearFlowTorque(1 .+ abs.(torques_at(0)), 1, [0 0 1; 0 0 0; 0 0 0]), ShearFlowTorque((1, 1, 1), 1, [0 0 1; 0 0 0; 0 0 0]), 6))
        e, f = set_torque!(tops(), own), set_torque!(Ensemble(300), other)
        @test row_size(e; parts = :torque) == width
        set_rows!(f, rows(e))
        @test state(advance!(f, 1e-2, 20)) == state(advance!(e, 1e-2, 20))
    end
end

@testset "a row consists of its parts, in one order" begin
    e = set_torque!(set_method!(set_inertias!(tops(), [1, 2, 3]), :splitting), UniformFieldTorque((0, 0, 1), (0, 0, -1)))
    @test [row_size(e; parts = part) for part in (:state, :inertia, :torque, :memory, :bound, ())] == [7, 7, 3, 3, 3, 0]
    @test row_size(e) == row_size(e; parts = (:memory, :bound, :state, :torque, :inertia)) == 23
    @test row_size(set_drag!(e, (1, 1, 1)); parts = :torque) == 9
    set_drag!(e, nothing)
    all, some = rows(e), rows(e, [7, 3]; parts = (:inertia, :state))
    @test size(all) == (23, 300) && some == all[1:14, [7, 3]]
    @test all[1:4, :] == orientations(e) && all[8:10, 9] == [1, 2, 3] && all[11:14, 9] == [1, 0, 0, 0]
    @test all[15:17, 5] == [0, 0, 1]
    @test isequal(all[18:20, :], fill(NaN, 3, 300)) # nothing is kept before the first step
    @test !any(isnan, rows(step!(e, 0.1); parts = :memory))
    @test size(rows(e; parts = ())) == (0, 300) && set_rows!(e, zeros(0, 300); parts = ()) === e
    @test_throws ArgumentError rows(e; parts = :mass)
    @test_throws ArgumentError row_size(e; parts = (:state, :mass))
    @test_throws QuatintError step!(set_torque!(e, (torque, t, bodies, q, ω) -> row_size(e)), 0.1) # it is busy, not of size 0
end

@testset "bodies are named by index, by Bool, or all" begin
    e = tops()
    all, mask = rows(e), [i % 3 == 0 for i in 1:300]
    @test rows(e, mask) == rows(e, BitVector(mask)) == rows(e, 3:3:300) == rows(e, Iterators.Stateful(3:3:300)) == all[:, 3:3:300]
    @test rows(e, 5) == rows(e, (5,)) == all[:, 5:5] && rows(e, [2, 2]) == all[:, [2, 2]]
    @test size(rows(e, Int[])) == (17, 0) && set_rows!(e, zeros(17, 0), Int[]) === e
    for wrong in ([0], [301], [-1], 301)
        @test_throws BoundsError rows(e, wrong)
        @test_throws BoundsError set_rows!(e, all, wrong)
    end
    @test_throws DimensionMismatch rows(e, trues(299))
    set_active!(e, mask)
    before = orientations(e)
    step!(e, 0.1)
    @test [orientations(e)[:, i] != before[:, i] for i in 1:300] == mask
end

@testset "rows are written to matrices of every form, and set from them" begin
    e = step!(tops(), 0.1)
    all, wide = rows(e), fill(NaN, 36, 700)
    dense = zeros(17, 300)
    @test rows!(dense, e) === dense == all
    buffer = view(wide, 1:17, 301:600)
    @test rows!(buffer, e) === buffer && buffer == all && isnan(wide[18, 301]) && isnan(wide[1, 300])
    steps = view(wide, 2:2:34, 600:-2:2)
    @test rows!(steps, e, Iterators.Stateful(1:300)) == all
    @test rows!(view(dense, :, 1:3), e, [9, 1, 2]) == all[:, [9, 1, 2]] && dense[:, 4:300] == all[:, 4:300]
    line = fill(NaN, 6000) # a buffer for messages
    @test rows!(reshape(view(line, 1:17 * 300), 17, 300), e) == all && line[1:17 * 300] == vec(all) && isnan(line[5101])
    @test rows!(zeros(300, 17)', e) == all && rows!(zeros(BigFloat, 17, 300), e) == all
    for form in (all, steps, reshape(view(line, 1:17 * 300), 17, 300), collect(all')', big.(all), view(repeat(all, 2), 18:34, :))
        f = set_rows!(Ensemble(300), form)
        @test rows(f) == all && state(step!(f, 0.1))[1] == orientations(step!(set_rows!(tops(), all), 0.1))
    end
    for wrong in (zeros(16, 300), zeros(17, 299), zeros(300, 17))
        @test_throws DimensionMismatch rows!(wrong, e)
        @test_throws DimensionMismatch set_rows!(e, wrong)
    end
    @test_throws DimensionMismatch set_rows!(e, all, 1:299)
    failure = try set_rows!(set_drag!(Ensemble(300), (1, 1, 1)), all) catch x; x end
    @test failure isa DimensionMismatch && startswith(failure.msg, "there are 300 bodies with rows of 23 numbers")
    @test occursin("Are parts, torque, drag, rotors, random torques and method those of the ensemble", failure.msg)
    mktemp() do path, file
        write(file, all)
        flush(file)
        open(path) do read_only
            mapped = Mmap.mmap(read_only, Matrix{Float64}, (17, 300))
            @test_throws ReadOnlyMemoryError rows!(mapped, e)
            @test rows(set_rows!(Ensemble(300), mapped)) == all
        end
    end
end

@testset "a row that is refused names its body, and no body has changed" begin
    e = set_torque!(tops(), ConstantTorque(torques_at(0)))
    good, before = rows(e), state(e)
    for (number, value, name) in ((1, 3.0, "QI_ERR_ORIENTATION"), (6, NaN, "QI_ERR_NON_FINITE"), (9, 1e308, "QI_ERR_INERTIA"),
        (16, Inf, "QI_ERR_NON_FINITE"))
        bad = good .+ 0.0
        bad[5:7, :] .+= 1
        bad[number, 7] = value
        for (bodies, columns, body) in ((:, 1:300, 7), ([20, 10, 30], [3, 7, 1], 10))
            failure = try set_rows!(e, bad[:, columns], bodies) catch x; x end
            @test failure isa QuatintError && (failure.name, failure.body) == (name, body)
            @test startswith(failure.message, "body $body: ")
        end
    end
    @test state(e) == before && rows(e) == good
end

@testset "bodies that go from one ensemble to another keep their bits, by every method" begin
    weights = torques_at(0)
    for name in (:pcdm, :cf4, :splitting, :splitting_4, :force_gradient, :splitting_6)
        ensemble(n) = set_torque!(set_method!(Ensemble(n), name), UniformFieldTorque((0, 0, 0), (0, 0, -1)))
        whole = set_rows!(ensemble(300), rows(set_torque!(set_method!(tops(), name), UniformFieldTorque(weights, (0, 0, -1)))))
        left, right = set_rows!(ensemble(200), rows(whole, 1:200)), set_rows!(ensemble(100), rows(whole, 201:300))
        numbers = [collect(1:200), collect(201:300)]
        for turn in 1:20
            foreach(e -> step!(e, 0.05), (whole, left, right))
            for (from, to, here, there) in ((left, right, numbers[1], numbers[2]), (right, left, numbers[2], numbers[1]))
                leaving = [(7i + turn) % 5 == 0 for i in here]
                message = rows(from, leaving)
                deleteat!(from, leaving)
                resize!(to, length(to) + count(leaving))
                set_rows!(to, message, length(there) + 1:length(to))
                append!(there, here[leaving])
                deleteat!(here, findall(leaving))
            end
            @test length(left) == length(numbers[1]) && length(right) == length(numbers[2])
        end
        @test sort(vcat(numbers...)) == 1:300 && numbers[1] != 1:200
        @test orientations(left) == orientations(whole)[:, numbers[1]]
        @test rows(right; parts = (:state, :inertia, :torque)) == rows(whole, numbers[2]; parts = (:state, :inertia, :torque))
        @test Float64(kinetic_energy_sums(left) + kinetic_energy_sums(right)) == Float64(kinetic_energy_sums(whole))
    end
end

@testset "the whole clock of a body goes on with the same bits" begin
    through, again = Body([1, 2, 3]; angular_velocity = (1, 1, 1)), Body([1, 2, 3])
    set_torque!.((through, again), Ref((t, q, ω) -> (sin(t), 0, 0)))
    advance!(through, 0.1, 1000)
    @test clock(through)[1] == time(through) && clock(through)[2] != 0
    set_state_body!(again, orientation(through), angular_velocity_body(through))
    @test set_clock!(again, clock(through)) === again && clock(again) == clock(through)
    @test state(advance!(again, 0.1, 1000)) == state(advance!(through, 0.1, 1000))
    e = set_clock!(Ensemble(2), collect(clock(through)))
    @test clock(e) == clock(through) && time(e) == time(through)
    for object in (again, e)
        @test_throws DimensionMismatch set_clock!(object, 1.0)
        @test_throws QuatintError set_clock!(object, (NaN, 0))
        @test clock(object)[1] == time(object)
        close(object)
        @test_throws QuatintError clock(object)
        @test_throws QuatintError set_clock!(object, (1, 0))
    end
end
