const BEFORE_CONING = (0.5, -0.1, 0.7, 0.5)
const AFTER_CONING = (body = [0.38577307636891406, 0.043578453853795565, 0.6932969186910561, 0.6071403745774642],
    world = [0.5962913350399517, 0.037682495356439624, 0.7112801869859638, 0.3702663485940847])
coning(t) = (0.8cos(3t), 0.8sin(3t), 0)

@testset "a coning motion turns as its closed form says" begin
    for frame in (:body, :world)
        q = turn_orientation(coning, BEFORE_CONING, 0.2, 4.2, 1000; frame = frame)
        @test q isa Quaternion
        @test collect(q) ≈ AFTER_CONING[frame] atol = 1e-11
        @test collect(turn_orientation(coning, q, 4.2, 0.2, 1000; frame = frame)) ≈ collect(BEFORE_CONING) atol = 1e-11
        samples = [coning(t) for t in 0.2:0.01:4.2]
        q = turn_by_samples(BEFORE_CONING, samples, 0.01; frame = frame)
        @test collect(q) ≈ AFTER_CONING[frame] atol = 1e-8
        columns = Float64[sample[i] for i in 1:3, sample in samples]
        @test turn_by_samples(BEFORE_CONING, columns, 0.01; frame = frame) == q
        @test turn_by_samples(BEFORE_CONING, view(hcat(columns, columns), :, 1:401), 0.01; frame = frame) == q
    end
    calls = 0
    q = turn_orientation((1, 0, 0, 0), 0, 1, 10) do t
        calls += 1
        [0, 0, cos(t)]
    end
    @test calls == 20
    @test axis_angle(q)[2] ≈ sin(1) atol = 1e-7
end

@testset "the derivative is that of a quaternion of any length" begin
    @test collect(orientation_rate((1, -0.2, 1.4, 1), (0.3, -0.7, 1.1))) ≈ [-0.03, -0.97, -0.61, 0.69] atol = 1e-15
    @test_throws QuatintError orientation_rate((1, NaN, 0, 0), (1, 2, 3))
end

@testset "what cannot be turned is refused" begin
    @test_throws Stopped turn_orientation(t -> t > 0.5 ? throw(Stopped("here")) : (0, 0, 1), BEFORE_CONING, 0, 1, 10)
    @test_throws DimensionMismatch turn_orientation(t -> (0, 1), BEFORE_CONING, 0, 1, 10)
    @test_throws QuatintError turn_orientation(t -> (0, NaN, 1), BEFORE_CONING, 0, 1, 10)
    @test_throws ArgumentError turn_orientation(coning, BEFORE_CONING, 0, 1, 0)
    @test_throws ArgumentError turn_orientation(coning, BEFORE_CONING, 0, 1, 10; frame = :moon)
    @test_throws QuatintError turn_orientation(coning, (2, 0, 0, 0), 0, 1, 10)
    @test_throws QuatintError turn_by_samples(BEFORE_CONING, [(1, 2, 3)], 0.1)
    @test_throws DimensionMismatch turn_by_samples(BEFORE_CONING, zeros(5, 3), 0.1)
    @test_throws DimensionMismatch turn_by_samples(BEFORE_CONING, [(1, 2), (3, 4)], 0.1)
end
