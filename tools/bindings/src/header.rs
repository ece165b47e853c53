//! Reads a header that cbindgen wrote: its constants and its functions, each with its comment.

/// What the header declares.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) constants: Vec<Constant>,
    pub(crate) functions: Vec<Function>,
    names: Names,
}

/// A macro that stands for a whole number.
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: i32,
    pub(crate) comment: String,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: Type,
    pub(crate) parameters: Vec<Parameter>,
    /// The first sentence of its comment.
    pub(crate) summary: String,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: Type,
    /// What the comment of the function says about it.
    pub(crate) comment: String,
}

impl Parameter {
    /// Whether it may be NULL: the comment says "NULL: ..." or "NULL or zeros: ...".
    pub(crate) fn may_be_null(&self) -> bool {
        self.comment.contains("NULL:") || self.comment.contains("NULL or ")
    }
}

/// What a parameter or a result can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Void,
    Value(Number),
    /// A pointer to one number or to many.
    Numbers {
        number: Number,
        constant: bool,
    },
    /// `const char *`
    Text,
    /// A pointer to an object of the library.
    Handle {
        constant: bool,
    },
    /// `void *`
    Address,
    /// A function of the caller's.
    Callback,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Double,
    Int32,
    /// `qi_status`, an `int32_t`.
    Status,
    Uint32,
    Int64,
    Uint64,
    Size,
    Ptrdiff,
}

/// The types that the header itself declares.
#[derive(Debug, Default)]
struct Names {
    handles: Vec<String>,
    callbacks: Vec<String>,
}

impl Header {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut header = Header::default();
        let items = items(text)?;
        for Item { comment, code } in &items {
            header
                .take(comment, code, &items)
                .map_err(|error| format!("quatint.h: {error}"))?;
        }
        Ok(header)
    }

    /// Takes in one macro, type or function.
    fn take(&mut self, comment: &str, code: &str, items: &[Item]) -> Result<(), String> {
        if code == "typedef int32_t qi_status" {
            return Ok(());
        }
        if let Some(define) = code.strip_prefix("#define ") {
            self.constants.extend(constant(define, comment)?);
        } else if let Some(name) = name_of_handle(code) {
            self.names.handles.push(name.to_owned());
        } else if let Some(name) = name_of_callback(code) {
            self.names.callbacks.push(name.to_owned());
        } else {
            let function = function(code, comment, items, &self.names)?;
            self.functions.push(function);
        }
        Ok(())
    }
}

/// `name` of `typedef struct name name`.
fn name_of_handle(code: &str) -> Option<&str> {
    code.strip_prefix("typedef struct ")?.split(' ').next()
}

/// `name` of `typedef result (*name)(…)`.
fn name_of_callback(code: &str) -> Option<&str> {
    let (_, name) = code.strip_prefix("typedef ")?.split_once("(*")?;
    name.split(')').next()
}

/// A comment and what it is about, white space reduced to single spaces.
struct Item {
    comment: String,
    code: String,
}

/// Every macro and declaration with a comment. Something of ours without a comment is an error.
fn items(text: &str) -> Result<Vec<Item>, String> {
    let mut items = vec![];
    let mut rest = text;
    while let Some((between, after)) = rest.split_once("/**") {
        nothing_of_ours(between)?;
        let (comment, after) = after.split_once("*/").ok_or("a comment does not end")?;
        let after = after.trim_start();
        let end = match after {
            macro_line if macro_line.starts_with("#define ") => macro_line.find('\n'),
            other if other.starts_with('#') => Some(0), // the comment is about the file
            other if other.starts_with("/**") => Some(0), // the comment is about a group
            declaration => declaration.find(';'),
        };
        let (code, after) = after.split_at(end.unwrap_or(after.len()));
        if !code.is_empty() {
            items.push(Item {
                comment: without_stars(comment),
                code: in_one_line(code),
            });
        }
        rest = after;
    }
    nothing_of_ours(rest)?;
    Ok(items)
}

fn nothing_of_ours(code: &str) -> Result<(), String> {
    for line in code.lines() {
        let is_ours = line.contains("qi_") || line.contains("QI_");
        if is_ours && !line.contains("QI_WARN_UNUSED") {
            let line = line.trim();
            return Err(format!("quatint.h: `{line}` has no comment right above it"));
        }
    }
    Ok(())
}

/// The lines of a comment without the stars that they begin with.
fn without_stars(comment: &str) -> String {
    let mut lines = vec![];
    for line in comment.lines() {
        lines.push(line.trim().trim_start_matches('*').trim());
    }
    lines.join("\n").trim().to_owned()
}

fn in_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The constant of `NAME VALUE`. A macro that is a formula of others gives none: each language
/// writes its own.
fn constant(define: &str, comment: &str) -> Result<Option<Constant>, String> {
    let (name, value) = define
        .split_once(' ')
        .ok_or_else(|| format!("`{define}` has no value"))?;
    if value.starts_with('(') && value.contains("QI_") {
        return Ok(None);
    }
    let value = value
        .parse()
        .map_err(|_| format!("`{name}` is `{value}`, which is not a 32-bit integer"))?;
    Ok(Some(Constant {
        name: name.to_owned(),
        value,
        comment: first_paragraph(comment),
    }))
}

/// The function of `result name(type name, …)`.
fn function(code: &str, comment: &str, items: &[Item], names: &Names) -> Result<Function, String> {
    let code = code.strip_prefix("QI_WARN_UNUSED ").unwrap_or(code);
    let (head, list) = code
        .strip_suffix(')')
        .and_then(|code| code.split_once('('))
        .ok_or_else(|| format!("`{code}` is nothing that this tool knows"))?;
    let (result, name) = declarator(head, names).map_err(|error| format!("{head}: {error}"))?;
    let mut parameters = vec![];
    for parameter in list.split(',') {
        if parameter == "void" {
            continue;
        }
        let (kind, parameter) =
            declarator(parameter, names).map_err(|error| format!("{name}: {error}"))?;
        parameters.push(Parameter {
            comment: said_of(&parameter, kind, comment, items),
            name: parameter,
            kind,
        });
    }
    Ok(Function {
        name,
        result,
        parameters,
        summary: first_sentence(&first_paragraph(comment)),
    })
}

/// What the header says of a parameter: in the comment of its function, at the top, or in a comment
/// to which that of the function refers; empty if it says nothing.
fn said_of(parameter: &str, kind: Type, comment: &str, items: &[Item]) -> String {
    let said = comment_on(parameter, comment);
    if !said.is_empty() {
        return said;
    }
    let said = said_at_the_top(parameter, kind);
    if !said.is_empty() {
        return said;
    }
    for function in functions_referred_to(comment) {
        let declaration = format!("{function}(");
        for item in items {
            if item.code.contains(&declaration) {
                let said = comment_on(parameter, &item.comment);
                if !said.is_empty() {
                    return said;
                }
                break;
            }
        }
    }
    String::new()
}

/// The type and the name of `type name`.
fn declarator(code: &str, names: &Names) -> Result<(Type, String), String> {
    let spaced = code.replace('*', " * ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (name, kind) = words.split_last().ok_or("a parameter is empty")?;
    let kind = type_of(kind, names)
        .ok_or_else(|| format!("this tool does not know the type of `{}`", code.trim()))?;
    Ok((kind, (*name).to_owned()))
}

fn type_of(words: &[&str], names: &Names) -> Option<Type> {
    let is_handle = |word: &str| names.handles.iter().any(|handle| handle == word);
    Some(match words {
        ["void"] => Type::Void,
        ["void", "*"] => Type::Address,
        ["const", "char", "*"] => Type::Text,
        [word] if names.callbacks.iter().any(|callback| callback == word) => Type::Callback,
        [word, "*"] if is_handle(word) => Type::Handle { constant: false },
        ["const", word, "*"] if is_handle(word) => Type::Handle { constant: true },
        [word] => Type::Value(number(word)?),
        [word, "*"] => Type::Numbers {
            number: number(word)?,
            constant: false,
        },
        ["const", word, "*"] => Type::Numbers {
            number: number(word)?,
            constant: true,
        },
        _ => return None,
    })
}

fn number(word: &str) -> Option<Number> {
    Some(match word {
        "double" => Number::Double,
        "int32_t" => Number::Int32,
        "qi_status" => Number::Status,
        "uint32_t" => Number::Uint32,
        "int64_t" => Number::Int64,
        "uint64_t" => Number::Uint64,
        "size_t" => Number::Size,
        "ptrdiff_t" => Number::Ptrdiff,
        _ => return None,
    })
}

/// The first paragraph of a comment, in one line.
fn first_paragraph(comment: &str) -> String {
    let before_tags = comment.split("\n@").next().unwrap_or("");
    before_tags
        .split("\n\n")
        .next()
        .unwrap_or("")
        .trim()
        .replace('\n', " ")
}

/// A sentence ends with a full stop, where a capital follows or nothing.
fn first_sentence(paragraph: &str) -> String {
    for (end, stop) in paragraph.match_indices(". ") {
        if begins_sentence(&paragraph[end + stop.len()..]) {
            return paragraph[..=end].to_owned();
        }
    }
    paragraph.to_owned()
}

fn begins_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase() || c == '(' || c == '`')
}

/// What the top of the header says of the arguments with these names; empty for others.
fn said_at_the_top(name: &str, kind: Type) -> String {
    let numbers = match name {
        "orientation" => "4 doubles",
        "angular_velocity" | "angular_momentum" => "3 doubles",
        "inertia" => "9 doubles",
        "time" | "energy" => "1 double",
        "clock" => "2 doubles",
        _ => return String::new(),
    };
    let is_result = matches!(
        kind,
        Type::Numbers {
            constant: false,
            ..
        }
    );
    format!("{}{numbers}", if is_result { "receives " } else { "" })
}

/// The functions to which a comment refers, "as qi_a() and qi_b()" or "see qi_a()": their comments
/// say what this one leaves out.
fn functions_referred_to(comment: &str) -> Vec<&str> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let mut functions = vec![];
    for (i, word) in words.iter().enumerate() {
        let Some((function, _)) = word.split_once("()") else {
            continue;
        };
        let is_first = i >= 1 && is_reference(words[i - 1]);
        let is_second = i >= 3 && words[i - 1] == "and" && is_reference(words[i - 3]);
        if is_first || is_second {
            functions.push(function);
        }
    }
    functions
}

fn is_reference(word: &str) -> bool {
    ["as", "As", "see"].contains(&word)
}

/// What `@param name  …` or `@param name,other  …` says, in one line; empty where there is none.
fn comment_on(name: &str, comment: &str) -> String {
    for tag in comment.split("\n@") {
        let Some(parameter) = tag.trim_start_matches('@').strip_prefix("param ") else {
            continue;
        };
        let Some((names, text)) = parameter.split_once(char::is_whitespace) else {
            continue;
        };
        if names.split(',').any(|named| named == name) {
            return in_one_line(text);
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &str = "
/**
 * @file quatint.h
 * qi_step() is told here.
 */
#ifndef QUATINT_H
typedef signed int int32_t;

/** A body. */
typedef struct qi_body qi_body;

/** A status. */
typedef int32_t qi_status;

/** A torque. */
typedef int32_t (*qi_torque_fn)(double time,
                                const double *orientation);
";

    fn parsed(more: &str) -> Result<Header, String> {
        Header::parse(&format!("{TYPES}\n{more}\n#endif // QUATINT_H\n"))
    }

    /// The types of the parameters of one function.
    fn kinds(parameters: &str) -> Vec<Type> {
        let header = parsed(&format!("/** It. */\nvoid qi_it({parameters});")).unwrap();
        header.functions[0]
            .parameters
            .iter()
            .map(|parameter| parameter.kind)
            .collect()
    }

    #[test]
    fn every_type_of_the_header_is_known() {
        assert_eq!(kinds("void"), []);
        let numbers = |number, constant| Type::Numbers { number, constant };
        assert_eq!(
            kinds("const double *a,\n  double *b"),
            [
                numbers(Number::Double, true),
                numbers(Number::Double, false)
            ]
        );
        assert_eq!(
            kinds("qi_body *a, const qi_body *b"),
            [false, true].map(|constant| Type::Handle { constant })
        );
        assert_eq!(
            kinds("qi_torque_fn a, void *b, const char *c"),
            [Type::Callback, Type::Address, Type::Text]
        );
        assert_eq!(kinds("qi_status *a"), [numbers(Number::Status, false)]);
        let values = [
            Number::Double,
            Number::Int32,
            Number::Uint64,
            Number::Size,
            Number::Ptrdiff,
        ]
        .map(Type::Value);
        assert_eq!(
            kinds("double a, int32_t b, uint64_t c, size_t d, ptrdiff_t e"),
            values
        );
    }

    #[test]
    fn a_type_that_is_not_known_is_named_with_its_function() {
        let error = parsed("/** It. */\nvoid qi_it(double dt, float x);").unwrap_err();
        assert_eq!(
            error,
            "quatint.h: qi_it: this tool does not know the type of `float x`"
        );
    }

    #[test]
    fn a_declaration_without_a_comment_is_refused() {
        let error = parsed("/** It. */\nvoid qi_it(void);\nvoid qi_that(void);").unwrap_err();
        assert_eq!(
            error,
            "quatint.h: `void qi_that(void);` has no comment right above it"
        );
    }

    #[test]
    fn a_comment_gives_its_first_sentence_and_a_text_for_each_parameter() {
        let header = parsed(
            "/**\n * The energy `omega.I omega / 2` (doi 10.1007/s00707),\n * of E. coli too. It is not negative.\n *\n\
             \x20* More. @param x is not here\n *\n * @param energy  receives\n *                1 double\n * @param d,e  last\n */\n\
             const char *qi_it(double *e, double *energy);",
        );
        let function = &header.unwrap().functions[0];
        assert_eq!(
            function.summary,
            "The energy `omega.I omega / 2` (doi 10.1007/s00707), of E. coli too."
        );
        assert_eq!(function.result, Type::Text);
        let comments: Vec<_> = function
            .parameters
            .iter()
            .map(|parameter| &*parameter.comment)
            .collect();
        assert_eq!(comments, ["last", "receives 1 double"]);
    }

    #[test]
    fn a_comment_of_one_sentence_gives_it_without_a_space_at_its_end() {
        let header = parsed("/**\n * It.\n *\n * @param e  last\n */\nvoid qi_it(double e);");
        assert_eq!(header.unwrap().functions[0].summary, "It.");
    }

    #[test]
    fn constants_are_integers_and_formulas_of_them_are_left_out() {
        let header =
            parsed("/** A. */\n#define QI_A -7\n\n/** B. */\n#define QI_B ((QI_A << 1) | 1)\n")
                .unwrap();
        let [
            Constant {
                name,
                value: -7,
                comment,
            },
        ] = &header.constants[..]
        else {
            panic!("{header:?}")
        };
        assert_eq!((&**name, &**comment), ("QI_A", "A."));
        let error = parsed("/** A. */\n#define QI_A 1.5\n").unwrap_err();
        assert_eq!(
            error,
            "quatint.h: `QI_A` is `1.5`, which is not a 32-bit integer"
        );
    }
}
