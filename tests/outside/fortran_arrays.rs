//! A Fortran program that hands every array argument of every procedure all forms of an array that Fortran has: what it does must
//! have, bit for bit, the effect of a variable with the same numbers, or be refused with a message and change nothing. The
//! procedures and their arguments are those of quatint_types.f90, so that one without a row in `CALLS` fails.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The calls. `{name 3,n}` is an array argument and its shape; with `>` it is written, with `*` bound. `{*first,second 3,n}` are
/// vectors of the first two records. An argument that stands in several calls is tried in each. What stands before `;` comes first.
const CALLS: &str = "
body_create                            b%create({inertia 3,3}, {orientation 4}, {angular_velocity 3})
body_record                            b%record(0.1_dp, 4, 1, {>records 8,5})
body_solve_record                      b%solve_record({times 3}, 1e-9_dp, {>records 8,3})
body_get_row                           b%get_row(QI_PART_STATE, {>row 7})
body_set_row                           b%set_row(QI_PART_STATE, {row 7})
body_get_clock                         b%get_clock({>clock 2})
body_set_clock                         b%set_clock({clock 2})
body_get_orientation                   b%get_orientation({>orientation 4})
body_get_angular_velocity              b%get_angular_velocity({>angular_velocity 3})
body_get_angular_velocity_body         b%get_angular_velocity_body({>angular_velocity 3})
body_set_state                         b%set_state({orientation 4}, {angular_velocity 3})
body_set_state_body                    b%set_state_body({orientation 4}, {angular_velocity_body 3})
body_get_angular_momentum              b%get_angular_momentum({>angular_momentum 3})
body_set_angular_momentum              b%set_angular_momentum({angular_momentum 3})
body_set_inertia                       b%set_inertia({inertia 3,3}, QI_KEEP_ANGULAR_MOMENTUM)
body_set_constant_torque               b%set_constant_torque({torque 3})
body_set_uniform_field_torque          b%set_uniform_field_torque({vector_body 3}, {field_world 3})
body_set_gravity_gradient_torque       b%set_gravity_gradient_torque({direction_world 3}, 0.3_dp)
body_set_linear_drag_torque            b%set_linear_drag_torque({coefficients 3})
body_set_shear_flow_torque             b%set_shear_flow_torque({semi_axes 3}, 0.1_dp, {velocity_gradient 3,3})
body_set_drag                          b%set_drag({coefficients 3}, {flow 3})
body_set_langevin                      b%set_langevin({coefficients 3}, 0.2_dp, 5_int64, 6_int64, {flow 3})
body_get_rotor_momentum                b%set_rotor_momentum([0.1_dp, 0.2_dp, 0.3_dp]); b%get_rotor_momentum({>momentum 3})
body_set_rotor_momentum                b%set_rotor_momentum({momentum 3})
body_get_rotor_torque                  b%set_rotor_momentum([0.1_dp, 0.2_dp, 0.3_dp]); b%get_rotor_torque({>torque_body 3})
body_set_rotor_torque                  b%set_rotor_momentum([0.1_dp, 0.2_dp, 0.3_dp]); b%set_rotor_torque({torque_body 3})
body_kick                              b%kick(0.3_dp, {torque 3})
body_get_acting_torque                 b%set_constant_torque([0.1_dp, 0.2_dp, 0.3_dp]); b%get_acting_torque({>torque 3})
body_get_angular_acceleration          b%get_angular_acceleration({>angular_acceleration 3})
ensemble_select                        e%select({from 6})
ensemble_get_rows                      e%get_rows(QI_PART_STATE, {>rows 7,4}, {bodies 4})
ensemble_set_rows                      e%set_rows(QI_PART_STATE, {rows 7,4}, {bodies 4})
ensemble_lock_axes_of_each             e%set_principal_inertias(v3); e%lock_axes({axes 5})
ensemble_get_kinetic_energy_sums       e%get_kinetic_energy_sums({>sums 68})
ensemble_get_angular_momentum_sums     e%get_angular_momentum_sums({>sums 68,3})
ensemble_bind_orientations             e%bind_orientations({*orientations 4,5}, rows={rows 5})
ensemble_bind_orientations             e%bind_orientations({*orientations 4,5})
ensemble_bind_orientations             e%bind_orientations({*orientations 5,4}, QI_LAYOUT_SOA)
ensemble_bind_orientations_records     e%bind_orientations({*first,second 4,5}, rows={rows 5})
ensemble_bind_angular_velocities       e%bind_angular_velocities({*angular_velocities 3,5}, rows={rows 5})
ensemble_bind_angular_velocities       e%bind_angular_velocities({*angular_velocities 5,3}, QI_LAYOUT_SOA)
ensemble_bind_angular_velocities_records   e%bind_angular_velocities({*first,second 3,5}, rows={rows 5})
ensemble_bind_predicted_velocities     e%bind_predicted_velocities({*angular_velocities 3,5}, 0.05_dp)
ensemble_bind_predicted_velocities_records e%bind_predicted_velocities({*first,second 3,5}, 0.05_dp)
ensemble_bind_flow_gradients           e%set_shear_flow_torque(v3, 0.1_dp, no_flow); e%bind_flow_gradients({*gradients 3,3,5})
ensemble_bind_flow_gradients_records   e%set_shear_flow_torque(v3, 0.1_dp, no_flow); e%bind_flow_gradients({*first,second 3,3,5})
ensemble_set_active                    e%set_active({indices 3})
ensemble_set_ids                       e%set_langevin(v3, 0.2_dp, 5_int64); e%set_ids({ids 5})
ensemble_kick                          e%kick(0.3_dp, {torque 3})
ensemble_kick                          e%kick(0.3_dp, {torque 3,5})
ensemble_kick                          e%kick(0.3_dp, {torque 5,3}, layout=QI_LAYOUT_SOA)
ensemble_kick_records                  e%kick(0.3_dp, {*first,second 3,5})
ensemble_kick_drift                    e%kick_drift(0.3_dp, 0.1_dp, {torque 3})
ensemble_kick_drift                    e%kick_drift(0.3_dp, 0.1_dp, {torque 3,5})
ensemble_kick_drift_records            e%kick_drift(0.3_dp, 0.1_dp, {*first,second 3,5})
ensemble_set_points                    e%set_points({bodies 4}, {arms 3,4})
ensemble_set_points                    e%set_points({bodies 4}, {arms 4,3}, QI_LAYOUT_SOA)
ensemble_get_point_positions           e%get_point_positions({>positions 3,7}, {centres 3,5})
ensemble_get_point_positions           e%get_point_positions({>positions 7,3}, {centres 5,3}, QI_LAYOUT_SOA)
ensemble_get_point_velocities          e%get_point_velocities({>velocities 3,7}, {centre_velocities 3,5})
ensemble_sum_point_forces              e%sum_point_forces({forces 3,7}, {>body_forces 3,5}, {>body_torques 3,5})
ensemble_sum_point_forces              e%sum_point_forces({forces 7,3}, {>body_forces 5,3}, {>body_torques 5,3}, QI_LAYOUT_SOA)
ensemble_next_stage                    e%begin_step(0.1_dp); e%next_stage(needed, time, {>orientation 4,5}, {>angular_velocity 3,5})
ensemble_supply_torque                 e%begin_step(0.1_dp); e%next_stage(needed, time, q5, w5); e%supply_torque({torque 3,5})
ensemble_continue_step                 e%begin_step(0.1_dp); e%next_stage(needed, time, q5, w5); e%continue_step({torque 3,5}, needed, time, {>orientation 4,5}, {>angular_velocity 3,5})
ensemble_get_clock                     e%get_clock({>clock 2})
ensemble_set_clock                     e%set_clock({clock 2})
ensemble_get_orientations              e%get_orientations({>orientations 4,5})
ensemble_get_orientations              e%get_orientations({>orientations 5,4}, QI_LAYOUT_SOA)
ensemble_set_orientations              e%set_orientations({orientations 4})
ensemble_set_orientations              e%set_orientations({orientations 4,5})
ensemble_set_orientations              e%set_orientations({orientations 5,4}, QI_LAYOUT_SOA)
ensemble_get_angular_velocities        e%get_angular_velocities({>angular_velocities 3,5})
ensemble_set_angular_velocities        e%set_angular_velocities({angular_velocities 3})
ensemble_set_angular_velocities        e%set_angular_velocities({angular_velocities 3,5})
ensemble_set_angular_velocities        e%set_angular_velocities({angular_velocities 5,3}, QI_LAYOUT_SOA)
ensemble_get_angular_momenta           e%get_angular_momenta({>angular_momenta 3,5})
ensemble_set_angular_momenta           e%set_angular_momenta({angular_momenta 3})
ensemble_set_angular_momenta           e%set_angular_momenta({angular_momenta 3,5})
ensemble_get_kinetic_energies          e%get_kinetic_energies({>energies 5})
ensemble_get_total_angular_momentum    e%get_total_angular_momentum({>angular_momentum 3})
ensemble_set_inertias                  e%set_inertias({inertia 3,3})
ensemble_set_inertias                  e%set_inertias({inertia 3,3,5})
ensemble_set_principal_inertias        e%set_principal_inertias({moments 3})
ensemble_set_principal_inertias        e%set_principal_inertias({moments 3,5})
ensemble_set_principal_inertias        e%set_principal_inertias({moments 5,3}, QI_LAYOUT_SOA)
ensemble_set_constant_torque           e%set_constant_torque({torques 3})
ensemble_set_constant_torque           e%set_constant_torque({torques 3,5})
ensemble_set_uniform_field_torque      e%set_uniform_field_torque({vectors_body 3}, {field_world 3})
ensemble_set_uniform_field_torque      e%set_uniform_field_torque({vectors_body 3,5}, {field_world 3})
ensemble_set_gravity_gradient_torque   e%set_gravity_gradient_torque({direction_world 3}, {gradients 5})
ensemble_set_linear_drag_torque        e%set_linear_drag_torque({coefficients 3})
ensemble_set_linear_drag_torque        e%set_linear_drag_torque({coefficients 3,5})
ensemble_set_shear_flow_torque         e%set_shear_flow_torque({semi_axes 3}, 0.1_dp, {velocity_gradient 3,3})
ensemble_set_shear_flow_torque         e%set_shear_flow_torque({semi_axes 3,5}, 0.1_dp, {velocity_gradient 3,3})
ensemble_set_drag                      e%set_drag({coefficients 3}, {flow 3})
ensemble_set_drag                      e%set_drag({coefficients 3,5}, {flow 3,5})
ensemble_set_langevin                  e%set_langevin({coefficients 3}, 0.2_dp, 5_int64, {flow 3})
ensemble_set_langevin                  e%set_langevin({coefficients 3,5}, 0.2_dp, 5_int64, {flow 3,5})
ensemble_set_rotor_momentum            e%set_rotor_momentum({momentum 3})
ensemble_set_rotor_momentum            e%set_rotor_momentum({momentum 3,5})
qi_add_in_body_frame                   qi_add_in_body_frame({orientation 4}, {torque_body 3}, {>torque 3})
qi_add_uniform_field                   qi_add_uniform_field({orientation 4}, {vector_body 3}, {field_world 3}, {>torque 3})
qi_add_gravity_gradient                qi_add_gravity_gradient({orientation 4}, {inertia 3,3}, {direction_world 3}, 0.3_dp, {>torque 3})
qi_add_linear_drag                     qi_add_linear_drag({orientation 4}, {angular_velocity 3}, {coefficients 3}, {>torque 3}, flow={flow 3})
qi_add_shear_flow                      qi_add_shear_flow({orientation 4}, {angular_velocity 3}, {resistances 6}, {velocity_gradient 3,3}, {>torque 3})
qi_add_values_to_sum                   qi_add_values_to_sum({>sum 68}, {values 5})
qi_get_sum_value                       qi_get_sum_value({sum 68}, time)
turn_by_procedure                      qi_turn({>orientation 4}, 0.1_dp, 0.7_dp, 3, spin)
turn_by_object                         qi_turn({>orientation 4}, 0.1_dp, 0.7_dp, 3, spinning)
qi_turn_through                        qi_turn_through({>orientation 4}, {angular_velocities 3,5}, 0.1_dp)
mass_add_point                         m%add_point(2.0_dp, {position 3})
mass_add_sphere                        m%add_sphere(2.0_dp, 0.5_dp, {position 3})
mass_add_ellipsoid                     m%add_ellipsoid(2.0_dp, {semi_axes 3}, {position 3}, {orientation 4})
mass_add_box                           m%add_box(2.0_dp, {edges 3}, {position 3}, {orientation 4})
mass_add_cylinder                      m%add_cylinder(2.0_dp, 0.5_dp, 0.7_dp, {position 3}, {orientation 4})
mass_add_capsule                       m%add_capsule(2.0_dp, 0.5_dp, 0.7_dp, {position 3}, {orientation 4})
mass_add_hemisphere                    m%add_hemisphere(2.0_dp, 0.5_dp, {position 3}, {orientation 4})
mass_add_cone                          m%add_cone(2.0_dp, 0.5_dp, 0.7_dp, {position 3}, {orientation 4})
mass_add_mesh                          m%add_mesh(2.0_dp, {corners 3,3,4})
mass_add_inertia                       m%add_inertia(2.0_dp, {inertia 3,3}, {position 3}, {orientation 4})
mass_get_properties                    m%get_properties(time, {>centre 3}, {>inertia 3,3})
mass_get_inertia_about                 m%get_inertia_about({point 3}, {>inertia 3,3})
";

/// An array argument as quatint_types.f90 declares it.
struct Declared {
    procedure: String,
    name: String,
    kind: &'static str,
    extents: String,
    is_optional: bool,
}

fn declared(types: &str) -> Vec<Declared> {
    let mut all = vec![];
    let mut procedure = String::new();
    for line in types.lines() {
        let code = line.split("!!").next().expect("a part").trim();
        if let Some((head, rest)) = code.split_once("subroutine ")
            && head.starts_with("module ")
        {
            procedure = rest.split('(').next().expect("a name").to_owned();
        }
        let Some((attributes, names)) = code.split_once(" :: ") else {
            continue;
        };
        let kind = match attributes.split(',').next() {
            Some("real(c_double)") => "real(dp)",
            Some("integer" | "integer(c_int32_t)") => "integer",
            Some("integer(c_int64_t)") => "integer(int64)",
            _ => continue,
        };
        for part in names.split_inclusive(')') {
            let Some((name, extents)) = part.split_once('(') else {
                continue;
            };
            all.push(Declared {
                procedure: procedure.clone(),
                name: name.trim_start_matches(", ").to_owned(),
                kind,
                extents: extents.trim_end_matches(')').to_owned(),
                is_optional: attributes.contains("optional"),
            });
        }
    }
    all.retain(|a| !a.procedure.is_empty());
    all
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    Read,
    Written,
    Bound,
}

/// An argument in a call: its names (two for records), its extents, and where in the text of the call it stands.
struct Place {
    text: String,
    names: Vec<String>,
    extents: Vec<usize>,
    purpose: Use,
}

fn places(call: &str) -> Vec<Place> {
    let parts = call.split('{').skip(1);
    parts
        .map(|part| {
            let text = part.split('}').next().expect("an end");
            let (names, extents) = text.split_once(' ').expect("a shape");
            let purpose = match names.as_bytes()[0] {
                b'>' => Use::Written,
                b'*' => Use::Bound,
                _ => Use::Read,
            };
            let names = names.trim_start_matches(['>', '*']);
            Place {
                text: format!("{{{text}}}"),
                names: names.split(',').map(str::to_owned).collect(),
                extents: extents
                    .split(',')
                    .map(|n| n.parse().expect("a number"))
                    .collect(),
                purpose,
            }
        })
        .collect()
}

/// A form of an array: statements that put the numbers of `x` there, the array, its first two vectors, and what all of it is
/// stored in, with the number of its elements.
struct Shape {
    name: &'static str,
    before: String,
    array: String,
    vectors: [String; 2],
    whole: &'static str,
}

/// The numbers that an argument of this name can be.
fn values(name: &str, extents: &[usize]) -> String {
    let shape = extents
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let count: usize = extents.iter().product();
    let of = |what: &str| format!("reshape({what}({count}), [{shape}])");
    match name {
        "orientation" | "orientations" if extents.len() == 2 && extents[1] == 4 => {
            format!(
                "transpose(reshape(quaternions({count}), [4, {}]))",
                extents[0]
            )
        }
        "orientation" | "orientations" => of("quaternions"),
        "first" if extents[0] == 4 => of("quaternions"),
        "row" | "rows" if extents[0] == 7 => of("states"),
        "inertia" => of("tensors"),
        "moments" | "semi_axes" | "edges" | "coefficients" | "resistances" => of("positive"),
        "velocity_gradient" => of("traceless"),
        "times" => "[0.2_dp, 0.5_dp, 1.1_dp]".to_owned(),
        "corners" => "reshape(tetrahedron, [3, 3, 4])".to_owned(),
        "from" => "[5, 1, 3, 3, 2, 4]".to_owned(),
        "indices" => "[1, 3, 4]".to_owned(),
        "bodies" => "[1, 2, 4, 5]".to_owned(),
        "rows" => "[3, 1, 5, 2, 4]".to_owned(),
        "axes" => "[3, 0, 5, 6, 7]".to_owned(),
        "ids" => "[7_int64, 3_int64, 9_int64, 1_int64, 40_int64]".to_owned(),
        "sum" => "sum_of_numbers()".to_owned(),
        _ => of("numbers"),
    }
}

/// The forms that hold the numbers in memory, so that they can also be written and bound.
fn stored(extents: &[usize]) -> Vec<Shape> {
    let index = |f: &dyn Fn(usize) -> String| -> String {
        extents[..extents.len() - 1]
            .iter()
            .map(|&n| f(n) + ", ")
            .collect()
    };
    let last = *extents.last().expect("an extent");
    let form = |name,
                whole,
                head: &str,
                f: &dyn Fn(usize) -> String,
                one: &dyn Fn(usize) -> String,
                tail: &str| Shape {
        name,
        before: String::new(),
        array: format!("{head}({}{}){tail}", index(f), f(last)),
        vectors: [1, 2].map(|i| format!("{head}({}{}){tail}", index(f), one(i))),
        whole,
    };
    let all = |_: usize| ":".to_owned();
    let back = |n: usize| format!("{n}:1:-1");
    let odd = |n: usize| format!("1:{}:2", 2 * n);
    let plain = |i: usize| i.to_string();
    let mut forms = vec![
        form("a variable", "x", "x", &all, &plain, ""),
        form(
            "a section",
            "big",
            "big",
            &odd,
            &|i| (2 * i - 1).to_string(),
            "",
        ),
        form(
            "a reversed section",
            "y",
            "y",
            &back,
            &|i| (last + 1 - i).to_string(),
            "",
        ),
        form(
            "an allocatable array from 0",
            "a",
            "a",
            &all,
            &|i| (i - 1).to_string(),
            "",
        ),
        form("a component of one record", "h%y", "h%y", &all, &plain, ""),
        form("components of records", "c%b", "c", &all, &plain, "%b"),
        form(
            "reversed components",
            "c%b",
            "c",
            &back,
            &|i| (last + 1 - i).to_string(),
            "%b",
        ),
        form("components of a class", "d%b", "d", &all, &plain, "%b"),
    ];
    for (name, target) in [
        ("a pointer to an array", "y"),
        ("a pointer to components", "c%b"),
    ] {
        let mut pointer = form(
            name,
            if target == "y" { "y" } else { "c%b" },
            "p",
            &all,
            &plain,
            "",
        );
        pointer.before = format!("      p => {target}\n");
        forms.push(pointer);
    }
    forms
}

/// The forms that only have a value.
fn expressions(kind: &str, extents: &[usize]) -> Vec<(&'static str, String)> {
    let letter = letter(kind);
    let rank = extents.len();
    let lists = |n: usize| format!("[(i, i={n}, 1, -1)]");
    let subscripts = extents
        .iter()
        .map(|&n| lists(n))
        .collect::<Vec<_>>()
        .join(", ");
    let shape = extents
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let mut all = vec![
        ("(x)", "(x)".to_owned()),
        ("1*x", "1*x".to_owned()),
        ("the result of a function", format!("f_{letter}{rank}(x)")),
        ("an allocatable result", format!("fa_{letter}{rank}(x)")),
        ("a pointer result", format!("fp_{letter}{rank}(x)")),
        ("a vector subscript", format!("y({subscripts})")),
        ("reshape", format!("reshape([x], [{shape}])")),
        ("merge", "merge(x, 0*x, .true.)".to_owned()),
    ];
    if rank == 1 {
        all.push((
            "an array constructor",
            format!("[(x(i), i=1, {})]", extents[0]),
        ));
        all.push(("pack", "pack(x, .true.)".to_owned()));
        all.push(("a row of a matrix", "spread(x, 1, 2)".to_owned()));
        all.last_mut().expect("one").1 = "rows(2, :)".to_owned();
    }
    if rank == 2 {
        all.push(("transpose", "transpose(t)".to_owned()));
        all.push((
            "transpose of a result",
            format!("transpose(f_{letter}2(t))"),
        ));
        all.push((
            "transpose in parentheses",
            format!("(transpose(f_{letter}2(t)))"),
        ));
    }
    if letter == 'r' {
        all.push(("real parts", "z%re".to_owned()));
        if rank == 1 {
            all.push(("matmul", format!("matmul(identity({}), x)", extents[0])));
        }
        if rank == 2 {
            all.push(("matmul", format!("matmul(identity({}), x)", extents[0])));
        }
    }
    all
}

fn letter(kind: &str) -> char {
    match kind {
        "real(dp)" => 'r',
        "integer" => 'i',
        _ => 'l',
    }
}

fn colons(rank: usize) -> String {
    vec![":"; rank].join(", ")
}

/// The call in Fortran, with `actual` for the argument at `place` and variables for the others.
fn filled(call: &str, others: &[Place], place: usize, actual: &str) -> String {
    let mut text = call.to_owned();
    for (i, other) in others.iter().enumerate() {
        let variable = if i == place {
            actual.to_owned()
        } else if other.names.len() == 2 {
            let index = ":, ".repeat(other.extents.len() - 1);
            format!("o{i}({index}1), o{i}({index}2)")
        } else {
            format!("o{i}")
        };
        text = text.replacen(&other.text, &variable, 1);
    }
    let is_plain = text.starts_with("qi_add_") && !text.starts_with("qi_add_values");
    let status = if is_plain {
        ", stat=stat)"
    } else {
        ", stat=stat, errmsg=errmsg)"
    };
    format!("call {}{status}", text.strip_suffix(')').expect("an end"))
}

/// The program, or the names of arguments that no call has, and of those in calls that no procedure has.
pub(crate) fn program(types: &str) -> Result<String, String> {
    let declared = declared(types);
    let mut missing: BTreeSet<_> = declared
        .iter()
        .map(|d| (d.procedure.clone(), d.name.clone()))
        .collect();
    let mut rows = String::new();
    let mut calls = String::new();
    let mut count = 0;
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let (procedure, text) = line.split_once(' ').expect("a call");
        let text = text.trim();
        let (prepare, call) = text.rsplit_once("; ").unwrap_or(("", text));
        let all = places(call);
        for (i, place) in all.iter().enumerate() {
            for name in &place.names {
                missing.remove(&(procedure.to_owned(), name.clone()));
            }
            let of_name = |d: &&Declared| d.procedure == procedure && d.name == place.names[0];
            let declaration = declared.iter().find(of_name);
            let Some(declaration) = declaration else {
                return Err(format!("{procedure} has no argument {:?}", place.names));
            };
            let kind = |other: &Place| {
                let of_name = |d: &&Declared| d.procedure == procedure && d.name == other.names[0];
                declared.iter().find(of_name).map_or("real(dp)", |d| d.kind)
            };
            count += 1;
            rows += &row(count, procedure, prepare, call, &all, i, declaration, &kind);
            writeln!(calls, "   call row_{count}()").expect("a text");
        }
    }
    if !missing.is_empty() {
        return Err(format!(
            "no call in tests/outside/fortran_arrays.rs has these arguments: {missing:?}"
        ));
    }
    Ok(format!(
        "{}\nmodule rows\n   use forms\n   implicit none\ncontains\n{rows}end module rows\n\n\
         program arrays\n   use rows\n   implicit none\n\n{calls}   call finish()\nend program arrays\n",
        module()
    ))
}

#[allow(clippy::too_many_arguments)]
fn row(
    number: usize,
    procedure: &str,
    prepare: &str,
    call: &str,
    all: &[Place],
    tried: usize,
    declaration: &Declared,
    kind_of: &dyn Fn(&Place) -> &'static str,
) -> String {
    let place = &all[tried];
    let kind = declaration.kind;
    let letter = letter(kind);
    let rank = place.extents.len();
    let extents = place
        .extents
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let double = place
        .extents
        .iter()
        .map(|n| (2 * n).to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let turned = place
        .extents
        .iter()
        .rev()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let from_0 = place
        .extents
        .iter()
        .map(|n| format!("0:{}", n - 1))
        .collect::<Vec<_>>()
        .join(", ");
    let colons = colons(rank);
    let title = format!("{procedure}, {}", place.names.join(" and "));

    let mut text = format!("   subroutine row_{number}()\n");
    let mut declare = |line: String| writeln!(text, "      {line}").expect("a text");
    declare(format!(
        "{kind}, target :: x({extents}), y({extents}), big({double}), given({extents}), kept({extents})"
    ));
    declare(format!("type(cell_{letter}), target :: c({extents})"));
    declare(format!(
        "class(cell_{letter}), allocatable, target :: d({colons})"
    ));
    declare(format!(
        "{kind}, allocatable, target :: a({colons}), none({colons})"
    ));
    declare(format!("{kind}, pointer :: p({colons}), nowhere({colons})"));
    declare(format!(
        "type :: holder\n         {kind} :: before = 5, y({extents}), after = 5\n      end type holder\n      type(holder), target :: h"
    ));
    declare("integer :: i".to_owned());
    if rank == 1 {
        declare(format!("{kind} :: rows(3, {extents})"));
    }
    if rank == 2 {
        declare(format!("{kind} :: t({turned})"));
    }
    if letter == 'r' {
        declare(format!("complex(dp) :: z({extents})"));
    }
    for (i, other) in all.iter().enumerate().filter(|(i, _)| *i != tried) {
        let extents = other
            .extents
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        declare(format!("{}, target :: o{i}({extents})", kind_of(other)));
    }
    text += "\n      nowhere => null()\n";
    let back = place
        .extents
        .iter()
        .map(|n| format!("{n}:1:-1"))
        .collect::<Vec<_>>()
        .join(", ");
    let odd = place
        .extents
        .iter()
        .map(|n| format!("1:{}:2", 2 * n))
        .collect::<Vec<_>>()
        .join(", ");
    writeln!(
        text,
        "      allocate (a({from_0}), d({extents}))\n      given = {}",
        values(&place.names[0], &place.extents)
    )
    .expect("a text");

    // puts the numbers into every form, and a guard beside them
    let mut fill = "      x = given\n      big = guard\n      h%before = guard\n      h%after = guard\n      c%a = guard\n      d%a = guard\n".to_owned();
    fill += &format!(
        "      big({odd}) = given\n      y({back}) = given\n      a = given\n      h%y = given\n      c%b = given\n      d%b = given\n"
    );
    if rank == 1 {
        fill += "      rows = guard\n      rows(2, :) = given\n";
    }
    if rank == 2 {
        fill += "      t = transpose(given)\n";
    }
    if letter == 'r' {
        fill += "      z = cmplx(given, guard, dp)\n";
    }
    let mut begin = "      call fresh()\n".to_owned();
    for statement in prepare.split("; ").filter(|s| !s.is_empty()) {
        begin += &format!("      call {statement}\n");
    }
    let mut outs = String::new();
    for (i, other) in all.iter().enumerate().filter(|(i, _)| *i != tried) {
        let numbers = values(&other.names[0], &other.extents);
        let is_read_too = ["qi_add_values_to_sum", "qi_turn_through"].contains(&procedure);
        let numbers = if other.purpose == Use::Written && !is_read_too {
            "0"
        } else {
            &numbers
        };
        begin += &format!("      o{i} = {numbers}\n");
        if other.purpose == Use::Written {
            outs += &format!("      seen = [seen, reshape(real(o{i}, dp), [size(o{i})])]\n");
        }
    }
    let see = format!("      seen = observed()\n{outs}");
    let attempt = |actual: &str| format!("      {}\n{see}", filled(call, all, tried, actual));
    let written = place.purpose == Use::Written;
    let bound = place.purpose == Use::Bound;
    let actual = |shape: &Shape| {
        if place.names.len() == 2 {
            format!("{}, {}", shape.vectors[0], shape.vectors[1])
        } else {
            shape.array.clone()
        }
    };

    // what no call does, and what a variable does
    let internal = format!(
        "   contains\n   subroutine fill()\n{fill}   end subroutine fill\n   subroutine begin()\n{begin}   end subroutine begin\n"
    );
    let (fill, begin) = ("      call fill()\n", "      call begin()\n");
    text += &format!("{fill}{begin}      stat = 0\n{see}      untouched = seen\n");
    text += &format!(
        "{fill}{begin}{}      call reference('{title}')\n      kept = x\n",
        attempt(&if place.names.len() == 2 {
            actual(&stored(&place.extents)[0])
        } else {
            "x".to_owned()
        })
    );

    let reversed = |shape: &Shape| shape.name.starts_with("reversed comp");
    for shape in stored(&place.extents) {
        let is_component =
            shape.array.contains('%') && shape.whole != "h%y" || shape.whole == "c%b";
        // numbers of a body that do not lie side by side cannot be bound as a gradient
        let is_gradient = bound
            && procedure.contains("flow_gradients")
            && ["a section", "a reversed section"].contains(&shape.name);
        let mut put = fill.to_owned();
        if reversed(&shape) {
            put += &format!("      c({back})%b = given\n");
        }
        if shape.name == "a pointer to an array" {
            put += "      y = given\n";
        }
        let run = format!("{put}{begin}{}{}", shape.before, attempt(&actual(&shape)));
        if (bound && is_component) || is_gradient {
            text += &format!("{run}      call refused('{title}', '{}')\n", shape.name);
            text += &format!(
                "      call unchanged(all({} == given), '{title}', '{}')\n",
                shape.array, shape.name
            );
        } else {
            text += &format!("{run}      call right('{title}', '{}')\n", shape.name);
            text += &format!(
                "      call unchanged(all({} == kept), '{title}', '{}')\n",
                shape.array, shape.name
            );
        }
        let size: usize = place.extents.iter().product();
        let guards = [
            format!("count(big == guard) == {}", size * ((1 << rank) - 1)),
            "all(c%a == guard) .and. all(d%a == guard)".to_owned(),
            "h%before == guard .and. h%after == guard".to_owned(),
        ];
        text += &format!(
            "      call unchanged({}, '{title}', '{}: what lies beside')\n",
            guards.join(" .and. "),
            shape.name
        );
    }
    let is_explicit = declaration
        .extents
        .starts_with(|c: char| c.is_ascii_digit());
    if !written && !bound {
        for (name, expression) in expressions(kind, &place.extents) {
            text += &format!(
                "{fill}{begin}{}      call right('{title}', '{name}')\n",
                attempt(&expression)
            );
        }
    }
    // A pointer that a procedure is given may point to components, unknown to the compiler. Only arrays of any rank and
    // pointers show it.
    let mut helper = String::new();
    if (declaration.extents == ".." || bound)
        && letter == 'r'
        && !declaration.is_optional
        && place.names.len() == 1
    {
        for target in ["c%b", "y"] {
            text += &format!(
                "{fill}{}{begin}      p => {target}\n      call by_pointer(p)\n{see}",
                if target == "y" {
                    "      y = given\n"
                } else {
                    ""
                }
            );
            let what = if bound && target == "c%b" {
                "refused"
            } else {
                "right"
            };
            text += &format!("      call {what}('{title}', 'a pointer argument to {target}')\n");
            let expected = if what == "right" { "kept" } else { "given" };
            text += &format!(
                "      call unchanged(all({target} == {expected}) .and. all(c%a == guard), '{title}', 'a pointer argument to {target}')\n"
            );
        }
        helper += &format!(
            "   subroutine by_pointer(p)\n      {kind}, pointer, intent(in) :: p({colons})\n"
        );
        helper += &format!(
            "      {}\n   end subroutine by_pointer\n",
            filled(call, all, tried, "p")
        );
    }
    // what must be refused
    if !is_explicit {
        let short = |head: &str| {
            let mut index: Vec<_> = place.extents.iter().map(|n| format!("1:{n}")).collect();
            index[0] = format!("1:{}", place.extents[0] - 1);
            format!("{head}({})", index.join(", "))
        };
        let mut bad = vec![];
        // lists of any length, and arrays whose other extent is free
        let is_free = ["from", "indices", "times", "values"].contains(&place.names[0].as_str());
        if place.names.len() == 1 && !is_free {
            bad.push(("one number too few", short("x")));
        }
        if place.names.len() == 1 && !declaration.is_optional {
            bad.push(("a pointer without a target", "nowhere".to_owned()));
            if !bound {
                bad.push(("not allocated", "none".to_owned()));
                if !written && !is_free && rank == 1 {
                    bad.push(("no elements", format!("[{kind} ::]")));
                }
            }
        }
        for (name, actual) in bad {
            text += &format!(
                "{fill}{begin}{}      call refused('{title}', '{name}')\n",
                attempt(&actual)
            );
        }
    }
    text + &format!("{internal}{helper}   end subroutine row_{number}\n\n")
}

/// What the rows share.
fn module() -> String {
    let mut cells = String::new();
    let mut functions = String::new();
    for (kind, letter) in [("real(dp)", 'r'), ("integer", 'i'), ("integer(int64)", 'l')] {
        cells += &format!(
            "   type :: cell_{letter}\n      {kind} :: a = 0, b = 0\n   end type cell_{letter}\n"
        );
        for rank in 1..=3 {
            let colons = colons(rank);
            let sizes = (1..=rank)
                .map(|d| format!("size(v, {d})"))
                .collect::<Vec<_>>()
                .join(", ");
            functions += &format!(
                "   function f_{letter}{rank}(v) result(r)\n      {kind}, intent(in) :: v({colons})\n      {kind} :: r({sizes})\n      r = v\n   end function\n\
                 \x20  function fa_{letter}{rank}(v) result(r)\n      {kind}, intent(in) :: v({colons})\n      {kind}, allocatable :: r({colons})\n      r = v\n   end function\n\
                 \x20  function fp_{letter}{rank}(v) result(r)\n      {kind}, intent(in), target :: v({colons})\n      {kind}, pointer :: r({colons})\n      r => v\n   end function\n"
            );
        }
    }
    include_str!("../fortran/array_forms.f90")
        .replace("   !CELLS\n", &cells)
        .replace("   !FUNCTIONS\n", &functions)
}
