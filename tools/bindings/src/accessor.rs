//! The plain functions of bodies and ensembles: what the table and the header say of each,
//! whatever the language.

use crate::header::{Function, Header, Number, Parameter, Type};
use crate::table::{Row, Table};
use crate::text::capitalized;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Object {
    Body,
    Ensemble,
}

impl Object {
    pub(crate) const BOTH: [Object; 2] = [Object::Body, Object::Ensemble];

    /// In the names of functions and variables. `{:?}` is the name of the class.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Object::Body => "body",
            Object::Ensemble => "ensemble",
        }
    }

    /// The variable for it in MATLAB and Julia.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Object::Body => "body",
            Object::Ensemble => "e",
        }
    }
}

/// One function of one object.
#[derive(Debug)]
pub(crate) struct Accessor<'a> {
    pub(crate) row: &'a Row,
    pub(crate) object: Object,
    pub(crate) action: Action,
    pub(crate) function: &'a Function,
    /// What follows the handle, in the order of C, without the strides.
    pub(crate) arguments: Vec<Argument<'a>>,
    /// Whether the object may be one that does not change.
    pub(crate) is_constant: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    Get,
    Set,
    Clear,
    Do,
}

#[derive(Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) name: &'a str,
    pub(crate) form: Form,
    /// What the header says of it.
    pub(crate) comment: &'a str,
    /// Whether the function writes it.
    pub(crate) is_result: bool,
    /// Whether it may be left out, as NULL.
    pub(crate) is_optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Double,
    /// A sum of constants, or a value that only its user understands.
    Integer,
    /// 64 bits that are not counted with: a seed, an id, a number of draws.
    Bits,
    /// A 64-bit number of things.
    Count,
    /// A `size_t`.
    Size,
    Choice(Choice),
    /// So many numbers.
    Numbers(usize),
    /// So many numbers of each body, or of one for all. `is_packed`: those of a body stand side by
    /// side.
    Each {
        numbers: usize,
        is_packed: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Choice {
    Frame,
    Layout,
    Keep,
    Method,
    SolveMethod,
}

/// How the header writes the constants of a choice.
const CHOICES: [(&str, Choice); 5] = [
    ("QI_FRAME", Choice::Frame),
    ("QI_LAYOUT", Choice::Layout),
    ("QI_KEEP", Choice::Keep),
    ("QI_METHOD", Choice::Method),
    ("QI_SOLVE", Choice::SolveMethod),
];

/// The functions that a row gives an object, those that get the noun first.
pub(crate) fn accessors<'a>(
    header: &'a Header,
    row: &'a Row,
    object: Object,
) -> Result<Vec<Accessor<'a>>, String> {
    let names = match object {
        Object::Body => &row.body,
        Object::Ensemble => &row.ensemble,
    };
    let mut accessors = vec![];
    for name in names {
        let function = header
            .functions
            .iter()
            .find(|function| function.name == *name)
            .ok_or_else(|| format!("interface.toml: the header has no {name}"))?;
        let mut add = |action| -> Result<(), String> {
            accessors.push(accessor(row, object, action, function)?);
            Ok(())
        };
        if !row.does.is_empty() {
            add(Action::Do)?;
        } else if name.starts_with("qi_get_") {
            add(Action::Get)?;
        } else {
            add(Action::Set)?;
            if !row.clear.is_empty() {
                add(Action::Clear)?;
            }
        }
    }
    Ok(accessors)
}

/// An error names the C functions of bodies and ensembles that are not in the table. A function that
/// takes a callback need not be there.
pub(crate) fn expect_all(header: &Header, table: &Table) -> Result<(), String> {
    let mut missing = vec![];
    for function in &header.functions {
        let name = &function.name;
        let in_row = |row: &Row| row.body.contains(name) || row.ensemble.contains(name);
        let is_there = table.by_hand.contains(name) || table.rows.iter().any(in_row);
        if is_of_object(function) && !takes_callback(function) && !is_there {
            missing.push(&**name);
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "interface.toml has no row for {}",
            missing.join(", ")
        ))
    }
}

fn is_of_object(function: &Function) -> bool {
    let first = function.parameters.first();
    first.is_some_and(|first| matches!(first.kind, Type::Handle { .. }))
}

fn takes_callback(function: &Function) -> bool {
    let mut parameters = function.parameters.iter();
    parameters.any(|parameter| parameter.kind == Type::Callback)
}

fn accessor<'a>(
    row: &'a Row,
    object: Object,
    action: Action,
    function: &'a Function,
) -> Result<Accessor<'a>, String> {
    let (handle, parameters) = function
        .parameters
        .split_first()
        .ok_or_else(|| format!("{} has no parameters", function.name))?;
    let mut arguments: Vec<Argument> = vec![];
    for (n, parameter) in parameters.iter().enumerate() {
        if is_stride(parameter) {
            continue;
        }
        let after = &parameters[n + 1..];
        let strides = after.iter().take_while(|p| is_stride(p)).count();
        let mut argument = argument(row, parameter, strides)
            .ok_or_else(|| format!("{}: what is `{}`?", function.name, parameter.name))?;
        if action == Action::Set && !row.clear.is_empty() && arguments.is_empty() {
            argument.is_optional = false; // to clear it is a function of its own
        }
        arguments.push(argument);
    }
    Ok(Accessor {
        row,
        object,
        action,
        function,
        arguments,
        is_constant: handle.kind == Type::Handle { constant: true },
    })
}

fn is_stride(parameter: &Parameter) -> bool {
    parameter.kind == Type::Value(Number::Ptrdiff)
}

fn argument<'a>(row: &'a Row, parameter: &'a Parameter, strides: usize) -> Option<Argument<'a>> {
    let comment = &*parameter.comment;
    let is_array = strides > 0;
    let form = match parameter.kind {
        Type::Value(Number::Int32) if parameter.name == "frame" => Form::Choice(Choice::Frame),
        Type::Value(number) | Type::Numbers { number, .. } if number != Number::Double => {
            whole(number, comment)?
        }
        Type::Value(Number::Double) => Form::Double,
        Type::Numbers { .. } if is_array => Form::Each {
            numbers: row.numbers.or_else(|| doubles(comment))?,
            is_packed: strides == 1,
        },
        Type::Numbers { .. } => match doubles(comment)? {
            1 => Form::Double,
            numbers => Form::Numbers(numbers),
        },
        _ => return None,
    };
    let name = match &*parameter.name {
        _ if is_array && !row.argument.is_empty() => &row.argument,
        "data" => &row.name,
        name => name,
    };
    Some(Argument {
        name,
        form,
        comment,
        is_result: matches!(
            parameter.kind,
            Type::Numbers {
                constant: false,
                ..
            }
        ),
        is_optional: parameter.may_be_null(),
    })
}

fn whole(number: Number, comment: &str) -> Option<Form> {
    Some(match number {
        Number::Int32 => {
            let choice = CHOICES.iter().find(|(word, _)| comment.contains(word));
            choice.map_or(Form::Integer, |(_, choice)| Form::Choice(*choice))
        }
        Number::Uint64 if comment.starts_with("number of ") => Form::Count,
        Number::Uint64 => Form::Bits,
        Number::Size => Form::Size,
        _ => return None,
    })
}

/// How many doubles a comment says that there are: "receives 3 doubles, world frame".
fn doubles(comment: &str) -> Option<usize> {
    let (before, _) = comment.split_once(" double")?;
    before.rsplit(' ').next()?.parse().ok()
}

impl<'a> Accessor<'a> {
    /// What it is called in most languages: `time`, `set_time`, `clear_drag`, `drift`.
    pub(crate) fn name(&self) -> String {
        let name = &self.row.name;
        match self.action {
            Action::Get | Action::Do => name.clone(),
            Action::Set => format!("set_{name}"),
            Action::Clear => format!("clear_{name}"),
        }
    }

    /// What it does, in whole sentences. `getting` stands before what it gets: "Gets ", or nothing.
    pub(crate) fn text(&self, getting: &str) -> String {
        let Row { is, .. } = self.row;
        let more = |first: String, more: &str| {
            if more.is_empty() {
                first
            } else {
                format!("{first} {more}")
            }
        };
        match self.action {
            Action::Get => more(capitalized(&format!("{getting}{is}.")), &self.row.get),
            Action::Set => more(format!("Sets {is}."), &self.row.set),
            Action::Clear => self.row.clear.clone(),
            Action::Do => self.row.does.clone(),
        }
    }

    /// More about an ensemble; empty for a body.
    pub(crate) fn text_on_each(&self) -> &str {
        match self.object {
            Object::Ensemble if self.action != Action::Clear => &self.row.each,
            _ => "",
        }
    }

    /// What is given to it, optional arguments last.
    pub(crate) fn given(&self) -> Vec<&Argument<'a>> {
        let mut given: Vec<_> = self.arguments.iter().filter(|a| !a.is_result).collect();
        given.sort_by_key(|argument| argument.is_optional);
        given
    }

    /// What it gives; none if it only sets or does something.
    pub(crate) fn result(&self) -> Option<&Argument<'a>> {
        self.arguments.iter().find(|argument| argument.is_result)
    }

    /// Whether the C function returns what it gets: it cannot fail.
    pub(crate) fn is_direct(&self) -> bool {
        self.function.result != Type::Value(Number::Status)
    }

    /// Whether it may call the inertia function of a body.
    pub(crate) fn asks_inertia(&self) -> bool {
        self.row.asks_inertia && self.object == Object::Body && self.action != Action::Get
    }

    /// Whether an argument is of each body.
    pub(crate) fn takes_each(&self) -> bool {
        let mut given = self.arguments.iter().filter(|argument| !argument.is_result);
        given.any(|argument| matches!(argument.form, Form::Each { .. }))
    }
}
