//! The plain type-bound procedures of Fortran: those of `qi_body_t` and of `qi_ensemble_t`. The module
//! has their interfaces, a submodule what they do.
//!
//! What is gotten is an argument, `call body%get_time(time)`, so that the call has `stat`. A count
//! and a choice are functions. An array whose size the library knows is checked before the call.

use crate::accessor::{Accessor, Action, Argument, Choice, Form, Object, accessors};
use crate::fortran::{self, WIDTH};
use crate::header::Header;
use crate::table::{Language, Table};
use crate::text::{breaking_at_commas, in_lines, with_names};

/// The lines of the type that name its procedures.
pub(crate) fn bound(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut lines = String::new();
    for row in table.rows_for(Language::Fortran) {
        for accessor in accessors(header, row, object)? {
            let name = name(&accessor);
            lines += &format!("      procedure :: {name} => {}_{name}\n", object.word());
        }
    }
    Ok(lines)
}

/// What the module says of each procedure.
pub(crate) fn interfaces(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut interfaces = vec![];
    for row in table.rows_for(Language::Fortran) {
        for accessor in accessors(header, row, object)? {
            interfaces.push(interface(table, &accessor));
        }
    }
    let interfaces = interfaces.join("\n");
    Ok(format!("   interface\n{interfaces}   end interface\n"))
}

/// What each procedure does, in the submodule.
pub(crate) fn procedures(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut procedures = vec![];
    for row in table.rows_for(Language::Fortran) {
        for accessor in accessors(header, row, object)? {
            let name = full_name(&accessor);
            let body = if is_function(&accessor) {
                function_body(&accessor)
            } else {
                subroutine_body(&accessor)
            };
            procedures.push(format!(
                "   module procedure {name}\n{body}   end procedure {name}\n"
            ));
        }
    }
    Ok(procedures.join("\n"))
}

fn name(a: &Accessor) -> String {
    if a.action == Action::Get && !is_function(a) {
        format!("get_{}", a.row.name)
    } else {
        a.name()
    }
}

/// Whether it gives a count or a choice, which a Fortran function can return.
fn is_function(a: &Accessor) -> bool {
    let is_one = |result: &Argument| matches!(result.form, Form::Size | Form::Choice(_));
    a.is_direct() || a.result().is_some_and(is_one)
}

/// The name of the procedure that is bound to the type.
fn full_name(a: &Accessor) -> String {
    format!("{}_{}", a.object.word(), name(a))
}

fn interface(table: &Table, a: &Accessor) -> String {
    let written = |name: &str| {
        if table.has_noun(name) {
            format!("get_{name}")
        } else {
            name.to_owned()
        }
    };
    let getting = if is_function(a) { "" } else { "Gets " };
    let mut text = with_names(&a.text(getting), written);
    if !a.text_on_each().is_empty() {
        text = format!("{text} {}", a.text_on_each());
    }
    let comment = in_lines(WIDTH, "      !> ", "      !! ", &text);
    comment
        + &if is_function(a) {
            function(a)
        } else {
            subroutine(a)
        }
}

fn function(a: &Accessor) -> String {
    let name = full_name(a);
    let class = class(a);
    let head = match a.result() {
        None => format!("pure integer function {name}(self)"),
        Some(Argument {
            name: result,
            form: Form::Choice(choice),
            ..
        }) => format!(
            "{} function {name}(self) result({result})",
            type_of(*choice)
        ),
        Some(_) => format!("integer function {name}(self)"),
    };
    format!("      module {head}\n{class}      end function {name}\n")
}

fn function_body(a: &Accessor) -> String {
    let name = full_name(a);
    let call = &a.function.name;
    match a.result() {
        None => format!("      {name} = {call}(held(self%owned))\n"),
        Some(Argument {
            name: count,
            form: Form::Size,
            ..
        }) => format!(
            "      integer(c_size_t) :: {count}\n\n      {count} = 0\n      \
             if ({call}(held(self%owned), {count}) /= QI_OK) {count} = 0\n      {name} = int({count})\n"
        ),
        Some(Argument { name: choice, .. }) => {
            format!("      call settle({call}(held(self%owned), {choice}%number))\n")
        }
    }
}

fn class(a: &Accessor) -> String {
    let intent = if a.is_constant { "in" } else { "inout" };
    format!(
        "         class(qi_{}_t), intent({intent}) :: self\n",
        a.object.word()
    )
}

/// The dummy arguments, but `self` and what every procedure has.
fn dummies<'a>(a: &'a Accessor) -> Vec<&'a Argument<'a>> {
    let given = if a.action == Action::Clear {
        vec![]
    } else {
        a.given()
    };
    given.into_iter().chain(a.result()).collect()
}

fn subroutine(a: &Accessor) -> String {
    let dummies = dummies(a);
    let has_layout = dummies.iter().any(|argument| is_strided(argument));
    let mut names = vec!["self"];
    names.extend(dummies.iter().map(|argument| argument.name));
    if has_layout {
        names.push("layout");
    }
    names.extend(["stat", "errmsg"]);

    let name = full_name(a);
    let head = format!("module subroutine {name}({})", names.join(", "));
    let mut text = statement(6, &head) + &class(a);
    for argument in &dummies {
        text += &declared(argument);
    }
    if has_layout {
        text += "         type(qi_layout_t), intent(in), optional :: layout\n";
    }
    text += "         integer, intent(out), optional :: stat\n";
    text += "         character(*), intent(inout), optional :: errmsg\n";
    text + &format!("      end subroutine {name}\n")
}

fn subroutine_body(a: &Accessor) -> String {
    let dummies = dummies(a);
    let views = dummies.iter().filter_map(|argument| view(a, argument));
    let views = views.collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    if !views.is_empty() {
        text += &format!("      type(view_t) :: {views}\n");
    }
    let copies = dummies.iter().filter(|argument| is_copied(argument));
    let copies =
        copies.map(|argument| format!("of_{}({})", argument.name, extents(numbers_of(argument))));
    let copies = copies.collect::<Vec<_>>().join(", ");
    if !copies.is_empty() {
        text += &format!("      real(c_double) :: {copies}\n");
    }
    let written = dummies
        .iter()
        .find(|argument| argument.is_result && is_copied(argument));
    if written.is_some() {
        text += "      integer(c_int32_t) :: status\n";
    }
    if !text.is_empty() {
        text += "\n";
    }
    for argument in &dummies {
        text += &checked(a, argument);
    }
    let passed = if a.action == Action::Clear {
        nulls(a)
    } else {
        passed(a)
    };
    let call = format!("{}(held(self%owned){passed})", a.function.name);
    match written {
        Some(Argument { name, .. }) => {
            text += &statement(6, &format!("status = {call}"));
            text += "      call settle(status, stat, errmsg)\n";
            text + &format!("      if (status == QI_OK) call put(of_{name}, {name})\n")
        }
        None => text + &statement(6, &format!("call settle({call}, stat, errmsg)")),
    }
}

/// Whether it is a vector or a matrix of fixed size, of which the procedure makes a copy.
fn is_copied(argument: &Argument) -> bool {
    matches!(argument.form, Form::Numbers(_)) && !argument.is_optional
}

fn numbers_of(argument: &Argument) -> usize {
    match argument.form {
        Form::Numbers(numbers) => numbers,
        _ => 0,
    }
}

/// The extents of an array with the numbers of one body.
fn extents(numbers: usize) -> String {
    match numbers {
        9 => "3, 3".to_owned(),
        numbers => numbers.to_string(),
    }
}

fn is_strided(argument: &Argument) -> bool {
    matches!(
        argument.form,
        Form::Each {
            is_packed: false,
            ..
        }
    )
}

/// The variable that locates the array: `view` if there is one array of each body.
fn view(a: &Accessor, argument: &Argument) -> Option<String> {
    let is_each = |argument: &&Argument| matches!(argument.form, Form::Each { .. });
    if !is_each(&argument) {
        return None;
    }
    let is_one = a.arguments.iter().filter(is_each).count() == 1;
    Some(if is_one {
        "view".to_owned()
    } else {
        format!("of_{}", argument.name)
    })
}

/// The declaration of a dummy argument.
fn declared(argument: &Argument) -> String {
    let Argument {
        name,
        form,
        is_result,
        ..
    } = *argument;
    let intent = match form {
        Form::Each { .. } | Form::Numbers(_) if is_result => "intent(inout)",
        _ if is_result => "intent(out)",
        _ => "intent(in)",
    };
    let optional = if argument.is_optional {
        ", optional"
    } else {
        ""
    };
    let (kind, extent) = match form {
        Form::Double => ("real(c_double)", String::new()),
        Form::Integer => ("integer(c_int32_t)", String::new()),
        Form::Bits => ("integer(c_int64_t)", String::new()),
        Form::Count | Form::Size => ("integer", String::new()),
        Form::Choice(choice) => (type_of(choice), String::new()),
        Form::Numbers(_) if argument.is_optional => ("real(c_double)", "(:)".to_owned()),
        Form::Numbers(_) => ("real(c_double)", "(..)".to_owned()),
        Form::Each { .. } => ("real(c_double)", "(..)".to_owned()),
    };
    let optional = if form == Form::Choice(Choice::Frame) {
        ", optional"
    } else {
        optional
    };
    let target = match form {
        Form::Each { .. } => ", target",
        Form::Numbers(_) if !argument.is_optional => ", target",
        _ => "",
    };
    let first = format!("         {kind}, {intent}{target}{optional} :: {name}{extent}");
    match said(argument) {
        said if said.is_empty() => first + "\n",
        said => in_lines(WIDTH, &format!("{first}   !! "), "            !! ", &said),
    }
}

fn type_of(choice: Choice) -> &'static str {
    match choice {
        Choice::Frame => "type(qi_frame_t)",
        Choice::Layout => "type(qi_layout_t)",
        Choice::Keep => "type(qi_keep_t)",
        Choice::Method => "type(qi_method_t)",
        Choice::SolveMethod => "type(qi_solve_method_t)",
    }
}

/// The comment on a dummy argument: its shape, and what the header says of it.
fn said(argument: &Argument) -> String {
    let comment = argument
        .comment
        .strip_prefix("receives ")
        .unwrap_or(argument.comment);
    let absent = comment
        .split_once("NULL: ")
        .filter(|_| argument.is_optional);
    let absent = absent.map_or(String::new(), |(_, absent)| format!("; absent: {absent}"));
    match argument.form {
        Form::Each { numbers, is_packed } => {
            let one = extents(numbers);
            let mut shapes = vec![];
            if !argument.is_result {
                shapes.push(if numbers == 1 {
                    "one for all bodies".to_owned()
                } else {
                    format!("({one}) for all bodies")
                });
            }
            shapes.push(if numbers == 1 {
                "(n)".to_owned()
            } else {
                format!("({one}, n)")
            });
            if !is_packed {
                shapes.push(format!("(n, {one}) with layout = QI_LAYOUT_SOA"));
            }
            shapes.join(", or ") + &absent
        }
        Form::Numbers(numbers) => {
            let shape = format!("({})", extents(numbers));
            let more = comment
                .split_once(" doubles, ")
                .map_or("", |(_, more)| more);
            let more = more.replace("row-major, ", "");
            let more = more.split("; NULL").next().unwrap_or("");
            if more.is_empty() || more.contains("qi_") {
                shape + &absent
            } else {
                format!("{shape}, {more}{absent}")
            }
        }
        Form::Choice(Choice::Frame) => {
            "of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY".to_owned()
        }
        _ if argument.is_result || comment == "1 double" => String::new(),
        _ => comment.to_owned(),
    }
}

/// The check of a dummy argument before the call.
fn checked(a: &Accessor, argument: &Argument) -> String {
    let name = argument.name;
    let refuse = |check: &str, more: &str| {
        let text = format!("if (.not. {check}, stat, errmsg{more})) return");
        if argument.is_optional {
            format!(
                "      if (present({name})) then\n{}      end if\n",
                statement(9, &text)
            )
        } else {
            statement(6, &text)
        }
    };
    let view = view(a, argument).unwrap_or_default();
    match argument.form {
        Form::Numbers(numbers) => {
            let shape = extents(numbers);
            if argument.is_result || argument.is_optional {
                refuse(&format!("has_size('{name}', {name}, [{shape}]"), "")
            } else {
                refuse(&format!("taken('{name}', {name}, [{shape}], of_{name}"), "")
            }
        }
        Form::Count | Form::Size => refuse(&format!("is_count({name}, '{name}'"), ""),
        Form::Each { numbers, is_packed } => {
            let one = match numbers {
                1 => "integer ::".to_owned(),
                numbers => extents(numbers),
            };
            let (of, more) = match (argument.is_result, is_packed) {
                (true, _) if numbers == 1 => ("view_of", ", count=self%count()"),
                (true, _) => ("view_of", ", layout, self%count()"),
                (false, true) => ("packed_view_of", ""),
                (false, false) => ("view_of", ", layout"),
            };
            refuse(
                &format!("{of}(held(self%owned), '{name}', {name}, [{one}], {view}"),
                more,
            )
        }
        _ => String::new(),
    }
}

/// The arguments of C after the handle.
fn passed(a: &Accessor) -> String {
    let each = a.arguments.iter().map(|argument| {
        let name = argument.name;
        let view = view(a, argument).unwrap_or_default();
        match argument.form {
            Form::Count => format!(", int({name}, c_int64_t)"),
            Form::Size => format!(", int({name}, c_size_t)"),
            Form::Choice(Choice::Frame) => format!(", frame_or_world({name})"),
            Form::Choice(_) => format!(", {name}%number"),
            Form::Numbers(9) if argument.comment.contains("row-major") => {
                format!(", row_by_row(of_{name})")
            }
            Form::Numbers(_) if is_copied(argument) => format!(", of_{name}"),
            Form::Each {
                is_packed: true, ..
            } => format!(", {view}%first, {view}%body_stride"),
            Form::Each { .. } => {
                format!(", {view}%first, {view}%body_stride, {view}%component_stride")
            }
            _ => format!(", {name}"),
        }
    });
    each.collect()
}

/// The arguments of C that remove something: NULL, which is left out, and zeros.
fn nulls(a: &Accessor) -> String {
    let mut text = String::new();
    let mut is_left_out = false;
    for argument in &a.arguments {
        let keyword = if is_left_out {
            format!("{}=", argument.name)
        } else {
            String::new()
        };
        match argument.form {
            Form::Numbers(_) => is_left_out = true,
            Form::Each {
                is_packed: true, ..
            } => text += ", c_null_ptr, 0_c_ptrdiff_t",
            Form::Each { .. } => text += ", c_null_ptr, 0_c_ptrdiff_t, 0_c_ptrdiff_t",
            Form::Double => text += &format!(", {keyword}0.0_c_double"),
            _ => text += &format!(", {keyword}0_c_int64_t"),
        }
    }
    text
}

/// A statement, in as many lines as it needs.
fn statement(indent: usize, text: &str) -> String {
    let (first, others) = (" ".repeat(indent), " ".repeat(indent + 3));
    // no break within `if (.not. ...`, an array or a declaration
    fortran::statement(&first, &others, &breaking_at_commas(text))
}
