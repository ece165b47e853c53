//! The constants and functions in Julia: private to the package, which gives its users others.

use crate::header::{Function, Header, Number, Type};
use crate::text::in_lines;

const WIDTH: usize = 127;

pub(crate) fn declarations(header: &Header) -> Result<String, String> {
    let constants: String = header
        .constants
        .iter()
        .map(|constant| format!("const {} = Int32({})\n", constant.name, constant.value))
        .collect();
    let functions: String = header.functions.iter().map(function).collect();
    Ok(format!("{constants}\n@functions begin\n{functions}end\n"))
}

fn function(function: &Function) -> String {
    let parameters = function
        .parameters
        .iter()
        .map(|p| format!("{}::{}", word_of(&p.name), type_of(p.kind)));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    in_lines(
        WIDTH,
        "    ",
        "        ",
        &format!(
            "{}({parameters})::{}",
            function.name,
            type_of(function.result)
        ),
    )
}

/// The name of a parameter, unless Julia keeps it for itself.
fn word_of(name: &str) -> String {
    match name {
        "end" => "end_time".to_owned(),
        _ => name.to_owned(),
    }
}

fn type_of(kind: Type) -> String {
    match kind {
        Type::Void => "Cvoid".to_owned(),
        Type::Value(number) => name_of(number).to_owned(),
        Type::Numbers { number, .. } => format!("Ptr{{{}}}", name_of(number)),
        Type::Text => "Cstring".to_owned(),
        Type::Handle { .. } | Type::Address | Type::Callback => "Ptr{Cvoid}".to_owned(),
    }
}

fn name_of(number: Number) -> &'static str {
    match number {
        Number::Double => "Cdouble",
        Number::Int32 | Number::Status => "Int32",
        Number::Uint32 => "UInt32",
        Number::Int64 => "Int64",
        Number::Uint64 => "UInt64",
        Number::Size => "Csize_t",
        Number::Ptrdiff => "Cptrdiff_t",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_julia_is_no_name_of_a_parameter() {
        let header = Header::parse(
            "/** S. */\ntypedef int32_t qi_status;\n/** It. */\nqi_status qi_it(double end);",
        );
        let expected = "\n@functions begin\n    qi_it(end_time::Cdouble)::Int32\nend\n";
        assert_eq!(declarations(&header.unwrap()).unwrap(), expected);
    }

    #[test]
    fn a_long_function_goes_on_in_a_second_line() {
        let header = Header::parse(
            "/** S. */\ntypedef int32_t qi_status;\n/** F. */\ntypedef int32_t (*qi_fn)(double time);\n\
             /** It. */\nqi_status qi_it(const double *orientation, double *angular_velocity, const char *sequence,\n\
             size_t *written, qi_fn torque, void *user_data);",
        );
        let expected = "
@functions begin
    qi_it(orientation::Ptr{Cdouble}, angular_velocity::Ptr{Cdouble}, sequence::Cstring, written::Ptr{Csize_t},
        torque::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
end
";
        assert_eq!(declarations(&header.unwrap()).unwrap(), expected);
    }
}
