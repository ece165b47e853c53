@testset "an orientation has a matrix, an axis and an angle, a rotation vector and Euler angles" begin
    q, v = orientation((1, 2, 3), 0.7), [0.3, -1, 2]
    R = rotation_matrix(q)
    @test R * v ≈ rotate(q, v) && R' * R ≈ I && det(R) ≈ 1
    @test orientation_from_matrix(R) ≈ q
    @test rotation_matrix(orientation((0, 0, 1), pi / 2)) ≈ [0 -1 0; 1 0 0; 0 0 1]
    axis, angle = axis_angle(q)
    @test angle ≈ 0.7 && axis ≈ normalize([1, 2, 3])
    @test rotation_vector(q) ≈ 0.7 * normalize([1, 2, 3])
    @test orientation_from_rotation_vector(rotation_vector(q)) ≈ q
    @test orientation_from_rotation_vector((0, 0, 0)) == Quaternion(1, 0, 0, 0)

    about(axis, angle) = orientation(axis, angle)
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    @test orientation_from_euler((0.1, 0.2, 0.3), "ZYX") ≈ about(z, 0.1) * about(y, 0.2) * about(x, 0.3)
    @test orientation_from_euler((0.1, 0.2, 0.3), "zyx") ≈ about(x, 0.3) * about(y, 0.2) * about(z, 0.1)
    for sequence in ("ZYX", "zxz", "XYZ")
        @test orientation_from_euler(euler_angles(q, sequence), sequence) ≈ q
    end
    @test rotation_matrix(collect(q)) == R && euler_angles(collect(q), "ZXZ") isa Vec3
end

@testset "an angular velocity has rates of Euler angles, and an orientation Rodrigues parameters" begin
    yaw, pitch, roll = 0.4, 1.1, -2.0
    angles, rates = (yaw, pitch, roll), [0.3, -0.7, 1.1]
    omega = angular_velocity_from_euler_rates(angles, rates, "ZYX")
    @test omega isa Vec3 && omega ≈ [rates[3] * cos(pitch) * cos(yaw) - rates[2] * sin(yaw),
        rates[3] * cos(pitch) * sin(yaw) + rates[2] * cos(yaw), rates[1] - rates[3] * sin(pitch)]
    @test euler_rates(angles, omega, "ZYX") ≈ rates
    q, parameters = orientation((0.48, -0.6, 0.64), 2.2), tan(2.2 / 4) * [0.48, -0.6, 0.64]
    @test mrp(q) ≈ parameters && orientation_from_mrp(parameters) ≈ q
    @test rotation_matrix(orientation_from_mrp(tan((2.2 - 2π) / 4) * [0.48, -0.6, 0.64])) ≈ rotation_matrix(q)
    @test_throws QuatintError euler_rates((0.4, π / 2, 0), omega, "ZYX")
    @test_throws QuatintError orientation_from_mrp((0, NaN, 0))
    @test_throws DimensionMismatch euler_rates(angles, (1, 2), "ZYX")
end

@testset "slerp goes along the shortest arc, evenly" begin
    a, b = orientation((0, 0, 1), 0.2), orientation((0, 0, 1), 1.0)
    @test Quatint.slerp(a, b, 0.25) ≈ orientation((0, 0, 1), 0.4)
    @test Quatint.slerp(a, b, 0) ≈ a && Quatint.slerp(a, b, 2) ≈ orientation((0, 0, 1), 1.8)
    @test angle_between(a, b) ≈ 0.8
    opposite = Quaternion(-b.s, -b.v1, -b.v2, -b.v3) # the same rotation
    @test angle_between(a, opposite) ≈ 0.8 && rotation_matrix(Quatint.slerp(a, opposite, 0.5)) ≈ rotation_matrix(orientation((0, 0, 1), 0.6))
end

@testset "what is no orientation is refused" begin
    @test_throws QuatintError orientation_from_matrix([1 0 0; 0 1 0; 0 0 -1])
    @test_throws DimensionMismatch orientation_from_matrix([1 0; 0 1])
    @test_throws QuatintError orientation_from_euler((0, 0, 0), "XXY")
    @test_throws DimensionMismatch orientation_from_euler((0, 0), "XYZ")
    @test_throws QuatintError rotation_matrix((0, 0, 0, 0))
end
