//! The plain properties and methods of MATLAB's `Body` and `Ensemble`, and the commands of
//! `quatint_mex` that they call.

use crate::accessor::{Accessor, Action, Form, Object, accessors};
use crate::header::Header;
use crate::table::{Language, Row, Table};
use crate::text::{NO_BREAK, capitalized, imperative, in_lines, lower, with_names};

const WIDTH: usize = 127;

/// The rows of MATLAB, each with what it gives an object.
fn rows<'a>(
    header: &'a Header,
    table: &'a Table,
    object: Object,
) -> Result<Vec<(&'a Row, Vec<Accessor<'a>>)>, String> {
    let mut rows = vec![];
    for row in table.rows_for(Language::Matlab) {
        let mut given = accessors(header, row, object)?;
        given.retain(|accessor| accessor.action != Action::Clear); // what is set to []
        rows.push((row, given));
    }
    Ok(rows)
}

/// The rows of the table of commands, in C.
pub(crate) fn commands(header: &Header, table: &Table) -> Result<String, String> {
    let mut commands = String::new();
    for object in Object::BOTH {
        for (row, given) in rows(header, table, object)? {
            for accessor in &given {
                let treated = match object {
                    Object::Body => on_body(row, accessor),
                    Object::Ensemble => on_ensemble(row, accessor),
                };
                let treated = treated.ok_or_else(|| {
                    format!("{}: it is not plain in MATLAB", accessor.function.name)
                })?;
                let command = command(row, accessor);
                let text = format!("    {{\"{command}\", {treated}}},")
                    .replace(' ', NO_BREAK)
                    .replace(&format!(",{NO_BREAK}."), ", .");
                commands += &in_lines(WIDTH, "", "     ", &text);
            }
        }
    }
    Ok(commands)
}

/// The name of a command: `get_time`.
fn command(row: &Row, a: &Accessor) -> String {
    let name = word(row);
    match a.action {
        Action::Get => format!("get_{name}"),
        Action::Do => name.to_owned(),
        _ => format!("set_{name}"),
    }
}

/// The function that carries out a command on a body, and what it needs to know.
fn on_body(row: &Row, a: &Accessor) -> Option<String> {
    let call = &a.function.name;
    if let Some(result) = a.result() {
        let width = match result.form {
            Form::Double => 1,
            Form::Numbers(numbers) => numbers,
            Form::Bits => {
                return Some(format!(
                    "get_whole_of_body, 0, BODY, .always = true, .body.whole = {call}"
                ));
            }
            _ => return None,
        };
        return Some(if row.asks_torque {
            format!("ask_of_body, 0, BODY, .body.ask = {call}")
        } else {
            format!("get_of_body, 0, BODY, .always = true, .width = {width}, .body.get = {call}")
        });
    }
    let given = a.given();
    let [argument] = given[..] else {
        return given
            .is_empty()
            .then(|| format!("do_with_body, 0, BODY, .body.do_it = {call}"));
    };
    let name = argument_name(row, a, argument.name);
    let nothing = if row.clear.is_empty() {
        ""
    } else {
        ", .may_be_nothing = true"
    };
    let (how, width) = match argument.form {
        Form::Double => ("set_number", 1),
        Form::Numbers(numbers) => ("set_numbers", numbers),
        Form::Bits => ("set_whole", 1),
        _ => return None,
    };
    Some(format!(
        "{how}_of_body, 1, BODY, .body.{how} = {call}{nothing}, .in = {{{{\"{name}\", {width}}}}}"
    ))
}

/// The same for a command on an ensemble.
fn on_ensemble(row: &Row, a: &Accessor) -> Option<String> {
    let call = &a.function.name;
    if let Some(result) = a.result() {
        return Some(match result.form {
            Form::Double => format!("get_totals, 0, ENSEMBLE, .width = 1, .total = {call}"),
            Form::Numbers(n) => {
                format!("get_totals, 0, ENSEMBLE, .width = {n}, .total = {call}")
            }
            Form::Each {
                numbers,
                is_packed: false,
            } => {
                format!("get_rows, 0, ENSEMBLE, .width = {numbers}, .get = {call}")
            }
            Form::Each { numbers: 1, .. } => {
                format!("get_list, 0, ENSEMBLE, .list = {call}")
            }
            Form::Bits => format!("get_whole, 0, ENSEMBLE, .whole = {call}"),
            _ => return None,
        });
    }
    let given = a.given();
    let [argument] = given[..] else {
        return given
            .is_empty()
            .then(|| format!("do_it, 0, ENSEMBLE, .do_it = {call}"));
    };
    let name = argument_name(row, a, argument.name);
    Some(match argument.form {
        Form::Double => {
            format!("set_number, 1, ENSEMBLE, .set_number = {call}, .in = {{{{\"{name}\", 1}}}}")
        }
        Form::Numbers(n) => format!(
            "set_numbers, 1, ENSEMBLE, .set_numbers = {call}, .in = {{{{\"{name}\", {n}}}}}"
        ),
        Form::Each {
            numbers,
            is_packed: false,
        } => format!(
            "set_rows, 1, ENSEMBLE, .width = {numbers}, .set = {call}, .in = {{{{\"{name}\", {numbers}}}}}"
        ),
        Form::Bits => {
            format!("set_whole, 1, ENSEMBLE, .set_whole = {call}, .in = {{{{\"{name}\", 1}}}}")
        }
        _ => return None,
    })
}

/// What an error calls the argument.
fn argument_name(row: &Row, a: &Accessor, name: &str) -> String {
    if a.action == Action::Do {
        camel(name)
    } else {
        property(row)
    }
}

/// The lines of the properties that can be set, or of those that cannot.
pub(crate) fn properties(
    header: &Header,
    table: &Table,
    object: Object,
    can_be_set: bool,
) -> Result<String, String> {
    let mut lines = String::new();
    for (row, given) in rows(header, table, object)? {
        let has = |action| given.iter().any(|accessor| accessor.action == action);
        if has(Action::Get) && has(Action::Set) == can_be_set && !row.asks_torque {
            let first = format!("    {:28}% ", property(row));
            let others = format!("    {:28}% ", "");
            let shape = given.iter().find_map(shape).unwrap_or_default();
            let mut text = format!("{shape}{}", row.is);
            for more in [&row.get, &row.set] {
                let is_of_setting = std::ptr::eq(more, &row.set);
                if !more.is_empty() && (can_be_set || !is_of_setting) {
                    text += &format!(". {more}");
                    text = text.trim_end_matches('.').to_owned();
                }
            }
            if has(Action::Set) && !row.clear.is_empty() {
                text += &format!(". []: {}", lower(&row.clear));
            }
            let text = with_names(&text, |name| written(table, name));
            let text = text.strip_suffix('.').unwrap_or(&text);
            lines += &in_lines(WIDTH, &first, &others, text);
        }
    }
    Ok(lines)
}

fn shape(a: &Accessor) -> Option<String> {
    Some(match a.result()?.form {
        Form::Each { numbers, .. } => format!("N-by-{numbers}: "),
        Form::Numbers(numbers) => format!("1-by-{numbers}: "),
        Form::Bits => "uint64: ".to_owned(),
        _ => return None,
    })
}

/// The methods that get and set properties, and those of verbs.
pub(crate) fn methods(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut methods = vec![];
    for (row, given) in rows(header, table, object)? {
        for a in &given {
            let (name, command) = (property(row), command(row, a));
            methods.push(match a.action {
                Action::Get if row.asks_torque => function(table, a, &name, &command),
                Action::Get => format!(
                    "    function value = get.{name}(obj)\n      value = quatint_mex('{command}', obj.id);\n    end\n"
                ),
                Action::Do => function(table, a, &name, &command),
                _ => format!(
                    "    function set.{name}(obj, value)\n{}    end\n",
                    called(a, &command, &format!(", {}", taken(&name)))
                ),
            });
        }
    }
    Ok(methods.join("\n"))
}

/// What a property is set to. An orientation may be an object of a class `quaternion`.
fn taken(property: &str) -> &str {
    if property == "orientation" {
        "quatint.detail.fourNumbers(value)"
    } else {
        "value"
    }
}

/// The lines that call a command. M code answers what the command asks.
fn called(a: &Accessor, command: &str, arguments: &str) -> String {
    let plainly = format!("quatint_mex('{command}', obj.id{arguments});\n");
    let answering = format!("obj.answer([], obj.inertiaFunction, '{command}'{arguments});\n");
    if a.row.asks_torque {
        format!("      value = {answering}")
    } else if a.asks_inertia() {
        format!(
            "      if isempty(obj.inertiaFunction)\n        {plainly}      else\n        {answering}      end\n"
        )
    } else {
        format!("      {plainly}")
    }
}

/// A verb, or a noun for which the torque is asked.
fn function(table: &Table, a: &Accessor, name: &str, command: &str) -> String {
    let given: Vec<_> = a
        .given()
        .iter()
        .map(|argument| camel(argument.name))
        .collect();
    let list = given.join(", ");
    let object = a.object.variable();
    let result = if a.action == Action::Get {
        "value = "
    } else {
        ""
    };
    let text = with_names(&a.text("Gets "), |name| written(table, name));
    let help = in_lines(
        WIDTH,
        "    % ",
        "    % ",
        &format!(
            "{result}{object}.{name}({list}){NO_BREAK} {}",
            imperative(&text)
        ),
    );
    let all = given
        .iter()
        .map(|name| format!(", {name}"))
        .collect::<String>();
    let need = if given.is_empty() {
        String::new()
    } else {
        let count = given.len() + 1;
        format!(
            "      if nargin < {count}, quatint.detail.tooFew('{object}.{name}({list})'); end\n"
        )
    };
    let call = called(a, command, &all);
    format!("    function {result}{name}(obj{all})\n{help}{need}{call}    end\n")
}

/// The noun as it is of one body.
fn word(row: &Row) -> &str {
    if row.single.is_empty() {
        &row.name
    } else {
        &row.single
    }
}

fn property(row: &Row) -> String {
    camel(word(row))
}

/// A name in a text: what is set is a property.
fn written(table: &Table, name: &str) -> String {
    let noun = name.strip_prefix("set_").unwrap_or(name);
    camel(if table.has_noun(noun) { noun } else { name })
}

/// `set_time` is `setTime`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or("").to_owned();
    words.fold(first, |all, word| all + &capitalized(word))
}
