//! The Fortran module `quatint_c`: the constants of the header, and an interface for each function.
//!
//! ```text
//!     C                        Fortran
//!     double x                 real(c_double), value :: x
//!     const double *x          real(c_double), intent(in) :: x(3)        the comment says "3 doubles"
//!     double *x                real(c_double), intent(out) :: x(3)       it says "receives 3 doubles"
//!     double *x                real(c_double), intent(inout) :: x(3)     it does not say "receives"
//!     double *x                real(c_double), intent(inout) :: x(3, *)  it says "receives 3 doubles a body"
//!     const double *x          type(c_ptr), value :: x                   it speaks of a stride: c_loc of the first number
//!     size_t *n                integer(c_size_t), intent(out) :: n       it says "receives the number"
//!     const size_t *n          integer(c_size_t), intent(in) :: n(*)
//!     const char *s            character(kind=c_char), intent(in) :: s(*)
//!     qi_body *b, void *p      type(c_ptr), value :: b, p
//!     qi_torque_fn f           type(c_funptr), value :: f
//! ```
//! The comment on a pointer that says "NULL:" or "NULL or" makes it `optional`. A function that reads one object
//! and gives a number is `pure`. Fortran has no unsigned integers: those of C become signed ones of
//! the same size.

use crate::header::{Constant, Function, Header, Number, Parameter, Type};
use crate::text::{Lines, NO_BREAK, brief, in_lines};

pub(crate) const WIDTH: usize = 126;

/// Arguments of which the header does not say enough: function, argument, intent, extent.
const EXCEPTIONS: [(&str, &str, &str, &str); 14] = [
    // "receives the rows"; the comment of the function says that a row is 8 doubles
    ("qi_record", "records", "out", "(8, *)"),
    ("qi_solve_record", "records", "out", "(8, *)"),
    ("qi_solve_monitored", "records", "out", "(8, *)"),
    // "9 doubles for each triangle"
    ("qi_add_mesh_mass", "corners", "in", "(3, 3, *)"),
    // "`count` times"
    ("qi_solve_record", "times", "in", "(*)"),
    ("qi_solve_monitored", "times", "in", "(*)"),
    // rows of any size
    ("qi_get_ensemble_rows", "rows", "inout", "(*)"),
    ("qi_set_ensemble_rows", "rows", "in", "(*)"),
    // QI_SUM_SIZE integers, or 3 times as many
    ("qi_get_kinetic_energy_sums", "sums", "out", "(*)"),
    ("qi_get_angular_momentum_sums", "sums", "out", "(*)"),
    ("qi_add_to_sum", "sum", "inout", "(*)"),
    // "the numbers"
    ("qi_add_to_sum", "values", "in", "(*)"),
    // "as for qi_next_ensemble_stage()", and "likewise"
    (
        "qi_continue_ensemble_step",
        "orientation",
        "inout",
        "(4, *)",
    ),
    (
        "qi_continue_ensemble_step",
        "angular_velocity",
        "inout",
        "(3, *)",
    ),
];

/// Constants whose comments are about arrays as C indexes them.
const COMMENTS: [(&str, &str); 2] = [
    (
        "QI_LAYOUT_AOS",
        "A column for each body, `orientation(4, n)`.",
    ),
    (
        "QI_LAYOUT_SOA",
        "A row for each body, `orientation(n, 4)`: the fastest.",
    ),
];

/// The choices of arguments: a type of its own for each, so that arguments that stand side by side
/// are not confused. How its constants begin, its noun, and what the module says of it.
const CHOICES: [(&str, &str, &str); 11] = [
    ("QI_FRAME_", "frame", "The frame of a torque."),
    ("QI_LAYOUT_", "layout", "The layout of an array of vectors."),
    (
        "QI_SCALAR_",
        "order",
        "The order of the components of a quaternion.",
    ),
    (
        "QI_OMEGA_",
        "kind",
        "The kind of the bound vectors: angular velocities or momenta, in the world frame or in that of the body.",
    ),
    ("QI_ANGMOM_", "kind", ""),
    ("QI_METHOD_", "method", "The method of steps."),
    (
        "QI_SOLVE_",
        "solve_method",
        "The method of solutions with error control.",
    ),
    (
        "QI_KEEP_",
        "keep",
        "What a body keeps when its inertia is set.",
    ),
    ("QI_RISING", "crossing", "The events that count."),
    ("QI_FALLING", "crossing", ""),
    ("QI_ANY_CROSSING", "crossing", ""),
];

const HEAD: &str = "\
module quatint_c
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_ptr, c_ptrdiff_t, c_size_t
   implicit none
   private :: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_ptr, c_ptrdiff_t, c_size_t
";

const VERSION: &str = "
   !> QI_VERSION_NUMBER of quatint.h, to compare with qi_version_number(); Fortran cannot tell the two names apart.
   integer(c_int32_t), parameter :: QI_MODULE_VERSION_NUMBER = ior(ishft(QI_VERSION_MAJOR, 16), &
      ior(ishft(QI_VERSION_MINOR, 8), QI_VERSION_PATCH))
";

pub(crate) fn module(header: &Header) -> Result<String, String> {
    let types: String = types_of_choices()
        .map(|(noun, comment)| choice(noun, comment))
        .collect();
    let comparisons: Vec<String> = types_of_choices()
        .map(|(noun, _)| comparisons(noun))
        .collect();
    let mut interfaces = vec![];
    for function in &header.functions {
        interfaces.push(interface(function)?);
    }
    let parameters = parameters(&header.constants);
    let interfaces = interfaces.join("\n");
    let comparisons = comparisons.join("\n");
    Ok(format!(
        "{HEAD}{types}\n{parameters}{VERSION}\n\
        \x20  ! The C library. Arrays with strides are `type(c_ptr)`: c_loc of the first number, of a \
        target that stays.\n\
        \x20  interface\n{interfaces}   end interface\n\ncontains\n\n{comparisons}\nend module quatint_c\n"
    ))
}

/// The noun of each type of choices, and the comment on it.
fn types_of_choices() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = CHOICES.iter().filter(|(_, _, comment)| !comment.is_empty());
    named.map(|&(_, noun, comment)| (noun, comment))
}

/// The type of a choice, whose constants can be compared.
fn choice(noun: &str, comment: &str) -> String {
    let comment = commented("   !> ", "   !! ", comment);
    format!(
        "\n   private :: {noun}_equals, {noun}_differs\n{comment}   type :: qi_{noun}_t\n\
        \x20     integer(c_int32_t) :: number = 0   !! what the functions of the C library take\n\
        \x20  contains\n\
        \x20     generic :: operator(==) => equals\n\
        \x20     generic :: operator(/=) => differs\n\
        \x20     procedure, private :: equals => {noun}_equals\n\
        \x20     procedure, private :: differs => {noun}_differs\n\
        \x20  end type qi_{noun}_t\n"
    )
}

fn comparisons(noun: &str) -> String {
    let function = |name: &str, operator: &str| {
        format!(
            "   elemental logical function {noun}_{name}(self, other)\n\
            \x20     class(qi_{noun}_t), intent(in) :: self\n\
            \x20     type(qi_{noun}_t), intent(in) :: other\n\n\
            \x20     {noun}_{name} = self%number {operator} other%number\n\
            \x20  end function {noun}_{name}\n"
        )
    };
    function("equals", "==") + "\n" + &function("differs", "/=")
}

/// Statements with too many names for a line: each line but the last goes on.
pub(crate) fn statement(first: &str, others: &str, text: &str) -> String {
    Lines {
        first,
        others,
        continued: " &",
        width: WIDTH,
    }
    .of(text)
}

/// The constants one below the other, their comments in a column beside them: a column for those
/// that follow each other and are of one type.
fn parameters(constants: &[Constant]) -> String {
    let mut lines = String::new();
    for group in constants.chunk_by(|one, next| noun_of(one) == noun_of(next)) {
        let longest = group.iter().map(|constant| declared(constant).len()).max();
        let column = longest.unwrap_or(0) + 2;
        for constant in group {
            let first = format!("{:column$}!! ", declared(constant));
            let others = format!("{:column$}!! ", "");
            lines += &commented(&first, &others, comment_on(constant));
        }
    }
    lines
}

/// The noun of the type of a constant that is a choice.
fn noun_of(constant: &Constant) -> Option<&'static str> {
    let mut choices = CHOICES.iter();
    let choice = choices.find(|(prefix, ..)| constant.name.starts_with(prefix));
    choice.map(|&(_, noun, _)| noun)
}

fn declared(constant: &Constant) -> String {
    let Constant { name, value, .. } = constant;
    match noun_of(constant) {
        Some(noun) => {
            format!("   type(qi_{noun}_t), parameter :: {name} = qi_{noun}_t({value})")
        }
        None => format!("   integer(c_int32_t), parameter :: {name} = {value}"),
    }
}

fn comment_on(constant: &Constant) -> &str {
    for (name, comment) in COMMENTS {
        if name == constant.name {
            return comment;
        }
    }
    &constant.comment
}

/// A comment: in one line if that can be.
fn commented(first: &str, others: &str, comment: &str) -> String {
    in_lines(WIDTH, first, others, &brief(comment, WIDTH - first.len()))
}

fn interface(function: &Function) -> Result<String, String> {
    let mut names = vec![];
    for parameter in &function.parameters {
        names.push(&*parameter.name);
    }
    let (kind, head) = match result_of(function)? {
        None => ("subroutine", "subroutine".to_owned()),
        Some(result) if is_pure(function) => ("function", format!("pure {result} function")),
        Some(result) => ("function", format!("{result} function")),
    };
    let name = &function.name;
    let names = names.join(", ");
    let comment = commented("      !> ", "      !> ", &function.summary);
    let head = statement(
        "      ",
        "         ",
        &format!("{head} {name}({names}){NO_BREAK}bind(C)"),
    );
    let arguments = arguments(function)?;
    Ok(format!(
        "{comment}{head}         import\n{arguments}      end {kind}\n"
    ))
}

/// The declarations of the arguments. Neighbours with the same attributes share one.
fn arguments(function: &Function) -> Result<String, String> {
    let mut declarations: Vec<(String, Vec<String>)> = vec![];
    for parameter in &function.parameters {
        let (attributes, extent) = argument(function, parameter)?;
        let entity = format!("{}{extent}", parameter.name);
        match declarations.last_mut() {
            Some((same, entities)) if *same == attributes => entities.push(entity),
            _ => declarations.push((attributes, vec![entity])),
        }
    }
    let mut lines = String::new();
    for (attributes, entities) in &declarations {
        let first = format!("         {attributes} :: ");
        lines += &statement(&first, "            ", &entities.join(", "));
    }
    Ok(lines)
}

fn result_of(function: &Function) -> Result<Option<&'static str>, String> {
    match function.result {
        Type::Void => Ok(None),
        Type::Value(number) => Ok(Some(kind_of(number))),
        Type::Text | Type::Handle { .. } | Type::Address => Ok(Some("type(c_ptr)")),
        Type::Numbers { .. } | Type::Callback => {
            Err(format!("{}: what is its result in Fortran?", function.name))
        }
    }
}

/// Whether a call changes nothing and cannot fail: it reads one object, and gives a number that is
/// not a status.
fn is_pure(function: &Function) -> bool {
    let reads_one = matches!(
        function.parameters[..],
        [Parameter {
            kind: Type::Handle { constant: true },
            ..
        }]
    );
    reads_one && matches!(function.result, Type::Value(number) if number != Number::Status)
}

/// Whether the argument is an array with strides of its own: a stride follows it, or its comment
/// speaks of one.
fn has_stride(function: &Function, parameter: &Parameter) -> bool {
    if parameter.comment.contains("_stride") {
        return true;
    }
    let mut pairs = function.parameters.windows(2);
    pairs.any(|pair| pair[0].name == parameter.name && pair[1].name.ends_with("_stride"))
}

/// The attributes and the extent of an argument: `real(c_double), intent(in)` and `(4)`.
fn argument(function: &Function, parameter: &Parameter) -> Result<(String, String), String> {
    let one = |attributes: String| Ok((attributes, String::new())); // no extent
    match parameter.kind {
        Type::Void => Err(format!("{}: `{}` is void", function.name, parameter.name)),
        Type::Value(number) => one(format!("{}, value", kind_of(number))),
        Type::Handle { .. } | Type::Address => one("type(c_ptr), value".to_owned()),
        Type::Callback => one("type(c_funptr), value".to_owned()),
        Type::Text => {
            let optional = optional(parameter);
            let attributes = format!("character(kind=c_char), intent(in){optional}");
            Ok((attributes, "(*)".to_owned()))
        }
        Type::Numbers { .. } if has_stride(function, parameter) => {
            one("type(c_ptr), value".to_owned())
        }
        Type::Numbers { number, constant } => {
            let (intent, extent) = shape(function, parameter, number, constant)?;
            let kind = kind_of(number);
            let optional = optional(parameter);
            Ok((format!("{kind}, intent({intent}){optional}"), extent))
        }
    }
}

fn optional(parameter: &Parameter) -> &'static str {
    if parameter.may_be_null() {
        ", optional"
    } else {
        ""
    }
}

/// The intent and the extent of an argument that is one number or many.
fn shape(
    f: &Function,
    p: &Parameter,
    number: Number,
    constant: bool,
) -> Result<(&'static str, String), String> {
    for (name, argument, intent, extent) in EXCEPTIONS {
        if name == f.name && argument == p.name {
            return Ok((intent, extent.to_owned()));
        }
    }
    let extent = match number {
        Number::Double => doubles(&p.comment).or_else(|| one_number(&p.comment)),
        _ if constant => Some("(*)".to_owned()),
        _ => one_number(&p.comment),
    };
    let extent = extent.ok_or_else(|| {
        let (function, argument) = (&f.name, &p.name);
        format!("{function}: the header does not say how many numbers `{argument}` has: say it, or add an exception")
    })?;
    let many_bodies = extent.ends_with("*)"); // what a call does not write of them stays
    let intent = if constant {
        "in"
    } else if p.comment.starts_with("receives ") && !many_bodies {
        "out"
    } else {
        "inout"
    };
    Ok((intent, extent))
}

/// "3 doubles" is `(3)`, "1 double" is one number, "3 doubles (x, y, z) a body" is `(3, *)`,
/// "doubles" is `(*)`.
fn doubles(comment: &str) -> Option<String> {
    let (before, after) = comment
        .split_once(" double")
        .or_else(|| comment.starts_with("doubles").then_some(("", "s")))?;
    let count = before
        .rsplit(' ')
        .next()
        .and_then(|word| word.parse::<u32>().ok());
    let after = after.trim_start_matches('s').trim_start();
    let after = if after.starts_with('(') {
        after.split_once(") ").map_or("", |(_, after)| after)
    } else {
        after
    };
    let many = after.starts_with("a body");
    Some(match (count, many) {
        (Some(1), false) => String::new(),
        (Some(1), true) | (None, _) => "(*)".to_owned(),
        (Some(count), false) => format!("({count})"),
        (Some(count), true) => format!("({count}, *)"),
    })
}

/// "receives the number …" and "receives QI_OK …" are one number; "receives the rows" does not say
/// how many.
fn one_number(comment: &str) -> Option<String> {
    let received = comment.strip_prefix("receives ")?;
    let noun = received
        .strip_prefix("the ")
        .map(|rest| rest.split([' ', ',', ';']).next().unwrap_or(""));
    let one = received.starts_with("QI_") || noun.is_some_and(|noun| !noun.ends_with('s'));
    one.then(String::new)
}

fn kind_of(number: Number) -> &'static str {
    match number {
        Number::Double => "real(c_double)",
        Number::Int32 | Number::Status | Number::Uint32 => "integer(c_int32_t)",
        Number::Int64 | Number::Uint64 => "integer(c_int64_t)",
        Number::Size => "integer(c_size_t)",
        Number::Ptrdiff => "integer(c_ptrdiff_t)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declarations that a function gets in Fortran, for one parameter with this comment.
    fn declared(parameter: &str, comment: &str) -> Result<String, String> {
        let header = Header::parse(&format!(
            "/** B. */\ntypedef struct qi_body qi_body;\n/** S. */\ntypedef int32_t qi_status;\n\
             /** F. */\ntypedef int32_t (*qi_fn)(double time);\n\
             /**\n * It.\n *\n * @param x  {comment}\n */\nvoid qi_it({parameter});"
        ))?;
        arguments(&header.functions[0]).map(|lines| lines.trim().to_owned())
    }

    #[test]
    fn types_and_comments_give_kinds_intents_and_extents() {
        for (parameter, comment, expected) in [
            ("double x", "finite", "real(c_double), value :: x"),
            (
                "const double *x",
                "3 doubles, rad",
                "real(c_double), intent(in) :: x(3)",
            ),
            (
                "const double *x",
                "3 doubles; NULL: at rest",
                "real(c_double), intent(in), optional :: x(3)",
            ),
            (
                "const double *x",
                "3 doubles a body, packed",
                "real(c_double), intent(in) :: x(3, *)",
            ),
            (
                "const double *x",
                "`count` doubles, ascending",
                "real(c_double), intent(in) :: x(*)",
            ),
            (
                "const double *x",
                "body i's begin at `x[i * body_stride]`",
                "type(c_ptr), value :: x",
            ),
            (
                "double *x",
                "receives 4 doubles",
                "real(c_double), intent(out) :: x(4)",
            ),
            (
                "double *x",
                "receives 1 double",
                "real(c_double), intent(out) :: x",
            ),
            (
                "double *x",
                "receives the time of the stage",
                "real(c_double), intent(out) :: x",
            ),
            (
                "double *x",
                "4 doubles: start in, end out",
                "real(c_double), intent(inout) :: x(4)",
            ),
            (
                "double *x",
                "receives 4 doubles a body",
                "real(c_double), intent(inout) :: x(4, *)",
            ),
            (
                "double *x",
                "receives 4 doubles (w, x, y, z) a body",
                "real(c_double), intent(inout) :: x(4, *)",
            ),
            (
                "double *x",
                "receives 4 doubles (w, x, y, z), a body's",
                "real(c_double), intent(out) :: x(4)",
            ),
            (
                "double *x",
                "receives that of body i at `x[i * body_stride]`",
                "type(c_ptr), value :: x",
            ),
            (
                "size_t *x",
                "receives the number; NULL: not wanted",
                "integer(c_size_t), intent(out), optional :: x",
            ),
            (
                "qi_status *x",
                "receives QI_OK or the error",
                "integer(c_int32_t), intent(out) :: x",
            ),
            (
                "const size_t *x",
                "ascending. NULL: all",
                "integer(c_size_t), intent(in), optional :: x(*)",
            ),
            (
                "const char *x",
                "a string",
                "character(kind=c_char), intent(in) :: x(*)",
            ),
            ("uint64_t x", "how many", "integer(c_int64_t), value :: x"),
            (
                "ptrdiff_t x",
                "doubles from body to body",
                "integer(c_ptrdiff_t), value :: x",
            ),
            (
                "const qi_body *x",
                "NULL: nothing happens",
                "type(c_ptr), value :: x",
            ),
            ("void *x", "may be NULL", "type(c_ptr), value :: x"),
            ("qi_fn x", "NULL: none", "type(c_funptr), value :: x"),
        ] {
            assert_eq!(
                declared(parameter, comment).as_deref(),
                Ok(expected),
                "{parameter}: {comment}"
            );
        }
    }

    #[test]
    fn an_argument_of_which_the_header_does_not_say_the_size_is_named() {
        for (parameter, comment) in [
            ("double *x", "receives the rows"),
            ("const double *x", "the rows"),
            ("size_t *x", "receives the indices"),
        ] {
            let error = declared(parameter, comment).unwrap_err();
            assert!(
                error.starts_with("qi_it: the header does not say how many numbers `x` has"),
                "{error}"
            );
        }
    }

    #[test]
    fn neighbours_with_the_same_attributes_share_a_declaration() {
        let expected = "real(c_double), value :: time, dt\n         type(c_ptr), value :: body";
        assert_eq!(
            declared("double time, double dt, qi_body *body", "").as_deref(),
            Ok(expected)
        );
    }

    #[test]
    fn a_function_is_pure_where_it_reads_one_object_and_gives_a_number() {
        let header = Header::parse(
            "/** B. */\ntypedef struct qi_body qi_body;\n/** S. */\ntypedef int32_t qi_status;\n\
             /** A. */\nsize_t qi_a(const qi_body *body);\n/** B. */\nqi_status qi_b(const qi_body *body);\n\
             /** C. */\nsize_t qi_c(qi_body *body);\n/** D. */\nsize_t qi_d(void);",
        );
        let pure: Vec<bool> = header.unwrap().functions.iter().map(is_pure).collect();
        assert_eq!(pure, [true, false, false, false]);
    }

    #[test]
    fn every_exception_is_about_something_in_the_header() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include/quatint.h");
        let header = Header::parse(&std::fs::read_to_string(path).expect("the header is there"))
            .expect("it parses");
        for (function, argument, ..) in EXCEPTIONS {
            let found = header
                .functions
                .iter()
                .find(|f| f.name == function)
                .map(|f| &f.parameters);
            assert!(
                found.is_some_and(|parameters| parameters.iter().any(|p| p.name == argument)),
                "{argument} of {function}"
            );
        }
        for (constant, _) in COMMENTS {
            assert!(
                header.constants.iter().any(|c| c.name == constant),
                "{constant}"
            );
        }
    }
}
