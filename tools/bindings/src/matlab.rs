//! The plain properties and methods of MATLAB's `Ensemble`, and the commands of `quatint_mex` that
//! they call.
//!
//! A `Body` is an ensemble of one, so the functions on an ensemble serve both, and a noun has its
//! name for one body. What C has on a body alone is by hand.

use crate::accessor::{Accessor, Action, Form, Object, accessors, imperative, with_names};
use crate::header::Header;
use crate::table::{Language, Row, Table};
use crate::text::Lines;

const WIDTH: usize = 127;

/// The rows of MATLAB, each with what it gives an ensemble.
fn rows<'a>(
    header: &'a Header,
    table: &'a Table,
) -> Result<Vec<(&'a Row, Vec<Accessor<'a>>)>, String> {
    let mut rows = vec![];
    for row in table.rows_for(Language::Matlab) {
        if row.ensemble.is_empty() {
            let name = &row.name;
            return Err(format!(
                "interface.toml: `{name}` of a body alone is by hand in MATLAB: say so in its row"
            ));
        }
        let mut given = accessors(header, row, Object::Ensemble)?;
        given.retain(|accessor| accessor.action != Action::Clear); // what is set to []
        rows.push((row, given));
    }
    Ok(rows)
}

/// The rows of the table of commands, in C.
pub(crate) fn commands(header: &Header, table: &Table) -> Result<String, String> {
    let mut commands = String::new();
    for (row, given) in rows(header, table)? {
        for accessor in &given {
            let treated = treatment(row, accessor)
                .ok_or_else(|| format!("{}: it is not plain in MATLAB", accessor.function.name))?;
            let command = command(row, accessor);
            let text = format!("    {{\"{command}\", {treated}}},")
                .replace(' ', "\u{a0}")
                .replace(",\u{a0}.", ", .");
            let lines = Lines {
                first: "",
                others: "     ",
                continued: "",
                width: WIDTH,
            };
            commands += &lines.of(&text).replace('\u{a0}', " ");
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

/// The function that carries out a command, and what it needs to know.
fn treatment(row: &Row, a: &Accessor) -> Option<String> {
    let call = &a.function.name;
    if let Some(result) = a.result() {
        return Some(match result.form {
            Form::Double => format!("get_totals, 0, ON_ENSEMBLE, .width = 1, .total = {call}"),
            Form::Numbers(n) => {
                format!("get_totals, 0, ON_ENSEMBLE, .width = {n}, .total = {call}")
            }
            Form::Each {
                numbers,
                is_packed: false,
            } => {
                format!("get_rows, 0, ON_ENSEMBLE, .width = {numbers}, .get = {call}")
            }
            Form::Each { numbers: 1, .. } => {
                format!("get_list, 0, ON_ENSEMBLE, .always = true, .list = {call}")
            }
            Form::Bits => format!("get_whole, 0, ON_ENSEMBLE, .always = true, .whole = {call}"),
            _ => return None,
        });
    }
    let given = a.given();
    let [argument] = given[..] else { return None };
    let name = if a.action == Action::Do {
        camel(argument.name)
    } else {
        property(row)
    };
    Some(match argument.form {
        Form::Double => {
            format!("set_number, 1, ON_ENSEMBLE, .set_number = {call}, .in = {{{{\"{name}\", 1}}}}")
        }
        Form::Numbers(n) => format!(
            "set_numbers, 1, ON_ENSEMBLE, .set_numbers = {call}, .in = {{{{\"{name}\", {n}}}}}"
        ),
        Form::Each {
            numbers,
            is_packed: false,
        } => format!(
            "set_rows, 1, ON_ENSEMBLE, .width = {numbers}, .set = {call}, .in = {{{{\"{name}\", {numbers}}}}}"
        ),
        Form::Bits => {
            format!("set_whole, 1, ON_ENSEMBLE, .set_whole = {call}, .in = {{{{\"{name}\", 1}}}}")
        }
        _ => return None,
    })
}

/// The lines of the properties that can be set, or of those that cannot.
pub(crate) fn properties(
    header: &Header,
    table: &Table,
    can_be_set: bool,
) -> Result<String, String> {
    let mut lines = String::new();
    for (row, given) in rows(header, table)? {
        let has = |action| given.iter().any(|accessor| accessor.action == action);
        if has(Action::Get) && has(Action::Set) == can_be_set {
            let first = format!("    {:28}% ", property(row));
            let others = format!("    {:28}% ", "");
            let shape = given.iter().find_map(shape).unwrap_or_default();
            let get = if row.get.is_empty() {
                String::new()
            } else {
                format!(". {}", row.get)
            };
            let text = with_names(&format!("{shape}{}{get}", row.is), camel);
            let text = text.strip_suffix('.').unwrap_or(&text);
            lines += &Lines {
                first: &first,
                others: &others,
                continued: "",
                width: WIDTH,
            }
            .of(text);
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
pub(crate) fn methods(header: &Header, table: &Table) -> Result<String, String> {
    let mut methods = vec![];
    for (row, given) in rows(header, table)? {
        for a in &given {
            let (name, command) = (property(row), command(row, a));
            methods.push(match a.action {
                Action::Get => format!(
                    "    function value = get.{name}(obj)\n      value = quatint_mex('{command}', obj.id);\n    end\n"
                ),
                Action::Do => verb(a, &name, &command),
                _ => format!("    function set.{name}(obj, value)\n      quatint_mex('{command}', obj.id, value);\n    end\n"),
            });
        }
    }
    Ok(methods.join("\n"))
}

fn verb(a: &Accessor, name: &str, command: &str) -> String {
    let given: Vec<_> = a
        .given()
        .iter()
        .map(|argument| camel(argument.name))
        .collect();
    let list = given.join(", ");
    let text = imperative(&with_names(&a.text(""), camel));
    let help = Lines {
        first: "    % ",
        others: "    % ",
        continued: "",
        width: WIDTH,
    }
    .of(&format!("e.{name}({list})\u{a0} {text}"));
    let help = help.replace('\u{a0}', " ");
    let count = given.len();
    let all = given
        .iter()
        .map(|name| format!(", {name}"))
        .collect::<String>();
    format!(
        "    function {name}(obj{all})\n{help}      quatint.detail.need(nargin - 1, {count}, 'e.{name}({list})');\n      \
         quatint_mex('{command}', obj.id{all});\n    end\n"
    )
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

/// `set_time` is `setTime`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or("").to_owned();
    words.fold(first, |all, word| all + &crate::accessor::capitalized(word))
}
