# The assembly that the tests of every language build. Nothing in it lies along an axis.
function assembly()
    a, b, c, d = [0.1, 0.2, -0.3], [1.3, 0.1, 0.2], [0.4, 1.5, 0.1], [0.2, 0.3, 1.1]
    corners = cat([a c b], [a b d], [b c d], [c a d]; dims = 3)
    known = [0.11 0.012 -0.009; 0.012 0.13 0.007; -0.009 0.007 0.12]
    m = Mass()
    add_point!(m, 0.7, (0.4, -0.3, 0.9))
    add_sphere!(m, 2.5, 0.35, (-0.8, 0.6, 0.2))
    add_ellipsoid!(m, 1.9, (0.3, 0.5, 0.7), (0.2, -0.9, -0.4), (0.5, -0.1, 0.7, 0.5))
    add_box!(m, 3.1, (0.6, 0.9, 1.3), (0.7, 0.8, -0.5), (0.1, 0.7, -0.5, 0.5))
    add_cylinder!(m, 1.3, 0.25, 1.7, (-0.3, -0.4, 1.1), (0.7, 0.5, 0.1, -0.5))
    add_capsule!(m, 0.9, 0.3, 0.8, (0.6, -0.7, 0.3), (0.1, -0.5, 0.7, 0.5))
    add_hemisphere!(m, 1.7, 0.6, (-0.5, 0.3, -0.8), (0.7, -0.1, 0.5, 0.5))
    add_cone!(m, 1.1, 0.4, 1.2, (-0.2, 0.9, 0.5), (0.5, 0.7, 0.5, -0.1))
    add_mesh!(m, 6.4, corners)
    add_inertia!(m, -0.4, -known, (0.5, 0.7, -0.6), (0.5, 0.5, -0.7, 0.1))
end

const ASSEMBLED = [11.600948941891815 0.30560892760832625 1.0400209969838572
    0.30560892760832625 10.07999641799384 1.1330076497875956
    1.0400209969838572 1.1330076497875956 11.69820579132151]

@testset "an assembly has the mass properties of closed formulas" begin
    mass, centre, inertia = mass_properties(assembly())
    @test mass ≈ 15.0656 rtol = 1e-14
    @test centre isa Vec3
    @test centre ≈ [0.07906090696686491, 0.21905798640611726, 0.039709005947323704] rtol = 1e-14
    @test inertia ≈ ASSEMBLED rtol = 1e-14
    @test inertia_about(assembly(), (0.3, -0.2, 0.4)) ≈ [16.202272386666667 1.70047696 -0.1592364
        1.70047696 12.77106938 3.4076544
        -0.1592364 3.4076544 15.079283166666666] rtol = 1e-14
    @test kinetic_energy(Body(inertia; angular_velocity = (0.3, -0.7, 1.1))) ≈ [0.3, -0.7, 1.1]' * ASSEMBLED * [0.3, -0.7, 1.1] / 2
end

@testset "sums of parts add up" begin
    point = add_point!(Mass(), 4, (0.5, -0.25, 2))
    @test point.numbers == [4, 2, -1, 8, 1, 0.25, 16, -0.5, 4, -2, zeros(10)...] && repr(point) == "Mass of 4.0"
    both, one = mass_properties(point + assembly()), mass_properties(add_point!(assembly(), 4, (0.5, -0.25, 2)))
    @test both.mass == one.mass
    @test both.centre ≈ one.centre rtol = 1e-15
    @test both.inertia ≈ one.inertia rtol = 1e-15
    far = add_box!(Mass(), 1, (1, 1, 1), (1e5, 2e5, 3e5)) + add_box!(Mass(), 1, (1, 1, 1), (1e5, 2e5, 3e5 + 1))
    @test mass_properties(far).inertia ≈ [5 0 0; 0 5 0; 0 0 2] / 6 rtol = 4e-14
    again = copy(point)
    @test add_point!(again, 1, (1, 2, 3)) === again && again.numbers != point.numbers && Mass(point.numbers).numbers === point.numbers
    with, without, place = Mass(), Mass(), (0.1, 0.2, -0.3)
    for (m, turn) in ((with, ((1, 0, 0, 0),)), (without, ()))
        add_ellipsoid!(m, 2, (0.4, 0.5, 0.7), place, turn...)
        add_box!(m, 2, (0.4, 0.5, 0.7), place, turn...)
        add_cylinder!(m, 2, 0.3, 1.1, place, turn...)
        add_capsule!(m, 2, 0.3, 1.1, place, turn...)
        add_hemisphere!(m, 2, 0.3, place, turn...)
        add_cone!(m, 2, 0.3, 1.1, place, turn...)
        add_inertia!(m, 2, (1, 2, 2.5), place, turn...)
    end
    @test with.numbers == without.numbers
end

@testset "what cannot be added leaves the sum as it was" begin
    m, place = assembly(), (0.1, 0.2, -0.3)
    @test_throws QuatintError add_point!(m, NaN, place)
    @test_throws DimensionMismatch add_point!(m, 1, (1, 2))
    @test_throws QuatintError add_sphere!(m, 1, -1, place)
    @test_throws QuatintError add_ellipsoid!(m, 1, (1, -2, 3), place)
    @test_throws QuatintError add_box!(m, 1, (1, -2, 3), place)
    @test_throws QuatintError add_cylinder!(m, 1, 1, 1, place, (2, 0, 0, 0))
    @test_throws QuatintError add_capsule!(m, 1, 1, -1, place)
    @test_throws QuatintError add_hemisphere!(m, 1, -1, place)
    @test_throws QuatintError add_cone!(m, 1, 1, -1, place)
    @test_throws QuatintError add_inertia!(m, 1, [1 0.1 0; 0.2 1 0; 0 0 1], place)
    @test_throws QuatintError add_mesh!(m, 1, reshape([0, 0, 0, 1, 0, 0, 0, 1, 0], 3, 3, 1))
    @test_throws DimensionMismatch add_mesh!(m, 1, zeros(3, 3))
    @test add_mesh!(m, 1, zeros(3, 3, 0)).numbers == assembly().numbers
    @test_throws QuatintError mass_properties(Mass())
    @test_throws QuatintError inertia_about(Mass(), place)
    @test_throws DimensionMismatch inertia_about(m, (1, 2))
    @test_throws DimensionMismatch Mass(zeros(10))
end

@testset "the principal axes are those of the tensor" begin
    moments, q = principal_axes(ASSEMBLED)
    R = rotation_matrix(q)
    @test R * Diagonal(collect(moments)) * R' ≈ ASSEMBLED rtol = 1e-14
    @test sort(collect(moments)) ≈ [9.472672911802718, 10.843628033272779, 13.062850206131667] rtol = 1e-14
    @test principal_axes((3, 5, 7)).moments == [3, 5, 7]
    @test_throws QuatintError principal_axes(-ASSEMBLED)
end
