//! The plain functions of Julia, each with a method for a `Body`, an `Ensemble` or both; and the
//! properties that call them.
//!
//! What sets or does something has a name with `!` and returns the object. `nothing` removes.

use crate::accessor::{Accessor, Action, Argument, Choice, Form, Object, accessors};
use crate::header::Header;
use crate::table::{Language, Row, Table};
use crate::text::{breaking_at_commas, in_lines, lower, with_names};

const WIDTH: usize = 127;

pub(crate) fn functions(header: &Header, table: &Table) -> Result<String, String> {
    let mut exported = vec![];
    let mut functions = vec![];
    for row in table.rows_for(Language::Julia) {
        for action in [Action::Get, Action::Set, Action::Do] {
            let methods = methods(header, row, action)?;
            if let Some(first) = methods.first() {
                if name(first) != "time" {
                    exported.push(name(first));
                }
                functions.push(function(table, &methods));
            }
        }
    }
    let exported = in_lines(WIDTH, "export ", "    ", &exported.join(", "));
    Ok(format!("{exported}\n{}", functions.join("\n")))
}

/// The properties of an object that can be read, and those that can be set, by the functions of
/// their names.
pub(crate) fn properties(header: &Header, table: &Table) -> Result<String, String> {
    let mut text = String::new();
    for object in Object::BOTH {
        let (mut getters, mut setters) = (vec![], vec![]);
        for row in table.rows_for(Language::Julia) {
            let accessors = accessors(header, row, object)?;
            let has = |action| accessors.iter().any(|a| a.action == action);
            if has(Action::Get) && !row.asks_torque {
                getters.push(format!("{0} = {0}", row.name));
                if has(Action::Set) {
                    setters.push(format!("{0} = set_{0}!", row.name));
                }
            }
        }
        let class = object.word().to_uppercase();
        for (what, pairs) in [("GETTERS", getters), ("SETTERS", setters)] {
            let first = format!("const PLAIN_{class}_{what} = (");
            let pairs = breaking_at_commas(&pairs.join(", "));
            text += &in_lines(WIDTH, &first, "    ", &format!("{pairs},)"));
        }
    }
    Ok(text)
}

/// What a row gives for an action: a method for each object that has it.
fn methods<'a>(
    header: &'a Header,
    row: &'a Row,
    action: Action,
) -> Result<Vec<Accessor<'a>>, String> {
    let mut methods = vec![];
    for object in Object::BOTH {
        let all = accessors(header, row, object)?;
        methods.extend(all.into_iter().filter(|a| a.action == action));
    }
    Ok(methods)
}

fn name(a: &Accessor) -> String {
    match a.action {
        Action::Get => a.row.name.clone(),
        _ => format!("{}!", a.name()),
    }
}

fn function(table: &Table, methods: &[Accessor]) -> String {
    let signatures: String = methods
        .iter()
        .map(|a| format!("    {}\n", signature(a)))
        .collect();
    let written = |name: &str| {
        let mark = if table.has_noun(name) { "" } else { "!" };
        format!("[`{name}{mark}`](@ref)")
    };
    let mut text = String::new();
    for a in methods.iter().take(1) {
        text = with_names(&a.text(""), written);
        if a.action == Action::Set && !a.row.clear.is_empty() {
            text += &format!(" `nothing`: {}", lower(&a.row.clear));
        }
    }
    for a in methods {
        text += &on_arrays(a);
    }
    let text = in_lines(WIDTH, "", "", &text);
    let definitions: String = methods.iter().map(definition).collect();
    format!("\"\"\"\n{signatures}\n{text}\"\"\"\n{definitions}")
}

/// As the docstring shows it.
fn signature(a: &Accessor) -> String {
    let mut given = vec![a.object.word().to_owned()];
    given.extend(a.given().iter().map(|argument| argument.name.to_owned()));
    let layout = if strided(a).is_some() {
        "; layout = nothing"
    } else {
        ""
    };
    format!("{}({}{layout})", name(a), given.join(", "))
}

fn strided<'a, 'b>(a: &'b Accessor<'a>) -> Option<&'b Argument<'a>> {
    let mut given = a.arguments.iter().filter(|argument| !argument.is_result);
    given.find(|argument| matches!(argument.form, Form::Each { .. }))
}

/// What a docstring says of the arrays of an ensemble.
fn on_arrays(a: &Accessor) -> String {
    match a.result().or(strided(a)) {
        Some(Argument {
            form: Form::Each { numbers: 1, .. },
            is_result: true,
            ..
        }) => " A new vector.".to_owned(),
        Some(Argument {
            form: Form::Each { numbers, .. },
            is_result: true,
            ..
        }) => {
            format!(" A new matrix, {numbers}×n.")
        }
        Some(Argument {
            form: Form::Each { numbers, .. },
            ..
        }) => format!(
            " A {numbers}×n or n×{numbers} matrix, a vector of `n` vectors, or one vector for all. For `layout` see \
             [`set_orientations!`](@ref)."
        ),
        _ => String::new(),
    }
}

fn definition(a: &Accessor) -> String {
    let object = a.object.variable();
    let mut head = vec![format!("{object}::{:?}", a.object)];
    head.extend(a.given().iter().map(|argument| match argument.form {
        Form::Bits | Form::Count | Form::Size => format!("{}::Integer", argument.name),
        _ => argument.name.to_owned(),
    }));
    let layout = if strided(a).is_some() {
        "; layout = nothing"
    } else {
        ""
    };
    let base = if name(a) == "time" { "Base." } else { "" };
    let head = format!("{base}{}({}{layout}) =", name(a), head.join(", "));
    let body = match a.result() {
        Some(result) => getting(a, object, result),
        None => setting(a, object),
    };
    let line = format!("{head} {body}\n");
    if line.chars().count() <= WIDTH + 1 {
        line
    } else {
        format!("{head}\n    {body}\n")
    }
}

/// Reads what C writes.
fn getting(a: &Accessor, object: &str, result: &Argument) -> String {
    let call = &a.function.name;
    let from = match result.form {
        _ if a.row.asks_torque => return format!("at_present({object}, {call})"),
        Form::Each { numbers: 1, .. } => return format!("take_numbers({object}, {call})"),
        Form::Each { numbers, .. } => return format!("take({object}, {numbers}, {call})"),
        Form::Numbers(2) => "two_from",
        Form::Numbers(4) => "four_from",
        Form::Numbers(_) => "three_from",
        Form::Size => "size_from",
        Form::Double => "one_from",
        _ => "integer_from",
    };
    format!("GC.@preserve {object} {from}(out -> {call}(handle_of({object}), out))")
}

/// Calls C with the arguments, and returns the object.
fn setting(a: &Accessor, object: &str) -> String {
    let call = &a.function.name;
    if let Some(Argument {
        name,
        form: Form::Each { numbers, .. },
        ..
    }) = strided(a)
    {
        return format!(
            "give({object}, readable({name}, {numbers}, e.count; layout = layout), {call})"
        );
    }
    if a.action == Action::Set && !a.row.clear.is_empty() {
        let what = a.given().first().map_or("", |argument| argument.name);
        return format!("give_three({call}, {object}, {what}, \"`{what}`\")");
    }
    let mut passed = vec![format!("handle_of({object})")];
    for argument in &a.arguments {
        let name = argument.name;
        passed.push(match argument.form {
            Form::Numbers(2) => format!("two({name})"),
            Form::Numbers(4) => format!("collect(four({name}))"),
            Form::Numbers(9) => format!("nine({name})"),
            Form::Numbers(_) => format!("vector({name})"),
            Form::Choice(Choice::SolveMethod) => format!("number_of_solve_method({name})"),
            Form::Count => format!("not_negative({name}, \"{name}\")"),
            _ => name.to_owned(),
        });
    }
    let call = format!("{call}({})", passed.join(", "));
    let checked = if a.asks_inertia() {
        format!("check(calling_back(() -> {call}), {object})") // it may throw
    } else {
        format!("check({call})")
    };
    format!("(GC.@preserve {object} {checked}; {object})")
}
