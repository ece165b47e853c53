/* quatint_mex.c: the C library as one MEX function, for MATLAB and Octave. Users call it through the package +quatint.
 *
 *     [...] = quatint_mex(command, ...)
 *
 * The commands are in the table below. M code refers to an ensemble by a number that is looked up in ensembles.c, never by a
 * pointer; an outdated or invented number raises an error. The library never calls the interpreter. M code evaluates a
 * torque that is an M function between 'begin' and 'supply' (the stage protocol). No frame of the library is on the stack
 * then, so an error or Ctrl-C in the torque unwinds M code only. Error control and rotors have no stage protocol: there the
 * library runs on a thread of its own, which waits while M code evaluates the function. See lone_body.c and thread.c.
 *
 * A command is a function of the file that treats its subject, declared in quatint_mex.h, and a row here. Those that only pass
 * numbers on share a function, to which the row says which function of the library.
 */
#include "quatint_mex.h"

#define ON_ENSEMBLE .on_ensemble = true
#define ROTATION .run = rotations
#define ORIENTATION {"orientation", 4}

static const command COMMANDS[] = {
    {"advance", advance, 3, ON_ENSEMBLE},
    {"begin", begin, 2, ON_ENSEMBLE},
    {"supply", supply, 1, ON_ENSEMBLE, .always = true},
    {"supply_in_place", supply_in_place, 3, ON_ENSEMBLE, .always = true},
    {"solve", solve, 2, ON_ENSEMBLE},
    {"solved_rows", solved_rows, 0, ON_ENSEMBLE},
    {"solve_until", solve_until, 3, ON_ENSEMBLE},
    {"solved_event", solved_event, 0, ON_ENSEMBLE},
    {"solve_statistics", solve_statistics, 0, ON_ENSEMBLE},
    {"get_acting_torque", get_acting_torque, 0, ON_ENSEMBLE},
    {"get_acceleration", get_acceleration, 0, ON_ENSEMBLE},
    {"present_vector", present_vector, 0, ON_ENSEMBLE},
    {"set_longest_step", set_longest_step, 1, ON_ENSEMBLE},
    {"set_most_evaluations", set_most_evaluations, 1, ON_ENSEMBLE},
    {"set_solve_method", set_solve_method, 1, ON_ENSEMBLE},
    {"set_rotor_momentum", set_rotors, 1, ON_ENSEMBLE},
    {"get_rotor_momentum", get_rotors, 0, ON_ENSEMBLE, .always = true},
    {"set_rotor_torque", set_motor, 1, ON_ENSEMBLE},
    {"get_rotor_torque", get_motor, 0, ON_ENSEMBLE, .always = true},
    {"write_one", write_one, 1},
    {"kick", kick, 3, ON_ENSEMBLE},
    {"drift", drift, 1, ON_ENSEMBLE},
    {"kick_drift", kick_drift, 5, ON_ENSEMBLE},
    {"cancel", cancel, 1},
    {"get_time", get_totals, 0, ON_ENSEMBLE, .width = 1, .total = qi_get_ensemble_time},
    {"set_time", set_number, 1, ON_ENSEMBLE, .set_number = qi_set_ensemble_time, .in = {{"time", 1}}},
    {"get_clock", get_totals, 0, ON_ENSEMBLE, .width = 2, .total = qi_get_ensemble_clock},
    {"set_clock", set_numbers, 1, ON_ENSEMBLE, .set_numbers = qi_set_ensemble_clock, .in = {{"clock", 2}}},
    // ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml: do not edit
    {"get_orientation", get_rows, 0, ON_ENSEMBLE, .width = 4, .get = qi_get_orientations},
    {"set_orientation", set_rows, 1, ON_ENSEMBLE, .width = 4, .set = qi_set_orientations, .in = {{"orientation", 4}}},
    {"get_angular_velocity", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = qi_get_angular_velocities},
    {"set_angular_velocity", set_rows, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_angular_velocities,
     .in = {{"angularVelocity", 3}}},
    {"get_kinetic_energy", get_list, 0, ON_ENSEMBLE, .always = true, .list = qi_get_kinetic_energies},
    {"get_total_kinetic_energy", get_totals, 0, ON_ENSEMBLE, .width = 1, .total = qi_get_total_kinetic_energy},
    {"scale_angular_momenta", set_number, 1, ON_ENSEMBLE, .set_number = qi_scale_angular_momenta, .in = {{"factor", 1}}},
    {"thermalize", set_number, 1, ON_ENSEMBLE, .set_number = qi_thermalize_ensemble, .in = {{"duration", 1}}},
    {"get_noise_draws", get_whole, 0, ON_ENSEMBLE, .always = true, .whole = qi_get_ensemble_noise},
    {"set_noise_draws", set_whole, 1, ON_ENSEMBLE, .set_whole = qi_set_ensemble_noise, .in = {{"noiseDraws", 1}}},
    // ---- end of what `make bindings` writes
    {"get_angular_velocity_body", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = get_omega_body},
    {"set_angular_momentum", set_momenta, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_angular_momenta, .in = {{"angularMomentum", 3}}},
    {"get_angular_momentum", get_rows, 0, ON_ENSEMBLE, .width = 3, .get = qi_get_angular_momenta, .rotors = true},
    {"get_total_angular_momentum", get_totals, 0, ON_ENSEMBLE, .width = 3, .total = qi_get_total_angular_momentum, .rotors = true},
    {"set_angular_velocity_body", set_rows, 1, ON_ENSEMBLE, .width = 3, .set = set_omega_body, .in = {{"angularVelocityBody", 3}}},
    {"row_size", row_size, 1, ON_ENSEMBLE, .always = true},
    {"get_body_rows", get_body_rows, 2, ON_ENSEMBLE, .always = true},
    {"set_body_rows", set_body_rows, 3, ON_ENSEMBLE},
    {"resize", resize, 1, ON_ENSEMBLE},
    {"select_bodies", select_bodies, 1, ON_ENSEMBLE},
    {"set_principal_inertias", set_principal_inertias, 1, ON_ENSEMBLE, .width = 3, .set = qi_set_principal_inertias,
     .in = {{"moments", 3}}},
    {"get_kinetic_energy_sums", energy_sums, 0, ON_ENSEMBLE, .always = true},
    {"get_angular_momentum_sums", momentum_sums, 0, ON_ENSEMBLE, .always = true},
    {"add_to_sums", add_to_sums, 2},
    {"values_of_sums", values_of_sums, 1},
    {"set_inertia", set_inertia, 1, ON_ENSEMBLE},
    {"set_inertia_keeping", set_inertia_keeping, 2, ON_ENSEMBLE},
    {"set_inertia_row", set_inertia_row, 1, ON_ENSEMBLE},
    {"set_inertia_function", set_inertia_function, 0, ON_ENSEMBLE},
    {"end_inertia_function", end_inertia_function, 0, ON_ENSEMBLE},
    {"begin_drift", begin_drift, 1, ON_ENSEMBLE},
    {"move_clock", move_clock, 1, ON_ENSEMBLE},
    {"lock_axes", lock_axes, 1, ON_ENSEMBLE},
    {"set_threads", set_threads, 1, ON_ENSEMBLE},
    {"set_active", set_active, 1, ON_ENSEMBLE},
    {"set_method", set_method, 1, ON_ENSEMBLE},
    {"forget_torque", forget_torque, 0, ON_ENSEMBLE},
    {"get_method", get_method, 0, ON_ENSEMBLE, .always = true},
    {"no_torque", no_torque, 0, ON_ENSEMBLE},
    {"function_torque", function_torque, 0, ON_ENSEMBLE},
    {"constant_torque", constant_torque, 2, ON_ENSEMBLE},
    {"uniform_field", uniform_field, 2, ON_ENSEMBLE},
    {"gravity_gradient", gravity_gradient, 2, ON_ENSEMBLE},
    {"linear_drag", linear_drag, 1, ON_ENSEMBLE},
    {"shear_flow", shear_flow, 3, ON_ENSEMBLE},
    {"set_drag", set_drag, 2, ON_ENSEMBLE},
    {"set_flow_gradients", set_flow_gradients, 1, ON_ENSEMBLE},
    {"set_points", set_points, 2, ON_ENSEMBLE},
    {"point_count", point_count, 0, ON_ENSEMBLE, .always = true},
    {"point_positions", point_positions, 1, ON_ENSEMBLE, .always = true},
    {"point_velocities", point_velocities, 2, ON_ENSEMBLE, .always = true},
    {"sum_point_forces", sum_point_forces, 1, ON_ENSEMBLE, .always = true},
    {"set_langevin", set_langevin, 4, ON_ENSEMBLE},
    {"set_ids", set_ids, 1, ON_ENSEMBLE},
    {"get_ids", get_ids, 0, ON_ENSEMBLE, .always = true},
    {"get_degrees", get_degrees, 0, ON_ENSEMBLE, .always = true},
    {"create", create, 1},
    {"make_alone", make_alone, 0, ON_ENSEMBLE},
    {"destroy", destroy, 1},
    {"alive", count_alive, 0},
    {"version", version, 0},
    {"rotate", ROTATION, 2, .convert = rotate, .in = {ORIENTATION, {"vectorBody", 3}}, .out = {3}},
    {"rotate_inverse", ROTATION, 2, .convert = rotate_inverse, .in = {ORIENTATION, {"vectorWorld", 3}}, .out = {3}},
    {"body_torque", ROTATION, 2, .convert = body_torque, .in = {ORIENTATION, {"torqueBody", 3}}, .out = {3}},
    {"uniform_field_torque", ROTATION, 3, .convert = uniform_field_torque,
     .in = {ORIENTATION, {"vectorBody", 3}, {"fieldWorld", 3}}, .out = {3}},
    {"gravity_gradient_torque", ROTATION, 4, .convert = gravity_gradient_torque,
     .in = {ORIENTATION, {"inertia", 9}, {"directionWorld", 3}, {"gradient", 1}}, .out = {3}},
    {"linear_drag_torque", ROTATION, 4, .convert = linear_drag_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"coefficients", 3}, {"flow", 3}}, .out = {3}},
    {"shear_flow_resistances", ROTATION, 2, .convert = shear_flow_resistances,
     .in = {{"semiAxes", 3}, {"viscosity", 1}}, .out = {6}},
    {"shear_flow_torque", ROTATION, 4, .convert = shear_flow_torque,
     .in = {ORIENTATION, {"angularVelocity", 3}, {"resistances", 6}, {"velocityGradient", 9}}, .out = {3}},
    {"from_axis_angle", ROTATION, 2, .convert = from_axis_angle, .in = {{"axis", 3}, {"angle", 1}}, .out = {4}},
    {"to_axis_angle", ROTATION, 1, .convert = to_axis_angle, .in = {ORIENTATION}, .out = {3, 1}},
    {"from_rotation_vector", ROTATION, 1, .convert = from_rotation_vector, .in = {{"rotationVector", 3}}, .out = {4}},
    {"to_rotation_vector", ROTATION, 1, .convert = to_rotation_vector, .in = {ORIENTATION}, .out = {3}},
    {"from_matrix", ROTATION, 1, .convert = from_matrix, .in = {{"matrix", 9}}, .out = {4}},
    {"to_matrix", ROTATION, 1, .convert = to_matrix, .in = {ORIENTATION}, .out = {9}},
    {"from_euler", ROTATION, 2, .convert = from_euler, .in = {{"angles", 3}}, .out = {4}, .sequence = true},
    {"to_euler", ROTATION, 2, .convert = to_euler, .in = {ORIENTATION}, .out = {3}, .sequence = true},
    {"from_euler_rates", ROTATION, 3, .convert = from_euler_rates, .in = {{"angles", 3}, {"rates", 3}}, .out = {3}, .sequence = true},
    {"to_euler_rates", ROTATION, 3, .convert = to_euler_rates, .in = {{"angles", 3}, {"angularVelocity", 3}}, .out = {3},
     .sequence = true},
    {"from_mrp", ROTATION, 1, .convert = from_mrp, .in = {{"parameters", 3}}, .out = {4}},
    {"to_mrp", ROTATION, 1, .convert = to_mrp, .in = {ORIENTATION}, .out = {3}},
    {"principal_axes", ROTATION, 1, .convert = principal_axes, .in = {{"inertia", 9}}, .out = {3, 4}},
    {"product", ROTATION, 2, .convert = product, .in = {{"a", 4}, {"b", 4}}, .out = {4}},
    {"inverse", ROTATION, 1, .convert = inverse, .in = {ORIENTATION}, .out = {4}},
    {"slerp", ROTATION, 3, .convert = slerp, .in = {{"a", 4}, {"b", 4}, {"t", 1}}, .out = {4}},
    {"angle", ROTATION, 2, .convert = angle, .in = {{"a", 4}, {"b", 4}}, .out = {1}},
    {"add_point_mass", add_point_mass, 3},
    {"add_sphere_mass", add_sphere_mass, 4},
    {"add_ellipsoid_mass", add_ellipsoid_mass, 5},
    {"add_box_mass", add_box_mass, 5},
    {"add_cylinder_mass", add_cylinder_mass, 6},
    {"add_mesh_mass", add_mesh_mass, 3},
    {"add_inertia_mass", add_inertia_mass, 5},
    {"mass_properties", mass_properties, 1},
};

static bool is_allowed_while_running(const command *c) { return c->get != NULL || c->total != NULL || c->always; }

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[])
{
    static bool first = true;
    char name[32];
    if (first) mexAtExit(destroy_all);
    first = false;
    if (inputs < 1 || !mxIsChar(in[0]) || mxGetString(in[0], name, sizeof name) != 0)
        mexErrMsgIdAndTxt("quatint:Command", "quatint_mex is internal to the package quatint: see `help quatint.Body`");
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        const command *c = &COMMANDS[i];
        if (strcmp(name, c->name) != 0) continue;
        const int before = c->on_ensemble ? 2 : 1;
        if (inputs != before + c->inputs)
            mexErrMsgIdAndTxt("quatint:Command", "%s takes %d arguments, not %d", name, c->inputs, inputs - before);
        entry *e = c->on_ensemble ? find_entry(in[1]) : NULL;
        if (c->on_ensemble && e == NULL) mexErrMsgIdAndTxt("quatint:Deleted", "this object has been deleted");
        if (e != NULL && is_running(e) && !is_allowed_while_running(c))
            mexErrMsgIdAndTxt("quatint:Order", "the body is in use: its own torque or event function cannot change it");
        c->run((call){c, e, outputs, c->inputs, out, in + before});
        return;
    }
    mexErrMsgIdAndTxt("quatint:Command", "there is no command %s", name);
}
