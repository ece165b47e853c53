//! The table of the interface: the rows of `interface.toml`, which says what each of them is.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// The C functions that are more than plain in every language.
    pub(crate) by_hand: Vec<String>,
    #[serde(rename = "row")]
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) body: Vec<String>,
    pub(crate) ensemble: Vec<String>,
    pub(crate) is: String,
    pub(crate) get: String,
    pub(crate) set: String,
    pub(crate) clear: String,
    pub(crate) does: String,
    pub(crate) each: String,
    pub(crate) numbers: Option<usize>,
    pub(crate) argument: String,
    pub(crate) single: String,
    pub(crate) replaces_torque: bool,
    pub(crate) asks_torque: bool,
    pub(crate) asks_inertia: bool,
    pub(crate) replaces_inertia: bool,
    by_hand: Vec<Language>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    Cpp,
    Fortran,
    Julia,
    Python,
    Matlab,
}

impl Table {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("interface.toml: {error}"))
    }

    /// Whether a row of this name is something that can be got or set.
    pub(crate) fn has_noun(&self, name: &str) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| row.name == name && !row.is.is_empty())
    }

    /// The rows that a language has from here.
    pub(crate) fn rows_for(&self, language: Language) -> impl Iterator<Item = &Row> {
        let is_plain = move |row: &&Row| !row.by_hand.contains(&language);
        self.rows.iter().filter(is_plain)
    }
}
