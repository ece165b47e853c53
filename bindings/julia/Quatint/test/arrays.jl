# Every function that takes an array, with arrays of every form: it takes their numbers, or refuses them; never other numbers.
# The functions are those that the module exports, so that a new one without a row here fails.

struct ScalarLast
    v1::Float64
    v2::Float64
    v3::Float64
    s::Float64
end
struct Reversed
    z::Float64
    y::Float64
    x::Float64
end
struct Unnamed
    a::Float64
    b::Float64
    c::Float64
end
struct InSpace
    x::Float64
    y::Float64
    z::Float64
end

const Q4 = [0.5 0.0 0.8; 0.5 0.6 0.0; -0.5 0.8 0.0; 0.5 0.0 0.6]
const V3 = [1.0 -2.0 3.0; 2.0 0.5 1.0; 3.0 4.0 -1.0] .+ 0.25 .* [0 1 2; 1 2 0; 2 0 1]
const TENSOR = [4 0.5 0.2; 0.5 5 0.3; 0.2 0.3 6]
const TETRAHEDRON = (x = [0.0 1 0 0; 0 0 1 0; 0 0 0 1]; cat(x[:, [1, 3, 2]], x[:, [1, 2, 4]], x[:, [1, 4, 3]], x[:, [2, 3, 4]]; dims = 3))

of_three() = set_points!(set_angular_velocities!(set_orientations!(set_inertias!(Ensemble(3), TENSOR), Q4), V3[:, [2, 3, 1]]), 1:3, V3)
alone() = Body((3, 4, 5); orientation = Q4[:, 1], angular_velocity = (0.3, -0.2, 0.5))
moved(thing) = rows(advance!(thing, 0.01, 3))
noisy(thing) = set_method!(thing, :splitting)

# name => (call with the array, its value). A 4×n or 3×n matrix has a column for each body.
const MATRICES = [
    :set_orientations! => (a -> moved(set_orientations!(of_three(), a)), Q4[:, [3, 1, 2]]),
    :set_angular_velocities! => (a -> moved(set_angular_velocities!(of_three(), a)), V3),
    :set_angular_momenta! => (a -> moved(set_angular_momenta!(of_three(), a)), V3),
    :set_principal_inertias! => (a -> moved(set_principal_inertias!(of_three(), a)), V3 .+ 9),
    :set_rotor_momentum! => (a -> moved(set_rotor_momentum!(of_three(), a)), V3),
    :kick! => (a -> moved(kick!(of_three(), 0.1, a)), V3),
    :kick_drift! => (a -> moved(kick_drift!(of_three(), 0.1, 0.1, a)), V3),
    :set_drag! => (a -> moved(set_drag!(of_three(), a)), abs.(V3)),
    :set_drag! => (a -> moved(set_drag!(of_three(), (1, 2, 3); flow = a)), V3),
    :set_langevin! => (a -> moved(set_langevin!(noisy(of_three()), a; kt = 1, seed = 5)), abs.(V3)),
    :set_langevin! => (a -> moved(set_langevin!(noisy(of_three()), (1, 2, 3); kt = 1, seed = 5, flow = a)), V3),
    :set_points! => (a -> point_positions(set_points!(of_three(), [1, 1, 3], a)), V3),
    :point_positions => (a -> point_positions(of_three(); centres = a), V3),
    :point_positions! => (a -> point_positions!(zeros(3, 3), of_three(); centres = a), V3),
    :point_velocities => (a -> point_velocities(of_three(); centre_velocities = a), V3),
    :point_velocities! => (a -> point_velocities!(zeros(3, 3), of_three(); centre_velocities = a), V3),
    :sum_point_forces => (a -> sum_point_forces(of_three(), a).torques, V3),
    :sum_point_forces! => (a -> sum_point_forces!(zeros(3, 3), zeros(3, 3), of_three(), a).torques, V3),
]
# Arrays with a column for each body only.
const COLUMNS = [
    :ConstantTorque => (a -> moved(set_torque!(of_three(), ConstantTorque(a))), V3),
    :UniformFieldTorque => (a -> moved(set_torque!(of_three(), UniformFieldTorque(a, (0, 0, -1)))), V3),
    :LinearDragTorque => (a -> moved(set_torque!(of_three(), LinearDragTorque(a))), abs.(V3)),
    :ShearFlowTorque => (a -> moved(set_torque!(of_three(), ShearFlowTorque(a, 0.1, TENSOR))), abs.(V3)),
    :ShearFlowTorque => (a -> moved(set_torque!(of_three(), ShearFlowTorque((1, 2, 3), 0.1, a))), V3),
    :GravityGradientTorque => (a -> moved(set_torque!(of_three(), GravityGradientTorque((1, 2, 3), a))), [0.1, 0.2, 0.3]),
    :rotate => (a -> rotate(a, [1.0, 2, 3]), Q4),
    :rotate => (a -> rotate(Q4, a), V3),
    :set_inertias! => (a -> moved(set_inertias!(of_three(), a)), cat(TENSOR, 2TENSOR, TENSOR; dims = 3)),
    :set_rows! => (a -> moved(set_rows!(of_three(), a)), moved(of_three())),
    :add_mesh! => (a -> add_mesh!(Mass(), 2.0, a).numbers, TETRAHEDRON),
    :orientation_from_matrix => (a -> collect(orientation_from_matrix(a)), rotation_matrix(Q4[:, 1])),
    :set_inertia! => (a -> moved(set_inertia!(alone(), a)), TENSOR),
    :Body => (a -> moved(Body(a; angular_velocity = (1, 2, 3))), TENSOR),
    :principal_axes => (a -> collect(principal_axes(a).orientation), TENSOR),
    :add_inertia! => (a -> add_inertia!(Mass(), 1.0, a, (1, 2, 3)).numbers, TENSOR),
    :gravity_gradient_torque => (a -> collect(gravity_gradient_torque(Q4[:, 1], a, (1, 2, 3), 0.5)), TENSOR),
    :shear_flow_torque => (a -> collect(shear_flow_torque(Q4[:, 1], (1, 2, 3), shear_flow_resistances((1, 2, 3), 1.0), a)), TENSOR),
    :lock_axes! => (a -> moved(lock_axes!(set_inertias!(of_three(), (1, 2, 3)), a)), nothing),
]
# One vector or quaternion: an array, a tuple, or a value with names.
const VECTORS = [
    :Body => (a -> moved(Body((3, 4, 5); orientation = a)), Q4[:, 1]),
    :Body => (a -> moved(Body((3, 4, 5); angular_velocity = a)), V3[:, 1]),
    :set_state! => (a -> moved(set_state!(alone(), a, (1, 2, 3))), Q4[:, 1]),
    :set_state! => (a -> moved(set_state!(alone(), Q4[:, 1], a)), V3[:, 1]),
    :set_state_body! => (a -> moved(set_state_body!(alone(), a, (1, 2, 3))), Q4[:, 1]),
    :set_state_body! => (a -> moved(set_state_body!(alone(), Q4[:, 1], a)), V3[:, 1]),
    :set_angular_momentum! => (a -> moved(set_angular_momentum!(alone(), a)), V3[:, 1]),
    :set_rotor_momentum! => (a -> moved(set_rotor_momentum!(alone(), a)), V3[:, 1]),
    :set_rotor_torque! => (a -> moved(set_rotor_torque!(alone(), a)), V3[:, 1]),
    :set_inertia! => (a -> moved(set_inertia!(alone(), a)), [3.0, 4, 5]),
    :kick! => (a -> moved(kick!(alone(), 0.1, a)), V3[:, 1]),
    :set_drag! => (a -> moved(set_drag!(alone(), a)), abs.(V3[:, 1])),
    :set_langevin! => (a -> moved(set_langevin!(noisy(alone()), a; kt = 1, seed = 5)), abs.(V3[:, 1])),
    :UniformFieldTorque => (a -> moved(set_torque!(of_three(), UniformFieldTorque((1, 2, 3), a))), V3[:, 1]),
    :GravityGradientTorque => (a -> moved(set_torque!(of_three(), GravityGradientTorque(a, 0.5))), V3[:, 1]),
    :body_torque => (a -> collect(body_torque(Q4[:, 1], a)), V3[:, 1]),
    :uniform_field_torque => (a -> collect(uniform_field_torque(Q4[:, 1], a, (1, 2, 3))), V3[:, 1]),
    :gravity_gradient_torque => (a -> collect(gravity_gradient_torque(Q4[:, 1], (1, 2, 3), a, 0.5)), V3[:, 1]),
    :linear_drag_torque => (a -> collect(linear_drag_torque(Q4[:, 1], a, (1, 2, 3))), V3[:, 1]),
    :shear_flow_torque => (a -> collect(shear_flow_torque(Q4[:, 1], a, shear_flow_resistances((1, 2, 3), 1.0), TENSOR)), V3[:, 1]),
    :shear_flow_resistances => (a -> collect(shear_flow_resistances(a, 1.0)), abs.(V3[:, 1])),
    :rotation_matrix => (rotation_matrix, Q4[:, 1]),
    :euler_angles => (a -> collect(euler_angles(a, "ZXZ")), Q4[:, 1]),
    :orientation_from_euler => (a -> collect(orientation_from_euler(a, "ZXZ")), V3[:, 1]),
    :angular_velocity_from_euler_rates => (a -> collect(angular_velocity_from_euler_rates((1, 2, 3), a, "ZXZ")), V3[:, 1]),
    :euler_rates => (a -> collect(euler_rates((1, 2, 3), a, "ZXZ")), V3[:, 1]),
    :mrp => (a -> collect(mrp(a)), Q4[:, 1]),
    :orientation_from_mrp => (a -> collect(orientation_from_mrp(a)), V3[:, 1]),
    :rotation_vector => (a -> collect(rotation_vector(a)), Q4[:, 1]),
    :orientation_from_rotation_vector => (a -> collect(orientation_from_rotation_vector(a)), V3[:, 1]),
    :axis_angle => (a -> collect(axis_angle(a)[1]), Q4[:, 1]),
    :angle_between => (a -> [angle_between(a, Q4[:, 2])], Q4[:, 1]),
    :add_point! => (a -> add_point!(Mass(), 1.0, a).numbers, V3[:, 1]),
    :add_sphere! => (a -> add_sphere!(Mass(), 1.0, 0.5, a).numbers, V3[:, 1]),
    :add_ellipsoid! => (a -> add_ellipsoid!(Mass(), 1.0, (1, 2, 3), a, Q4[:, 1]).numbers, V3[:, 1]),
    :add_ellipsoid! => (a -> add_ellipsoid!(Mass(), 1.0, (1, 2, 3), (1, 2, 3), a).numbers, Q4[:, 1]),
    :add_box! => (a -> add_box!(Mass(), 1.0, a, (1, 2, 3), Q4[:, 1]).numbers, abs.(V3[:, 1])),
    :add_cylinder! => (a -> add_cylinder!(Mass(), 1.0, 0.5, 2.0, a, Q4[:, 1]).numbers, V3[:, 1]),
    :add_capsule! => (a -> add_capsule!(Mass(), 1.0, 0.5, 2.0, a, Q4[:, 1]).numbers, V3[:, 1]),
    :turn_orientation => (a -> collect(turn_orientation(t -> (0.1, t, 0.3), a, 0, 1, 3)), Q4[:, 1]),
    :turn_by_samples => (a -> collect(turn_by_samples(a, V3, 0.1)), Q4[:, 1]),
    :orientation_rate => (a -> collect(orientation_rate(a, (1, 2, 3))), Q4[:, 1]),
    :orientation_rate => (a -> collect(orientation_rate(Q4[:, 1], a)), V3[:, 1]),
    :add_hemisphere! => (a -> add_hemisphere!(Mass(), 1.0, 0.5, a, Q4[:, 1]).numbers, V3[:, 1]),
    :add_cone! => (a -> add_cone!(Mass(), 1.0, 0.5, 2.0, a, Q4[:, 1]).numbers, V3[:, 1]),
    :inertia_about => (a -> inertia_about(add_sphere!(Mass(), 1.0, 0.5, (1, 2, 3)), a), V3[:, 1]),
]
# Lists of numbers, or of whole numbers: `true` is none of these.
const LISTS = [
    :set_active! => (a -> moved(set_active!(of_three(), a)), [1, 3]),
    :select_bodies! => (a -> moved(select_bodies!(of_three(), a)), [1, 3]),
    :rows => (a -> rows(of_three(), a), [1, 3]),
    :rows! => (a -> rows!(zeros(17, 2), of_three(), a), [1, 3]),
    :set_rows! => (a -> moved(set_rows!(of_three(), rows(of_three())[:, 1:2], a)), [1, 3]),
    :set_points! => (a -> point_positions(set_points!(of_three(), a, V3[:, 1:2])), [1, 3]),
    :bind! => (a -> moved(bind!(of_three(); angular_velocities = zeros(3, 7), rows = a)), [6, 1, 4]),
    :set_ids! => (a -> moved(set_ids!(set_langevin!(noisy(of_three()), (1, 1, 1); kt = 1, seed = 5), a)), [6, 1, 4]),
]
# What takes no array, or has a test of its own below.
const OTHERS = [:Quatint, :Ensemble, :ExactSum, :Mass, :QuatintError, :acting_torque, :active_count, :advance!, :angular_acceleration,
    :angular_momenta, :angular_momentum, :angular_momentum_sums, :angular_velocities, :angular_velocity, :angular_velocity_body,
    :bind_flow_gradients!, :bind_predicted_velocities!, :clock, :degrees_of_freedom, :drift!, :forget_torque!, :ids, :integrate,
    :kinetic_energies, :kinetic_energy, :kinetic_energy_sums, :mass_properties, :method, :noise_draws, :orientation, :orientations,
    :point_count, :record, :release_arrays!, :rotor_momentum, :rotor_torque, :row_size, :scale_angular_momenta!, :set_clock!,
    :set_inertia_function!, :set_method!, :set_noise_draws!, :set_solve_longest_step!, :set_solve_method!,
    :set_solve_most_evaluations!, :set_threads!, :set_time!, :set_torque!, :solve!, :solve_statistics, :solve_until!, :step!,
    :thermalize!, :total_angular_momentum, :total_kinetic_energy, :Event, :Solution, :init, :solve]

same(a, b) = size(a) == size(b) && all(a .=== b)
refused(f) = try
    f()
    false
catch error
    error isa Union{ArgumentError, DimensionMismatch, BoundsError, QuatintError, InexactError, MethodError, TypeError} || rethrow()
    !isempty(sprint(showerror, error))
end

@testset "each function that takes an array has a row here" begin
    here = [first.(MATRICES); first.(COLUMNS); first.(VECTORS); first.(LISTS); OTHERS]
    @test isempty(symdiff(Set(here), Set(names(Quatint))))
end

@testset "an array of numbers is taken in any form or refused" begin
    apart(a) = view(repeat(a; inner = ntuple(_ -> 2, ndims(a))), ntuple(d -> 1:2:2size(a, d), ndims(a))...)
    backwards(a) = view(reverse(a; dims = ndims(a)), ntuple(d -> d == ndims(a) ? (size(a, d):-1:1) : Colon(), ndims(a))...)
    through(a) = PermutedDimsArray(permutedims(a, ndims(a):-1:1), ndims(a):-1:1)
    unshared(a) = view(a, ntuple(d -> collect(1:size(a, d)), ndims(a))...) # not strided
    for (name, (call, value)) in [MATRICES; COLUMNS]
        value === nothing && continue
        expected = call(value)
        for form in (apart, backwards, through, unshared, a -> big.(a), a -> Array{Any}(a))
            @test same(call(form(value)), expected) || name
        end
        for form in (a -> fill('a', size(a)), a -> string.(a), a -> a .+ im, a -> Array{Union{Missing, Float64}}(missing, size(a)), a -> fill(nothing, size(a)))
            @test refused(() -> call(form(value))) || name
        end
        name in (:rotate, :add_mesh!) || @test refused(() -> call(cat(value, value; dims = ndims(value)))) || name # they take any number
    end
    for (name, (call, value)) in MATRICES # also by rows, and a vector of values
        k = size(value, 1)
        expected, columns = call(value), [value[:, i] for i in 1:3]
        values = Any[[Tuple(c) for c in columns], columns, reinterpret(NTuple{k, Float64}, vec(value))]
        k == 3 && push!(values, [Vec3(c) for c in columns], [(x = x, y = y, z = z) for (x, y, z) in columns],
            [(z = z, y = y, x = x) for (x, y, z) in columns], [Reversed(z, y, x) for (x, y, z) in columns], [InSpace(c...) for c in columns])
        k == 4 && push!(values, [Quaternion(c) for c in columns], [ScalarLast(x, y, z, w) for (w, x, y, z) in columns],
            [(x = x, y = y, z = z, w = w) for (w, x, y, z) in columns], permutedims(value))
        for form in values
            @test same(call(form), expected) || (name, typeof(form))
        end
        @test refused(() -> call([Unnamed(1, 2, 3) for _ in 1:3]))
    end
end

@testset "one vector is taken in any form or refused" begin
    for (name, (call, value)) in VECTORS
        expected = call(value)
        k = length(value)
        named = k == 3 ? [(z = value[3], y = value[2], x = value[1]), Reversed(value[3], value[2], value[1])] :
            [(x = value[2], y = value[3], z = value[4], w = value[1]), ScalarLast(value[2], value[3], value[4], value[1])]
        for form in [Any[Tuple(value), view([0; value; 0], 2:k + 1), view(reverse(value), k:-1:1), big.(value), Any[value...]]; named]
            @test same(call(form), expected) || (name, typeof(form))
        end
        for form in (fill('a', k), "abcd"[1:k], value .+ im, value[1:end - 1], [value; 1], fill(missing, k), fill(nothing, k), fill("1", k))
            @test refused(() -> call(form)) || (name, form)
        end
        @test refused(() -> call(Unnamed(1, 2, 3))) || name
    end
end

@testset "a list of whole numbers is taken in any form or refused" begin
    for (name, (call, list)) in LISTS
        expected = call(list)
        for form in (Int8.(list), UInt.(list), big.(list), view([list; 9], 1:length(list)), Tuple(list), (i for i in list))
            @test same(call(form), expected) || (name, typeof(form))
        end
        for form in (list .+ 0.5, Any[true; list[2:end]], fill('a', length(list)), string.(list), fill(missing, length(list)), [0; list[2:end]] .- 1)
            @test refused(() -> call(form)) || (name, form)
        end
        length(list) == 2 && @test same(call([true, false, true]), expected) && refused(() -> call([true, false])) || name
        length(list) == 3 && @test refused(() -> call([true, false, true])) || name
    end
    e = Ensemble(3)
    @test refused(() -> set_ids!(e, [7, 2, 7])) && ids(e) == 0:2
    for call in (n -> Ensemble(n), n -> advance!(Ensemble(1), 0.1, n), n -> resize!(Ensemble(1), n), n -> set_threads!(Ensemble(1), n),
            n -> advance!(alone(), 0.1, n), n -> record(alone(), 0.1, n))
        @test_throws ArgumentError call(true)
    end
    @test Float64(append!(ExactSum(), view([1.0, 9, 2], 1:2:3))) == 3 && refused(() -> append!(ExactSum(), ['a', 'b'])) && refused(() -> append!(ExactSum(), "ab"))
    @test refused(() -> solve!(alone(), ['a', 'b']; tolerance = 1e-6))
end

@testset "an array is bound as the setters read it, or refused" begin
    q, ω = Q4, V3
    orders = ((fill(ScalarLast(0, 0, 0, 1), 3), c -> ScalarLast(c[2], c[3], c[4], c[1])), (fill((x = 0.0, y = 0.0, z = 0.0, w = 1.0), 3), c -> (x = c[2], y = c[3], z = c[4], w = c[1])),
        (fill(Quaternion(1, 0, 0, 0), 3), Quaternion), (fill((0.0, 0.0, 0.0, 0.0), 3), Tuple))
    for (a, of) in orders
        for (form, scalar) in ((identity, nothing), (a -> [(q = x, t = 0.0) for x in a] => :q, nothing),
                (identity, a[1] isa Union{Quaternion, Tuple} ? :first : :last))
            a .= [of(q[:, i]) for i in 1:3]
            array = form(a)
            bound, set = bind!(Ensemble(3); orientations = array, scalar = scalar), set_orientations!(Ensemble(3), copy(a))
            @test orientations(bound) == orientations(set) ≈ q
            @test same(moved(set_angular_velocities!(bound, ω)), moved(set_angular_velocities!(set, ω)))
        end
        a[1] isa Tuple || @test_throws ArgumentError bind!(Ensemble(3); orientations = a, scalar = a[1] isa Quaternion ? :last : :first)
    end
    @test angular_velocities(bind!(Ensemble(3); angular_velocities = [InSpace(c...) for c in eachcol(ω)])) == ω
    for wrong in ([Reversed(c...) for c in eachcol(ω)], [(z = 1.0, y = 2.0, x = 3.0) for _ in 1:3], [Unnamed(c...) for c in eachcol(ω)],
            fill('a', 3, 3), ones(Int, 3, 3), ones(Float32, 3, 3), big.(ω), ω .+ im, 1.0:3.0, Any[1.0, 2.0, 3.0], [[1.0, 2, 3] for _ in 1:3])
        e = Ensemble(3)
        @test_throws ArgumentError bind!(e; angular_velocities = wrong)
        @test_throws ArgumentError bind_predicted_velocities!(e, wrong, 0.1)
        @test_throws ArgumentError point_positions!(wrong, of_three())
    end
    for wrong in (ones(Float32, 3, 3, 3), fill('a', 9, 3), ones(Int, 9, 3), view(ones(18, 3), 1:2:17, :))
        @test refused(() -> bind_flow_gradients!(of_three(), wrong))
    end
end

@testset "nothing of a chunk can be read or written after the call" begin
    kept, e = Any[], set_angular_velocities!(Ensemble(64), (1, 2, 3))
    parts = (identity, a -> view(a, :, 1), a -> view(a, 1:2:7, :), a -> view(view(a, :, 2), 3:5), a -> vec(a), a -> reshape(a, 3, :),
        a -> a', a -> view(a', 1, :), a -> view(view(a, :, 1)', 1, :), transpose, a -> PermutedDimsArray(a, (2, 1)),
        a -> view(PermutedDimsArray(a, (2, 1)), 1, :), a -> view(a, [1, 5, 9], :), a -> view(a, a .> 1.5), a -> view(a, 5), a -> view(a, 2, 3),
        a -> view(reshape(a, 3, :), 1, :), a -> first(eachrow(a)), a -> first(eachcol(a)), a -> selectdim(a, 2, 1))
    during = Any[]
    set_torque!(e, (τ, t, bodies, q, ω) -> begin
        isempty(kept) && append!(during, Any[collect(part(ω)) for part in parts])
        isempty(kept) && append!(kept, Any[part(a) for part in parts for a in (ω, τ) if length(part(a)) > 0])
        view(τ, :, 1) .= view(ω, :, 2) .+ view(q, :, 4)
        nothing
    end)
    step!(e, 0.1)
    own = [Float64(i) for i in 1:3] .* ones(3, 64)
    expected = permutedims(own)
    for (part, numbers) in zip(parts, during)
        @test collect(part(expected)) == numbers
    end
    after(f) = try
        f()
        false
    catch error
        error isa ArgumentError && occursin("valid only during its call", error.msg)
    end
    function overwrite(array)
        @inbounds for i in eachindex(array)
            array[i] = 1
        end
    end
    for array in kept
        @test after(() -> first(array)) && after(() -> sum(array)) && after(() -> collect(array)) && after(() -> fill!(array, 4e300))
        @test after(() -> overwrite(array))
        @test occursin("of a torque function", sprint(show, array)) || occursin("Adjoint", sprint(show, typeof(array)))
    end
    close(e)
    @test all(array -> after(() -> first(array)), kept)
end
