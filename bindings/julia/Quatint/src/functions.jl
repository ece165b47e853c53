# The constants and functions of quatint.h, one to one. `make bindings` writes them from the header; a test compares them. Each
# function becomes a Julia function of the same name. It calls the library through a pointer that `__init__` looks up, so that
# the library can be chosen at run time.

macro functions(block)
    definitions = Expr(:block)
    names = Symbol[]
    for line in block.args
        line isa Expr || continue
        call, result = line.args
        name = call.args[1]
        arguments = [argument.args[1] for argument in call.args[2:end]]
        types = Expr(:tuple, (argument.args[2] for argument in call.args[2:end])...)
        pointer = Symbol(name, "_pointer")
        push!(names, name)
        push!(definitions.args, quote
            const $pointer = Ref{Ptr{Cvoid}}(C_NULL)
            @inline $name($(arguments...)) = ccall($pointer[], $result, $types, $(arguments...))
        end)
    end
    push!(definitions.args, :(const FUNCTIONS = $(Tuple(names))))
    push!(definitions.args, :(const POINTERS = $(Expr(:tuple, (Symbol(name, "_pointer") for name in names)...))))
    esc(definitions)
end

# ---- `make bindings` writes these lines from include/quatint.h: do not edit
const QI_VERSION_MAJOR = Int32(0)
const QI_VERSION_MINOR = Int32(2)
const QI_VERSION_PATCH = Int32(0)
const QI_OK = Int32(0)
const QI_NEED_TORQUE = Int32(1)
const QI_EVENT = Int32(2)
const QI_ERR_NULL = Int32(-1)
const QI_ERR_MISALIGNED = Int32(-2)
const QI_ERR_INVALID = Int32(-3)
const QI_ERR_NON_FINITE = Int32(-4)
const QI_ERR_INERTIA = Int32(-5)
const QI_ERR_ORIENTATION = Int32(-6)
const QI_ERR_CALLBACK = Int32(-7)
const QI_ERR_CAPACITY = Int32(-8)
const QI_ERR_BUSY = Int32(-9)
const QI_ERR_MEMORY = Int32(-10)
const QI_ERR_PANIC = Int32(-11)
const QI_ERR_ORDER = Int32(-12)
const QI_ERR_STEP = Int32(-13)
const QI_MASS_SIZE = Int32(20)
const QI_METHOD_PCDM = Int32(0)
const QI_METHOD_SPLITTING = Int32(1)
const QI_METHOD_SPLITTING_4 = Int32(2)
const QI_METHOD_CF4 = Int32(3)
const QI_METHOD_SPLITTING_6 = Int32(4)
const QI_METHOD_FORCE_GRADIENT = Int32(5)
const QI_METHOD_BROWNIAN = Int32(6)
const QI_FRAME_WORLD = Int32(0)
const QI_FRAME_BODY = Int32(1)
const QI_KEEP_ANGULAR_VELOCITY = Int32(0)
const QI_KEEP_ANGULAR_MOMENTUM = Int32(1)
const QI_AXIS_X = Int32(1)
const QI_AXIS_Y = Int32(2)
const QI_AXIS_Z = Int32(4)
const QI_RISING = Int32(1)
const QI_FALLING = Int32(-1)
const QI_ANY_CROSSING = Int32(0)
const QI_SOLVE_NONSTIFF = Int32(0)
const QI_SOLVE_STIFF = Int32(1)
const QI_SOLVE_SPLITTING = Int32(2)
const QI_MAX_THREADS = Int32(1024)
const QI_LAYOUT_AOS = Int32(0)
const QI_LAYOUT_SOA = Int32(1)
const QI_SCALAR_FIRST = Int32(0)
const QI_SCALAR_LAST = Int32(1)
const QI_OMEGA_WORLD = Int32(0)
const QI_OMEGA_BODY = Int32(1)
const QI_ANGMOM_WORLD = Int32(2)
const QI_ANGMOM_BODY = Int32(3)
const QI_PART_STATE = Int32(1)
const QI_PART_INERTIA = Int32(2)
const QI_PART_TORQUE = Int32(4)
const QI_PART_MEMORY = Int32(8)
const QI_PART_ID = Int32(16)
const QI_PART_BOUND = Int32(32)
const QI_SUM_SIZE = Int32(68)

@functions begin
    qi_version_number()::UInt32
    qi_version_string()::Cstring
    qi_status_name(status::Int32)::Cstring
    qi_status_message(status::Int32)::Cstring
    qi_last_error()::Cstring
    qi_last_error_cause()::Cstring
    qi_last_error_body()::Csize_t
    qi_rotate(orientation::Ptr{Cdouble}, v_body::Ptr{Cdouble}, v_world::Ptr{Cdouble})::Int32
    qi_rotate_inverse(orientation::Ptr{Cdouble}, v_world::Ptr{Cdouble}, v_body::Ptr{Cdouble})::Int32
    qi_orientation_from_axis_angle(axis::Ptr{Cdouble}, angle::Cdouble, orientation::Ptr{Cdouble})::Int32
    qi_orientation_to_axis_angle(orientation::Ptr{Cdouble}, axis::Ptr{Cdouble}, angle::Ptr{Cdouble})::Int32
    qi_orientation_from_rotation_vector(rotation_vector::Ptr{Cdouble}, orientation::Ptr{Cdouble})::Int32
    qi_orientation_to_rotation_vector(orientation::Ptr{Cdouble}, rotation_vector::Ptr{Cdouble})::Int32
    qi_orientation_from_matrix(matrix::Ptr{Cdouble}, orientation::Ptr{Cdouble})::Int32
    qi_orientation_to_matrix(orientation::Ptr{Cdouble}, matrix::Ptr{Cdouble})::Int32
    qi_orientation_from_euler(angles::Ptr{Cdouble}, sequence::Cstring, orientation::Ptr{Cdouble})::Int32
    qi_orientation_to_euler(orientation::Ptr{Cdouble}, sequence::Cstring, angles::Ptr{Cdouble})::Int32
    qi_orientation_product(a::Ptr{Cdouble}, b::Ptr{Cdouble}, product::Ptr{Cdouble})::Int32
    qi_orientation_inverse(orientation::Ptr{Cdouble}, inverse::Ptr{Cdouble})::Int32
    qi_orientation_slerp(a::Ptr{Cdouble}, b::Ptr{Cdouble}, t::Cdouble, orientation::Ptr{Cdouble})::Int32
    qi_orientation_angle(a::Ptr{Cdouble}, b::Ptr{Cdouble}, angle::Ptr{Cdouble})::Int32
    qi_angular_velocity_from_euler_rates(angles::Ptr{Cdouble}, rates::Ptr{Cdouble}, sequence::Cstring,
        angular_velocity::Ptr{Cdouble})::Int32
    qi_angular_velocity_to_euler_rates(angles::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, sequence::Cstring,
        rates::Ptr{Cdouble})::Int32
    qi_orientation_from_mrp(parameters::Ptr{Cdouble}, orientation::Ptr{Cdouble})::Int32
    qi_orientation_to_mrp(orientation::Ptr{Cdouble}, parameters::Ptr{Cdouble})::Int32
    qi_turn_orientation(orientation::Ptr{Cdouble}, start::Cdouble, end_time::Cdouble, steps::Csize_t, rate::Ptr{Cvoid},
        frame::Int32, user_data::Ptr{Cvoid})::Int32
    qi_turn_by_samples(orientation::Ptr{Cdouble}, samples::Csize_t, angular_velocities::Ptr{Cdouble},
        sample_stride::Cptrdiff_t, dt::Cdouble, frame::Int32)::Int32
    qi_orientation_rate(orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, rate::Ptr{Cdouble})::Int32
    qi_add_point_mass(mass::Cdouble, position::Ptr{Cdouble}, sum::Ptr{Cdouble})::Int32
    qi_add_sphere_mass(mass::Cdouble, radius::Cdouble, position::Ptr{Cdouble}, sum::Ptr{Cdouble})::Int32
    qi_add_ellipsoid_mass(mass::Cdouble, semi_axes::Ptr{Cdouble}, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_box_mass(mass::Cdouble, edges::Ptr{Cdouble}, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_cylinder_mass(mass::Cdouble, radius::Cdouble, length::Cdouble, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_capsule_mass(mass::Cdouble, radius::Cdouble, length::Cdouble, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_hemisphere_mass(mass::Cdouble, radius::Cdouble, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_cone_mass(mass::Cdouble, radius::Cdouble, height::Cdouble, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_add_mesh_mass(density::Cdouble, triangles::Csize_t, corners::Ptr{Cdouble}, sum::Ptr{Cdouble})::Int32
    qi_add_inertia_mass(mass::Cdouble, inertia::Ptr{Cdouble}, position::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        sum::Ptr{Cdouble})::Int32
    qi_get_mass_properties(sum::Ptr{Cdouble}, mass::Ptr{Cdouble}, centre::Ptr{Cdouble}, inertia::Ptr{Cdouble})::Int32
    qi_get_inertia_about(sum::Ptr{Cdouble}, point::Ptr{Cdouble}, inertia::Ptr{Cdouble})::Int32
    qi_get_principal_axes(inertia::Ptr{Cdouble}, moments::Ptr{Cdouble}, orientation::Ptr{Cdouble})::Int32
    qi_create_body(inertia::Ptr{Cdouble}, orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble},
        status::Ptr{Int32})::Ptr{Cvoid}
    qi_destroy_body(body::Ptr{Cvoid})::Cvoid
    qi_forget_torque(body::Ptr{Cvoid})::Int32
    qi_get_torque(body::Ptr{Cvoid}, torque::Ptr{Cdouble})::Int32
    qi_get_angular_acceleration(body::Ptr{Cvoid}, angular_acceleration::Ptr{Cdouble})::Int32
    qi_set_method(body::Ptr{Cvoid}, method::Int32)::Int32
    qi_get_method(body::Ptr{Cvoid}, method::Ptr{Int32})::Int32
    qi_step(body::Ptr{Cvoid}, dt::Cdouble)::Int32
    qi_advance(body::Ptr{Cvoid}, dt::Cdouble, steps::UInt64, completed::Ptr{UInt64})::Int32
    qi_record(body::Ptr{Cvoid}, dt::Cdouble, steps::UInt64, every::UInt64, records::Ptr{Cdouble}, capacity::Csize_t,
        written::Ptr{Csize_t})::Int32
    qi_get_orientation(body::Ptr{Cvoid}, orientation::Ptr{Cdouble})::Int32
    qi_get_angular_velocity(body::Ptr{Cvoid}, angular_velocity::Ptr{Cdouble})::Int32
    qi_get_angular_velocity_body(body::Ptr{Cvoid}, angular_velocity::Ptr{Cdouble})::Int32
    qi_set_state(body::Ptr{Cvoid}, orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble})::Int32
    qi_set_angular_momentum(body::Ptr{Cvoid}, angular_momentum::Ptr{Cdouble})::Int32
    qi_set_state_body(body::Ptr{Cvoid}, orientation::Ptr{Cdouble}, angular_velocity_body::Ptr{Cdouble})::Int32
    qi_get_time(body::Ptr{Cvoid}, time::Ptr{Cdouble})::Int32
    qi_set_time(body::Ptr{Cvoid}, time::Cdouble)::Int32
    qi_get_angular_momentum(body::Ptr{Cvoid}, angular_momentum::Ptr{Cdouble})::Int32
    qi_get_kinetic_energy(body::Ptr{Cvoid}, energy::Ptr{Cdouble})::Int32
    qi_integrate(inertia::Ptr{Cdouble}, orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, time::Cdouble, dt::Cdouble,
        steps::UInt64, torque::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    qi_set_torque(body::Ptr{Cvoid}, torque::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    qi_set_constant_torque(body::Ptr{Cvoid}, torque::Ptr{Cdouble}, frame::Int32)::Int32
    qi_set_uniform_field_torque(body::Ptr{Cvoid}, vector_body::Ptr{Cdouble}, field_world::Ptr{Cdouble})::Int32
    qi_set_gravity_gradient_torque(body::Ptr{Cvoid}, direction_world::Ptr{Cdouble}, gradient::Cdouble)::Int32
    qi_set_linear_drag_torque(body::Ptr{Cvoid}, coefficients::Ptr{Cdouble})::Int32
    qi_set_shear_flow_torque(body::Ptr{Cvoid}, semi_axes::Ptr{Cdouble}, viscosity::Cdouble,
        velocity_gradient::Ptr{Cdouble})::Int32
    qi_get_callback_result(body::Ptr{Cvoid})::Int32
    qi_set_inertia(body::Ptr{Cvoid}, inertia::Ptr{Cdouble}, keep::Int32)::Int32
    qi_set_inertia_function(body::Ptr{Cvoid}, inertia::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    qi_set_locked_axes(body::Ptr{Cvoid}, axes::Int32)::Int32
    qi_set_ensemble_locked_axes(ensemble::Ptr{Cvoid}, axes::Ptr{Int32}, stride::Cptrdiff_t)::Int32
    qi_solve(body::Ptr{Cvoid}, end_time::Cdouble, tolerance::Cdouble, evaluations::Ptr{UInt64})::Int32
    qi_solve_record(body::Ptr{Cvoid}, times::Ptr{Cdouble}, count::Csize_t, tolerance::Cdouble, records::Ptr{Cdouble},
        written::Ptr{Csize_t})::Int32
    qi_solve_monitored(body::Ptr{Cvoid}, times::Ptr{Cdouble}, count::Csize_t, tolerance::Cdouble, records::Ptr{Cdouble},
        written::Ptr{Csize_t}, every::UInt64, monitor::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    qi_solve_until(body::Ptr{Cvoid}, end_time::Cdouble, tolerance::Cdouble, event::Ptr{Cvoid}, direction::Int32,
        user_data::Ptr{Cvoid})::Int32
    qi_set_solve_longest_step(body::Ptr{Cvoid}, longest::Cdouble)::Int32
    qi_set_solve_most_evaluations(body::Ptr{Cvoid}, most::UInt64)::Int32
    qi_set_solve_method(body::Ptr{Cvoid}, method::Int32)::Int32
    qi_get_solve_statistics(body::Ptr{Cvoid}, evaluations::Ptr{UInt64}, accepted::Ptr{UInt64}, rejected::Ptr{UInt64})::Int32
    qi_create_ensemble(count::Csize_t, status::Ptr{Int32})::Ptr{Cvoid}
    qi_destroy_ensemble(ensemble::Ptr{Cvoid})::Cvoid
    qi_get_ensemble_count(ensemble::Ptr{Cvoid})::Csize_t
    qi_get_ensemble_time(ensemble::Ptr{Cvoid}, time::Ptr{Cdouble})::Int32
    qi_set_ensemble_time(ensemble::Ptr{Cvoid}, time::Cdouble)::Int32
    qi_set_ensemble_method(ensemble::Ptr{Cvoid}, method::Int32)::Int32
    qi_get_ensemble_method(ensemble::Ptr{Cvoid}, method::Ptr{Int32})::Int32
    qi_forget_ensemble_torques(ensemble::Ptr{Cvoid})::Int32
    qi_set_ensemble_active(ensemble::Ptr{Cvoid}, indices::Ptr{Csize_t}, count::Csize_t)::Int32
    qi_get_ensemble_active_count(ensemble::Ptr{Cvoid}, count::Ptr{Csize_t})::Int32
    qi_set_ensemble_threads(ensemble::Ptr{Cvoid}, threads::Csize_t)::Int32
    qi_step_ensemble(ensemble::Ptr{Cvoid}, dt::Cdouble)::Int32
    qi_advance_ensemble(ensemble::Ptr{Cvoid}, dt::Cdouble, steps::UInt64, completed::Ptr{UInt64})::Int32
    qi_get_ensemble_callback_result(ensemble::Ptr{Cvoid})::Int32
    qi_set_ensemble_torque(ensemble::Ptr{Cvoid}, torque::Ptr{Cvoid}, layout::Int32, frame::Int32, user_data::Ptr{Cvoid})::Int32
    qi_set_ensemble_constant_torque(ensemble::Ptr{Cvoid}, torques::Ptr{Cdouble}, body_stride::Cptrdiff_t, frame::Int32)::Int32
    qi_set_ensemble_uniform_field_torque(ensemble::Ptr{Cvoid}, vectors_body::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        field_world::Ptr{Cdouble})::Int32
    qi_set_ensemble_gravity_gradient_torque(ensemble::Ptr{Cvoid}, direction_world::Ptr{Cdouble}, gradients::Ptr{Cdouble},
        body_stride::Cptrdiff_t)::Int32
    qi_set_ensemble_linear_drag_torque(ensemble::Ptr{Cvoid}, coefficients::Ptr{Cdouble}, body_stride::Cptrdiff_t)::Int32
    qi_set_ensemble_shear_flow_torque(ensemble::Ptr{Cvoid}, semi_axes::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        viscosity::Cdouble, velocity_gradient::Ptr{Cdouble})::Int32
    qi_bind_flow_gradients(ensemble::Ptr{Cvoid}, gradients::Ptr{Cdouble}, body_stride::Cptrdiff_t, row_stride::Cptrdiff_t,
        column_stride::Cptrdiff_t)::Int32
    qi_set_inertias(ensemble::Ptr{Cvoid}, inertia::Ptr{Cdouble}, body_stride::Cptrdiff_t)::Int32
    qi_set_principal_inertias(ensemble::Ptr{Cvoid}, moments::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_set_orientations(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t, component_stride::Cptrdiff_t)::Int32
    qi_get_orientations(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t, component_stride::Cptrdiff_t)::Int32
    qi_set_angular_velocities(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_set_angular_momenta(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_get_angular_velocities(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_get_kinetic_energies(ensemble::Ptr{Cvoid}, energy::Ptr{Cdouble}, body_stride::Cptrdiff_t)::Int32
    qi_get_angular_momenta(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_get_total_kinetic_energy(ensemble::Ptr{Cvoid}, energy::Ptr{Cdouble})::Int32
    qi_get_total_angular_momentum(ensemble::Ptr{Cvoid}, angular_momentum::Ptr{Cdouble})::Int32
    qi_bind_orientations(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t, component_stride::Cptrdiff_t,
        order::Int32)::Int32
    qi_bind_angular_velocities(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t, component_stride::Cptrdiff_t,
        kind::Int32)::Int32
    qi_bind_orientation_rows(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t, component_stride::Cptrdiff_t,
        order::Int32, rows::Ptr{Int32})::Int32
    qi_bind_angular_velocity_rows(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t, kind::Int32, rows::Ptr{Int32})::Int32
    qi_get_ensemble_row_size(ensemble::Ptr{Cvoid}, parts::Int32)::Csize_t
    qi_get_ensemble_rows(ensemble::Ptr{Cvoid}, parts::Int32, bodies::Ptr{Csize_t}, count::Csize_t, rows::Ptr{Cdouble})::Int32
    qi_set_ensemble_rows(ensemble::Ptr{Cvoid}, parts::Int32, bodies::Ptr{Csize_t}, count::Csize_t, rows::Ptr{Cdouble})::Int32
    qi_get_body_row_size(body::Ptr{Cvoid}, parts::Int32)::Csize_t
    qi_get_body_row(body::Ptr{Cvoid}, parts::Int32, row::Ptr{Cdouble})::Int32
    qi_set_body_row(body::Ptr{Cvoid}, parts::Int32, row::Ptr{Cdouble})::Int32
    qi_get_clock(body::Ptr{Cvoid}, clock::Ptr{Cdouble})::Int32
    qi_set_clock(body::Ptr{Cvoid}, clock::Ptr{Cdouble})::Int32
    qi_get_ensemble_clock(ensemble::Ptr{Cvoid}, clock::Ptr{Cdouble})::Int32
    qi_set_ensemble_clock(ensemble::Ptr{Cvoid}, clock::Ptr{Cdouble})::Int32
    qi_resize_ensemble(ensemble::Ptr{Cvoid}, count::Csize_t)::Int32
    qi_select_bodies(ensemble::Ptr{Cvoid}, from::Ptr{Csize_t}, count::Csize_t)::Int32
    qi_release_arrays(ensemble::Ptr{Cvoid})::Int32
    qi_get_kinetic_energy_sums(ensemble::Ptr{Cvoid}, sums::Ptr{Int64})::Int32
    qi_get_angular_momentum_sums(ensemble::Ptr{Cvoid}, sums::Ptr{Int64})::Int32
    qi_add_to_sum(sum::Ptr{Int64}, values::Ptr{Cdouble}, count::Csize_t)::Int32
    qi_get_sum(sum::Ptr{Int64}, value::Ptr{Cdouble})::Int32
    qi_begin_ensemble_step(ensemble::Ptr{Cvoid}, dt::Cdouble)::Int32
    qi_begin_ensemble_steps(ensemble::Ptr{Cvoid}, dt::Cdouble, steps::UInt64)::Int32
    qi_set_ensemble_stage_layout(ensemble::Ptr{Cvoid}, layout::Int32)::Int32
    qi_get_ensemble_stage_layout(ensemble::Ptr{Cvoid}, layout::Ptr{Int32})::Int32
    qi_next_ensemble_stage(ensemble::Ptr{Cvoid}, time::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        angular_velocity::Ptr{Cdouble})::Int32
    qi_supply_ensemble_torque(ensemble::Ptr{Cvoid}, torque::Ptr{Cdouble})::Int32
    qi_continue_ensemble_step(ensemble::Ptr{Cvoid}, torque::Ptr{Cdouble}, time::Ptr{Cdouble}, orientation::Ptr{Cdouble},
        angular_velocity::Ptr{Cdouble})::Int32
    qi_cancel_ensemble_step(ensemble::Ptr{Cvoid})::Int32
    qi_kick(body::Ptr{Cvoid}, duration::Cdouble, torque::Ptr{Cdouble}, frame::Int32)::Int32
    qi_drift(body::Ptr{Cvoid}, duration::Cdouble)::Int32
    qi_kick_ensemble(ensemble::Ptr{Cvoid}, duration::Cdouble, torque::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t, frame::Int32)::Int32
    qi_drift_ensemble(ensemble::Ptr{Cvoid}, duration::Cdouble)::Int32
    qi_kick_drift_ensemble(ensemble::Ptr{Cvoid}, kick::Cdouble, drift::Cdouble, torque::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t, frame::Int32)::Int32
    qi_bind_predicted_velocities(ensemble::Ptr{Cvoid}, data::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t, ahead::Cdouble)::Int32
    qi_set_drag(body::Ptr{Cvoid}, coefficients::Ptr{Cdouble}, flow::Ptr{Cdouble})::Int32
    qi_set_ensemble_drag(ensemble::Ptr{Cvoid}, coefficients::Ptr{Cdouble}, coefficient_stride::Cptrdiff_t, flow::Ptr{Cdouble},
        flow_stride::Cptrdiff_t)::Int32
    qi_set_rotor_momentum(body::Ptr{Cvoid}, momentum::Ptr{Cdouble})::Int32
    qi_get_rotor_momentum(body::Ptr{Cvoid}, momentum::Ptr{Cdouble})::Int32
    qi_set_rotor_torque(body::Ptr{Cvoid}, torque_body::Ptr{Cdouble})::Int32
    qi_get_rotor_torque(body::Ptr{Cvoid}, torque_body::Ptr{Cdouble})::Int32
    qi_set_ensemble_rotor_momentum(ensemble::Ptr{Cvoid}, rotor::Ptr{Cdouble}, body_stride::Cptrdiff_t)::Int32
    qi_set_points(ensemble::Ptr{Cvoid}, count::Csize_t, bodies::Ptr{Csize_t}, arms::Ptr{Cdouble}, point_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_get_point_count(ensemble::Ptr{Cvoid}, count::Ptr{Csize_t})::Int32
    qi_get_point_positions(ensemble::Ptr{Cvoid}, centres::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        centre_component_stride::Cptrdiff_t, positions::Ptr{Cdouble}, point_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_get_point_velocities(ensemble::Ptr{Cvoid}, predicted::Int32, centre_velocities::Ptr{Cdouble}, body_stride::Cptrdiff_t,
        centre_component_stride::Cptrdiff_t, velocities::Ptr{Cdouble}, point_stride::Cptrdiff_t,
        component_stride::Cptrdiff_t)::Int32
    qi_sum_point_forces(ensemble::Ptr{Cvoid}, forces::Ptr{Cdouble}, point_stride::Cptrdiff_t, component_stride::Cptrdiff_t,
        body_forces::Ptr{Cdouble}, force_body_stride::Cptrdiff_t, force_component_stride::Cptrdiff_t,
        body_torques::Ptr{Cdouble}, torque_body_stride::Cptrdiff_t, torque_component_stride::Cptrdiff_t)::Int32
    qi_add_body_torque(orientation::Ptr{Cdouble}, torque_body::Ptr{Cdouble}, torque::Ptr{Cdouble})::Int32
    qi_add_uniform_field_torque(orientation::Ptr{Cdouble}, vector_body::Ptr{Cdouble}, field_world::Ptr{Cdouble},
        torque::Ptr{Cdouble})::Int32
    qi_add_gravity_gradient_torque(orientation::Ptr{Cdouble}, inertia::Ptr{Cdouble}, direction_world::Ptr{Cdouble},
        gradient::Cdouble, torque::Ptr{Cdouble})::Int32
    qi_add_linear_drag_torque(orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, coefficients::Ptr{Cdouble},
        flow::Ptr{Cdouble}, torque::Ptr{Cdouble})::Int32
    qi_get_shear_flow_resistances(semi_axes::Ptr{Cdouble}, viscosity::Cdouble, resistances::Ptr{Cdouble})::Int32
    qi_add_shear_flow_torque(orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, resistances::Ptr{Cdouble},
        velocity_gradient::Ptr{Cdouble}, torque::Ptr{Cdouble})::Int32
    qi_set_langevin(body::Ptr{Cvoid}, coefficients::Ptr{Cdouble}, flow::Ptr{Cdouble}, kt::Cdouble, seed::UInt64,
        id::UInt64)::Int32
    qi_get_noise(body::Ptr{Cvoid}, draws::Ptr{UInt64})::Int32
    qi_set_noise(body::Ptr{Cvoid}, draws::UInt64)::Int32
    qi_thermalize(body::Ptr{Cvoid}, duration::Cdouble)::Int32
    qi_set_ensemble_langevin(ensemble::Ptr{Cvoid}, coefficients::Ptr{Cdouble}, coefficient_stride::Cptrdiff_t,
        flow::Ptr{Cdouble}, flow_stride::Cptrdiff_t, kt::Cdouble, seed::UInt64)::Int32
    qi_set_ensemble_ids(ensemble::Ptr{Cvoid}, ids::Ptr{UInt64})::Int32
    qi_get_ensemble_noise(ensemble::Ptr{Cvoid}, draws::Ptr{UInt64})::Int32
    qi_set_ensemble_noise(ensemble::Ptr{Cvoid}, draws::UInt64)::Int32
    qi_thermalize_ensemble(ensemble::Ptr{Cvoid}, duration::Cdouble)::Int32
    qi_scale_angular_momenta(ensemble::Ptr{Cvoid}, factor::Cdouble)::Int32
    qi_get_ensemble_degrees_of_freedom(ensemble::Ptr{Cvoid}, degrees::Ptr{UInt64})::Int32
end
# ---- end of what `make bindings` writes
