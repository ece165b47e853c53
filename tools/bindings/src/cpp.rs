//! The plain member functions of C++: those of `Body` and of `Ensemble`.
//!
//! A pointer becomes a `Vector`, a `Quaternion`, ... or, if each body has its own numbers, a view.
//! A function with an optional argument is two overloads. A count given as a floating-point number
//! finds an overload that is deleted.

use crate::accessor::{Accessor, Action, Argument, Choice, Form, Object, accessors};
use crate::header::Header;
use crate::table::{Language, Table};
use crate::text::{breaking_at_commas, capitalized, in_lines, with_names};

const WIDTH: usize = 100;

/// Before what a getter returns.
const NODISCARD: &str = "[[nodiscard]] ";

pub(crate) fn of_body(header: &Header, table: &Table) -> Result<String, String> {
    members(header, table, Object::Body)
}

pub(crate) fn of_ensemble(header: &Header, table: &Table) -> Result<String, String> {
    members(header, table, Object::Ensemble)
}

fn members(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut members = vec![];
    for row in table.rows_for(Language::Cpp) {
        for accessor in accessors(header, row, object)? {
            let optional = accessor.given().iter().any(|a| a.is_optional);
            if optional && accessor.action != Action::Clear {
                members.push(member(&accessor, false));
                members.push(member(&accessor, true));
            } else {
                members.push(member(&accessor, true));
            }
            members.extend(one_for_all(&accessor));
            members.extend(vector_of_each(&accessor));
            members.extend(getter_of_eigen(&accessor));
            members.extend(setter_of_eigen(&accessor));
            members.extend(deleted(&accessor));
        }
    }
    Ok(members.join("\n"))
}

/// One member function, with or without its optional arguments.
fn member(a: &Accessor, is_whole: bool) -> String {
    let given: Vec<_> = match a.action {
        Action::Clear => vec![],
        _ => {
            let given = a.given().into_iter();
            given.filter(|a| is_whole || !a.is_optional).collect()
        }
    };
    let comment =
        if a.given().iter().any(|a| a.is_optional) && is_whole && a.action != Action::Clear {
            the_same_with(&given)
        } else {
            text(a)
        };
    let (result, name) = match a.result().map(|result| result.form) {
        Some(Form::Each { .. }) => ("void".to_owned(), format!("get_{}", a.row.name)),
        Some(form) => (type_of(form).to_owned(), a.name()),
        None if a.is_direct() => (direct_type(a).to_owned(), a.name()),
        None => ("void".to_owned(), a.name()),
    };
    let mut parameters: Vec<_> = given.iter().map(|argument| parameter(argument)).collect();
    if let Some(
        result @ Argument {
            form: Form::Each { .. },
            ..
        },
    ) = a.result()
    {
        parameters.push(format!("View {}", result.name));
    }
    let constant = if a.is_constant { " const" } else { "" };
    let attribute = if result == "void" { "" } else { NODISCARD };
    let head = format!(
        "{attribute}{result} {name}({}){constant}",
        parameters.join(", ")
    );
    documented(&comment, &head, &body(a, &given, &name))
}

fn text(a: &Accessor) -> String {
    let mut text = with_names(&a.text(""), |name| format!("{name}()"));
    if a.takes_each() && a.action != Action::Clear {
        text += " Takes a range with one for each body, or one for all.";
    }
    if !a.text_on_each().is_empty() {
        text = format!("{text} {}", a.text_on_each());
    }
    text
}

/// The comment on the overload with the optional arguments.
fn the_same_with(given: &[&Argument]) -> String {
    let optional = given.iter().filter(|argument| argument.is_optional);
    let each: Vec<_> = optional
        .map(|argument| {
            let comment = argument.comment;
            let said = comment.split("; ").next().unwrap_or(comment);
            let said = said
                .split_once("]`: ")
                .or_else(|| said.split_once(", "))
                .map_or(said, |(_, said)| said);
            format!("`{}`: {said}", argument.name)
        })
        .collect();
    format!("The same with {}.", each.join(", "))
}

/// The statements of a member function.
fn body(a: &Accessor, given: &[&Argument], name: &str) -> Vec<String> {
    let mut statements = vec![];
    if let Some(result) = a.result() {
        match result.form {
            Form::Each { .. } => statements.push(data_of(result, name, "double *")),
            Form::Choice(_) => statements.push(format!("std::int32_t {};", local(a, result))),
            form => statements.push(format!("{} {};", type_of(form), local(a, result))),
        }
    }
    for argument in given {
        match argument.form {
            Form::Each { .. } => statements.push(data_of(argument, name, "const double *")),
            Form::Count => {
                let what = what_counted(argument);
                let place = format!("quatint::{:?}::{name}", a.object);
                statements.push(format!(
                    "detail::counted({}, \"{place}\", \"the {what}\");",
                    argument.name
                ));
            }
            _ => {}
        }
    }
    let mut passed = vec!["live()".to_owned()];
    for argument in &a.arguments {
        let is_given = argument.is_result || given.iter().any(|given| given.name == argument.name);
        passed.push(if is_given {
            as_passed(a, argument)
        } else {
            null(argument)
        });
    }
    let call = format!("{}({})", a.function.name, passed.join(", "));
    statements.push(match () {
        () if a.is_direct() => format!("return {call};"),
        () if a.row.replaces_inertia => format!("replaced_inertia({call});"),
        () if a.row.replaces_torque => format!("replaced({call});"),
        () if a.row.asks_torque || a.asks_inertia() => format!("stepped({call});"),
        () => format!("detail::check({call});"),
    });
    match a.result() {
        Some(Argument {
            form: Form::Each { .. },
            ..
        })
        | None => {}
        Some(
            result @ Argument {
                form: Form::Choice(choice),
                ..
            },
        ) => {
            let choice = class_of(*choice);
            statements.push(format!(
                "return static_cast<{choice}>({});",
                local(a, result)
            ));
        }
        Some(result) => statements.push(format!("return {};", local(a, result))),
    }
    statements
}

/// The data of a view, checked.
fn data_of(argument: &Argument, function: &str, pointer: &str) -> String {
    let Form::Each { numbers, is_packed } = argument.form else {
        unreachable!("only views have data")
    };
    let name = argument.name;
    let check = if is_packed && !argument.is_result {
        "packed"
    } else {
        "checked"
    };
    format!("{pointer}{name}_data = {check}({name}, {numbers}, \"{function}\");")
}

fn local(a: &Accessor, result: &Argument) -> String {
    // a variable of the name of the function would hide it
    if result.name == a.row.name {
        "value".to_owned()
    } else {
        result.name.to_owned()
    }
}

/// An argument as C takes it.
fn as_passed(a: &Accessor, argument: &Argument) -> String {
    let name = if argument.is_result {
        local(a, argument)
    } else {
        argument.name.to_owned()
    };
    match argument.form {
        Form::Each {
            is_packed: true, ..
        } => format!("{0}_data, {0}.body_stride", argument.name),
        Form::Each { .. } => {
            format!(
                "{0}_data, {0}.body_stride, {0}.component_stride",
                argument.name
            )
        }
        Form::Numbers(_) => format!("{name}.data()"),
        _ if argument.is_result => format!("&{name}"),
        Form::Choice(_) => format!("static_cast<std::int32_t>({name})"),
        _ => name,
    }
}

fn null(argument: &Argument) -> String {
    match argument.form {
        Form::Each {
            is_packed: true, ..
        } => "nullptr, 0",
        Form::Each { .. } => "nullptr, 0, 0",
        Form::Numbers(_) => "nullptr",
        _ => "0",
    }
    .to_owned()
}

fn parameter(argument: &Argument) -> String {
    let name = argument.name;
    match argument.form {
        Form::Each { .. } => format!("ConstView {name}"),
        Form::Numbers(_) => format!("const {} &{name}", type_of(argument.form)),
        Form::Choice(Choice::Frame) => format!("Frame {name} = Frame::world"),
        form => format!("{} {name}", type_of(form)),
    }
}

fn type_of(form: Form) -> &'static str {
    match form {
        Form::Double => "double",
        Form::Integer => "std::int32_t",
        Form::Bits | Form::Count => "std::uint64_t",
        Form::Size => "std::size_t",
        Form::Choice(choice) => class_of(choice),
        Form::Numbers(2) => "Clock",
        Form::Numbers(4) => "Quaternion",
        Form::Numbers(9) => "Matrix",
        Form::Numbers(_) => "Vector",
        Form::Each { numbers: 1, .. } => "double",
        Form::Each { numbers, .. } => type_of(Form::Numbers(numbers)),
    }
}

fn direct_type(a: &Accessor) -> &'static str {
    match a.function.result {
        crate::header::Type::Value(crate::header::Number::Size) => "std::size_t",
        _ => "std::int32_t",
    }
}

fn class_of(choice: Choice) -> &'static str {
    match choice {
        Choice::Frame => "Frame",
        Choice::Layout => "Layout",
        Choice::Keep => "Keep",
        Choice::Method => "Method",
        Choice::SolveMethod => "SolveMethod",
    }
}

/// What each body has one number of can be one number for all.
fn one_for_all(a: &Accessor) -> Option<String> {
    let is_one = |argument: &Argument| matches!(argument.form, Form::Each { numbers: 1, .. });
    let given = a.given();
    if a.action != Action::Set || !given.iter().any(|argument| is_one(argument)) {
        return None;
    }
    let mut parameters = vec![];
    let mut passed = vec![];
    for argument in given {
        let name = argument.name;
        if is_one(argument) {
            parameters.push(format!("double {name}"));
            passed.push(format!("ConstView(&{name}, 0)"));
        } else {
            parameters.push(parameter(argument));
            passed.push(name.to_owned());
        }
    }
    let head = format!("void {}({})", a.name(), parameters.join(", "));
    let call = format!("{}({});", a.name(), passed.join(", "));
    Some(function(&head, &[call]))
}

/// A `std::vector` of what `get_` writes to a view, and the same in a range or matrix of another
/// type.
fn vector_of_each(a: &Accessor) -> Option<String> {
    let result = a.result()?;
    let Form::Each { .. } = result.form else {
        return None;
    };
    let name = &a.row.name;
    let vector = format!("std::vector<{}>", type_of(result.form));
    let plain = function(
        &format!("{NODISCARD}{vector} {name}() const"),
        &[format!("return {name}<{vector}>();")],
    );
    let statements = [
        "T values = detail::room_for<T>(count());".to_owned(),
        format!("get_{name}(values);"),
        "return values;".to_owned(),
    ];
    let any = function(&format!("{NODISCARD}T {name}() const"), &statements);
    Some(format!("{plain}\n    template <class T>\n{any}"))
}

/// The overload of a getter that returns a type of Eigen.
fn getter_of_eigen(a: &Accessor) -> Option<String> {
    if !is_value(a.result()?) {
        return None;
    }
    let name = a.name();
    let constant = if a.is_constant { " const" } else { "" };
    let head = format!("{NODISCARD}T {name}(){constant}");
    let returns = format!("return to_eigen<T>({name}());");
    let getter = function(&head, &[returns]);
    Some(format!("    template <class T>\n{getter}"))
}

/// The overload that takes values of Eigen.
fn setter_of_eigen(a: &Accessor) -> Option<String> {
    if a.action == Action::Clear || !a.given().iter().any(|argument| is_value(argument)) {
        return None;
    }
    let name = a.name();
    let setter = function(
        &format!("void {name}(const Given &...given)"),
        &[format!("{name}(detail::plain(given)...);")],
    );
    Some(format!(
        "    template <class... Given, detail::IfEigen<Given...> = nullptr>\n{setter}"
    ))
}

/// Whether Eigen has a type for it.
fn is_value(argument: &Argument) -> bool {
    matches!(argument.form, Form::Numbers(3 | 4 | 9))
}

/// The overload that refuses a floating-point number in the place of a whole one.
fn deleted(a: &Accessor) -> Option<String> {
    let is_whole =
        |argument: &&&Argument| matches!(argument.form, Form::Bits | Form::Count | Form::Size);
    let given = a.given();
    let whole: Vec<_> = given.iter().filter(is_whole).collect();
    if whole.is_empty() || a.action == Action::Clear {
        return None;
    }
    let class = |argument: &Argument| capitalized(argument.name);
    let classes: Vec<_> = whole.iter().map(|argument| class(argument)).collect();
    let parameters = given.iter().map(|argument| match argument.form {
        Form::Bits | Form::Count | Form::Size => class(argument),
        Form::Each { .. } => "ConstView".to_owned(),
        Form::Numbers(_) => format!("const {} &", type_of(argument.form)),
        form => type_of(form).to_owned(),
    });
    let optional = given.iter().any(|argument| argument.is_optional);
    let mut parameters: Vec<_> = parameters.collect();
    let mut heads = vec![parameters.join(", ")];
    if optional {
        parameters.pop();
        heads.insert(0, parameters.join(", "));
    }
    let typed: Vec<_> = classes
        .iter()
        .map(|class| format!("class {class}"))
        .collect();
    let whole: Vec<_> = whole
        .into_iter()
        .map(|argument| counted_word(argument))
        .collect();
    let words = match &whole[..] {
        [one] if one.ends_with('s') => format!("{one} are a whole number"),
        [one] => format!("the {one} is a whole number"),
        several => format!("{} are whole numbers", several.join(" and ")),
    };
    let overloads: Vec<_> = heads
        .iter()
        .map(|head| {
            // in one line, because compilers show the line of the deleted function
            format!(
                "    template <{}, detail::IfNotWhole<{}> = nullptr>\n    void {}({head}) = delete; // {words}\n",
                typed.join(", "),
                classes.join(", "),
                a.name(),
            )
        })
        .collect();
    Some(overloads.concat())
}

/// What a whole number counts, in a word.
fn counted_word<'a>(argument: &Argument<'a>) -> &'a str {
    match argument.form {
        Form::Count => what_counted(argument)
            .rsplit(' ')
            .next()
            .unwrap_or(argument.name),
        _ => argument.name,
    }
}

/// `number of torque evaluations`
fn what_counted<'a>(argument: &Argument<'a>) -> &'a str {
    argument.comment.split(['.', ';', ',']).next().unwrap_or("")
}

fn documented(comment: &str, head: &str, statements: &[String]) -> String {
    let comment = in_lines(WIDTH, "    /// ", "    /// ", comment);
    comment + &function(head, statements)
}

/// In one line if that can be.
fn function(head: &str, statements: &[String]) -> String {
    let line = format!("    {head} {{ {} }}\n", statements.join(" "));
    if statements.len() == 1 && line.len() <= WIDTH + 1 {
        return line;
    }
    let indent = 5 + head.find('(').unwrap_or(0);
    let mut text = broken("    ", indent, head);
    text += "    {\n";
    for statement in statements {
        let call = statement.rfind("qi_").unwrap_or(0);
        let indent = 9 + call + statement[call..].find('(').unwrap_or(0);
        text += &broken("        ", indent, statement);
    }
    text + "    }\n"
}

/// Lines that go on below what stands in brackets.
fn broken(first: &str, indent: usize, text: &str) -> String {
    let others = " ".repeat(indent);
    // no break before a bracket, within `double x`, or around `=`
    in_lines(WIDTH, first, &others, &breaking_at_commas(text))
}
