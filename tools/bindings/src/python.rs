//! The plain properties and methods of Python, in Rust for pyo3 and as stubs: a noun is a property,
//! which can be set where C can set it, and a verb a method.

use crate::accessor::{Accessor, Action, Argument, Form, Object, accessors};
use crate::header::{Function, Header};
use crate::table::{Language, Row, Table};
use crate::text::{imperative, in_lines, lower, with_names};

const WIDTH: usize = 100;
/// That of the stubs.
const STUB_WIDTH: usize = 120;

/// What a row gives an object: a property with or without a setter, a method, or nothing.
struct Member<'a> {
    table: &'a Table,
    row: &'a Row,
    get: Option<Accessor<'a>>,
    set: Option<Accessor<'a>>,
    method: Option<Accessor<'a>>,
}

fn members<'a>(
    header: &'a Header,
    table: &'a Table,
    object: Object,
) -> Result<Vec<Member<'a>>, String> {
    let mut members = vec![];
    for row in table.rows_for(Language::Python) {
        let mut member = Member {
            table,
            row,
            get: None,
            set: None,
            method: None,
        };
        for accessor in accessors(header, row, object)? {
            match accessor.action {
                Action::Get => member.get = Some(accessor),
                Action::Set => member.set = Some(accessor),
                Action::Do => member.method = Some(accessor),
                Action::Clear => {} // what is set to None
            }
        }
        members.push(member);
    }
    Ok(members)
}

/// The methods in Rust.
pub(crate) fn methods(header: &Header, table: &Table) -> Result<String, String> {
    let mut blocks = vec![];
    for object in Object::BOTH {
        let mut methods = vec![];
        for member in members(header, table, object)? {
            let text = in_lines(WIDTH, "    /// ", "    /// ", &member.text());
            methods.extend(
                member
                    .get
                    .iter()
                    .map(|get| text.clone() + &getter(get, member.set.is_some())),
            );
            methods.extend(member.set.iter().map(setter));
            methods.extend(
                member
                    .method
                    .iter()
                    .map(|method| text.clone() + &doing(method)),
            );
        }
        blocks.push(format!(
            "#[pymethods]\nimpl {object:?} {{\n{}}}\n",
            methods.join("\n")
        ));
    }
    Ok(blocks.join("\n"))
}

/// The stubs of one class.
pub(crate) fn stubs(header: &Header, table: &Table, object: Object) -> Result<String, String> {
    let mut stubs = String::new();
    for member in members(header, table, object)? {
        let name = &member.row.name;
        let arguments = member.method.as_ref().map_or(vec![], Accessor::given);
        let text = docstring(&member.text(), &parameters(&arguments)?);
        if let Some(get) = &member.get {
            let gives = get
                .result()
                .map_or("int", |result| stub_of_result(result.form));
            stubs += &format!("    @property\n    def {name}(self) -> {gives}:\n{text}");
        }
        if let Some(argument) = member
            .set
            .as_ref()
            .and_then(|set| set.given().first().copied())
        {
            let none = if member.row.clear.is_empty() {
                ""
            } else {
                " | None"
            };
            let takes = stub_of_argument(argument.form);
            stubs += &format!(
                "    @{name}.setter\n    def {name}(self, {}: {takes}{none}) -> None: ...\n",
                argument.name
            );
        }
        if let Some(method) = &member.method {
            let mut given = vec!["self".to_owned()];
            given.extend(
                method.given().iter().map(|argument| {
                    format!("{}: {}", argument.name, stub_of_argument(argument.form))
                }),
            );
            stubs += &format!("    def {name}({}) -> None:\n{text}", given.join(", "));
        }
    }
    Ok(stubs)
}

/// The section of a docstring that says what the arguments of a method are.
fn parameters(arguments: &[&Argument]) -> Result<String, String> {
    let mut section = String::new();
    for argument in arguments {
        let is = match argument.name {
            "duration" => "How long, in units of time.",
            "factor" => "What they are multiplied by.",
            name => return Err(format!("the stubs of Python do not know what `{name}` is")),
        };
        let (name, kind) = (&argument.name, stub_of_argument(argument.form));
        section += &format!("        {name} : {kind}\n            {is}\n");
    }
    if section.is_empty() {
        return Ok(section);
    }
    Ok(format!(
        "\n        Parameters\n        ----------\n{section}"
    ))
}

fn docstring(text: &str, parameters: &str) -> String {
    let line = format!("        \"\"\"{text}\"\"\"\n");
    if line.len() <= STUB_WIDTH + 1 && parameters.is_empty() {
        return line;
    }
    // the first sentence alone, as numpydoc asks
    let (first, more) = match text.split_once(". ") {
        Some((first, more)) => (format!("{first}."), more),
        None => (text.to_owned(), ""),
    };
    let lines = |first, text: &str| in_lines(STUB_WIDTH, first, "        ", text);
    let more = if more.is_empty() {
        String::new()
    } else {
        format!("\n{}", lines("        ", more))
    };
    format!(
        "{}{more}{parameters}        \"\"\"\n",
        lines("        \"\"\"", &first)
    )
}

impl Member<'_> {
    fn text(&self) -> String {
        let is_noun = |name: &str| self.table.rows.iter().any(|row| row.name == name);
        let property = |name: &str| match name.strip_prefix("set_") {
            Some(noun) if is_noun(noun) => noun.to_owned(),
            _ => name.to_owned(),
        };
        let named = |text: &str| with_names(text, property);
        if let Some(method) = &self.method {
            return imperative(&named(&method.text("")));
        }
        let mut text = self
            .get
            .as_ref()
            .map_or(String::new(), |get| named(&get.text("")));
        let form = self
            .get
            .as_ref()
            .and_then(|get| get.result())
            .map(|result| result.form);
        match form {
            Some(Form::Each { numbers: 1, .. }) => text += " An array (n,).",
            Some(Form::Each { numbers, .. }) => text += &format!(" An array (n, {numbers})."),
            Some(Form::Numbers(numbers)) if numbers > 2 => {
                text += &format!(" An array ({numbers},).")
            }
            _ => {}
        }
        if let Some(Form::Each { numbers, .. }) = form.filter(|_| self.set.is_some()) {
            text += &format!(" Set it to (n, {numbers}) or ({numbers},).");
        }
        if self.set.is_some() && !self.row.set.is_empty() {
            text += &format!(" When it is set: {}", lower(&named(&self.row.set)));
        }
        if self.set.is_some() && !self.row.clear.is_empty() {
            text += &format!(" None: {}", lower(&self.row.clear));
        }
        text
    }
}

/// The name in the Rust interface: that of C without the object.
fn rust_name(function: &Function) -> String {
    let name = function
        .name
        .trim_start_matches("qi_")
        .trim_start_matches("get_");
    name.replace("_ensemble", "").replace("ensemble_", "")
}

fn getter(a: &Accessor, can_be_set: bool) -> String {
    let (name, get, field) = (&a.row.name, rust_name(a.function), a.object.word());
    let form = a.result().map_or(Form::Integer, |result| result.form);
    let array = "<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>";
    let value = format!("        let value = self.lock(py)?.{field}.{get}().raise(py)?;\n");
    let (signature, statements) = match form {
        Form::Each { numbers, .. } => {
            let shape = if numbers == 1 {
                "&[e.count()]".to_owned()
            } else {
                format!("&[e.count(), {numbers}]")
            };
            let access = if can_be_set { "read_only" } else { "writeable" };
            (
                array.to_owned(),
                format!(
                    "        let e = &self.lock(py)?.ensemble;\n        let mut fill = |to: &mut ViewMut<{numbers}>| e.{get}(to).raise(py);\n        \
                 filled(py, {shape}, &mut fill).map(NewArray::{access})\n"
                ),
            )
        }
        Form::Numbers(2) => (
            "(&self, py: Python<'_>) -> PyResult<(f64, f64)>".to_owned(),
            format!("{value}        Ok(value.into())\n"),
        ),
        Form::Numbers(4) => (
            array.to_owned(),
            format!("{value}        copied(py, components(value))\n"),
        ),
        Form::Numbers(_) if !a.row.clear.is_empty() => (
            array.to_owned(),
            format!("{value}        copied(py, value.unwrap_or_default().into())\n"),
        ),
        Form::Numbers(_) if a.object == Object::Ensemble && !can_be_set => (
            array.to_owned(),
            format!(
                "{value}        NewArray::of(py, value.as_slice(), &[3]).map(NewArray::writeable)\n"
            ),
        ),
        Form::Numbers(_) => (
            array.to_owned(),
            format!("{value}        copied(py, value.into())\n"),
        ),
        form => (
            format!("(&self, py: Python<'_>) -> PyResult<{}>", rust_type(form)),
            format!("        self.lock(py)?.{field}.{get}().raise(py)\n"),
        ),
    };
    format!("    #[getter]\n    fn {name}{signature} {{\n{statements}    }}\n")
}

/// The parameter has the name of the property, which the exception for a wrong type names.
fn setter(a: &Accessor) -> String {
    let (name, set) = (&a.row.name, rust_name(a.function));
    let form = a
        .given()
        .first()
        .map_or(Form::Integer, |argument| argument.form);
    let any = "&Bound<'_, PyAny>";
    let (kind, read, passed) = match form {
        Form::Each { numbers, .. } => (
            any.to_owned(),
            format!("        let value = Input::<{numbers}>::new(py, {name}, \"{name}\")?;\n"),
            "value".to_owned(),
        ),
        Form::Numbers(numbers) if !a.row.clear.is_empty() => (
            format!("Option<{any}>"),
            format!("        let value = vector_or_none::<{numbers}>(py, {name}, \"{name}\")?;\n"),
            "value.map(Into::into)".to_owned(),
        ),
        Form::Numbers(numbers) => (
            any.to_owned(),
            format!("        let value = vector::<{numbers}>(py, {name}, \"{name}\")?;\n"),
            if numbers == 2 {
                "value".to_owned()
            } else {
                "value.into()".to_owned()
            },
        ),
        form => (rust_type(form).to_owned(), String::new(), name.to_owned()),
    };
    let attribute = match form {
        Form::Bits | Form::Count | Form::Size => "#[pyo3(from_py_with = whole)] ",
        _ => "",
    };
    let mut text = format!(
        "    #[setter]\n    fn set_{name}(&self, py: Python<'_>, {attribute}{name}: {kind}) -> PyResult<()> {{\n{read}"
    );
    if let Form::Each { .. } = form {
        text += "        let e = &mut self.lock(py)?.ensemble;\n        let value = value.view(py, e.count())?;\n";
        text += &format!("        e.{set}(value).raise(py)\n    }}\n");
    } else {
        let statements = called(a, &format!("{set}({passed})"));
        text += &format!("{statements}    }}\n");
    }
    text
}

/// The call of a function that gives nothing, and its exceptions: those of the inertia function,
/// if it may be called.
fn called(a: &Accessor, call: &str) -> String {
    if a.asks_inertia() {
        format!(
            "        let inner = &mut *self.lock(py)?;\n        let outcome = inner.body.{call};\n        \
             outcome.map_err(|error| inner.explained(py, error))\n"
        )
    } else {
        format!(
            "        self.lock(py)?.{}.{call}.raise(py)\n",
            a.object.word()
        )
    }
}

fn doing(a: &Accessor) -> String {
    let (name, call) = (&a.row.name, rust_name(a.function));
    let mut parameters = vec!["&self".to_owned(), "py: Python<'_>".to_owned()];
    let given = a.given();
    parameters.extend(
        given
            .iter()
            .map(|argument| format!("{}: {}", argument.name, rust_type(argument.form))),
    );
    let names = given
        .iter()
        .map(|argument| argument.name)
        .collect::<Vec<_>>()
        .join(", ");
    let statements = match a.object {
        Object::Body => called(a, &format!("{call}({names})")),
        Object::Ensemble => {
            format!("        self.lock(py)?.released(py, 1, |e| e.{call}({names})).raise(py)\n")
        }
    };
    format!(
        "    fn {name}({}) -> PyResult<()> {{\n{statements}    }}\n",
        parameters.join(", ")
    )
}

fn rust_type(form: Form) -> &'static str {
    match form {
        Form::Double => "f64",
        Form::Bits | Form::Count => "u64",
        Form::Size => "usize",
        _ => "i32",
    }
}

fn stub_of_result(form: Form) -> &'static str {
    match form {
        Form::Double => "float",
        Form::Numbers(2) => "tuple[float, float]",
        Form::Numbers(_) | Form::Each { .. } => "_Array",
        _ => "int",
    }
}

fn stub_of_argument(form: Form) -> &'static str {
    match form {
        Form::Double => "float",
        Form::Numbers(_) | Form::Each { .. } => "npt.ArrayLike",
        _ => "int",
    }
}
