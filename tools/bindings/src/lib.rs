//! Writes what the other languages have of the C library: what Fortran and Julia declare, from
//! `include/quatint.h`, and the plain functions of bodies and ensembles in each language, from
//! `interface.toml`, the table of the interface.
//!
//! The header says almost everything: cbindgen writes the types, and the comments say how many
//! doubles an argument has, whether the call writes them, and what NULL means. Each language turns
//! this into its own by a few rules. Where neither header nor table says what an argument is, the
//! tool stops and names the argument.
//!
//! What is generated stands between two marker lines. The rest of these files is written by hand.

mod accessor;
mod cpp;
mod fortran;
mod fortran_members;
mod header;
mod julia;
mod julia_functions;
mod matlab;
mod python;
mod region;
mod table;
mod text;

use accessor::Object;
use header::Header;
use std::error::Error;
use std::fs;
use std::path::Path;
use table::Table;

/// Turns the header and the table into the lines of one region.
type Writer = fn(&Header, &Table) -> Result<String, String>;

/// A generated part of a file.
struct Region {
    path: &'static str,
    /// How comments of the language begin, where the part is.
    comment: &'static str,
    /// What its first marker line says that it is written from.
    source: &'static str,
    write: Writer,
}

const HEADER: &str = "include/quatint.h";
const BODY: &str = "the rows of tools/bindings/interface.toml, for Body";
const SETTABLE: &str = "the rows of tools/bindings/interface.toml that can be set";
const READABLE: &str = "the rows of tools/bindings/interface.toml that can be read";
const BOTH: &str = "the rows of tools/bindings/interface.toml";
const ENSEMBLE: &str = "the rows of tools/bindings/interface.toml, for Ensemble";

/// The regions of a file stand together.
const REGIONS: [Region; 22] = [
    Region {
        path: "include/quatint/body.hpp",
        comment: "    //",
        source: BODY,
        write: cpp::of_body,
    },
    Region {
        path: "include/quatint/ensemble.hpp",
        comment: "    //",
        source: ENSEMBLE,
        write: cpp::of_ensemble,
    },
    Region {
        path: "bindings/fortran/src/quatint_c.f90",
        comment: "!",
        source: HEADER,
        write: |header, _| fortran::module(header),
    },
    Region {
        path: "bindings/fortran/src/quatint_types.f90",
        comment: "      !",
        source: BODY,
        write: |header, table| fortran_members::bound(header, table, Object::Body),
    },
    Region {
        path: "bindings/fortran/src/quatint_types.f90",
        comment: "      !",
        source: ENSEMBLE,
        write: |header, table| fortran_members::bound(header, table, Object::Ensemble),
    },
    Region {
        path: "bindings/fortran/src/quatint_types.f90",
        comment: "   !",
        source: BODY,
        write: |header, table| fortran_members::interfaces(header, table, Object::Body),
    },
    Region {
        path: "bindings/fortran/src/quatint_types.f90",
        comment: "   !",
        source: ENSEMBLE,
        write: |header, table| fortran_members::interfaces(header, table, Object::Ensemble),
    },
    Region {
        path: "bindings/fortran/src/quatint_plain.f90",
        comment: "   !",
        source: BODY,
        write: |header, table| fortran_members::procedures(header, table, Object::Body),
    },
    Region {
        path: "bindings/fortran/src/quatint_plain.f90",
        comment: "   !",
        source: ENSEMBLE,
        write: |header, table| fortran_members::procedures(header, table, Object::Ensemble),
    },
    Region {
        path: "bindings/julia/Quatint/src/functions.jl",
        comment: "#",
        source: HEADER,
        write: |header, _| julia::declarations(header),
    },
    Region {
        path: "bindings/julia/Quatint/src/accessors.jl",
        comment: "#",
        source: BOTH,
        write: julia_functions::functions,
    },
    Region {
        path: "bindings/julia/Quatint/src/properties.jl",
        comment: "#",
        source: BOTH,
        write: julia_functions::properties,
    },
    Region {
        path: "bindings/matlab/src/quatint_mex.c",
        comment: "    //",
        source: BOTH,
        write: matlab::commands,
    },
    Region {
        path: "bindings/matlab/+quatint/Body.m",
        comment: "    %",
        source: SETTABLE,
        write: |header, table| matlab::properties(header, table, Object::Body, true),
    },
    Region {
        path: "bindings/matlab/+quatint/Body.m",
        comment: "    %",
        source: READABLE,
        write: |header, table| matlab::properties(header, table, Object::Body, false),
    },
    Region {
        path: "bindings/matlab/+quatint/Body.m",
        comment: "    %",
        source: BODY,
        write: |header, table| matlab::methods(header, table, Object::Body),
    },
    Region {
        path: "bindings/matlab/+quatint/Ensemble.m",
        comment: "    %",
        source: SETTABLE,
        write: |header, table| matlab::properties(header, table, Object::Ensemble, true),
    },
    Region {
        path: "bindings/matlab/+quatint/Ensemble.m",
        comment: "    %",
        source: READABLE,
        write: |header, table| matlab::properties(header, table, Object::Ensemble, false),
    },
    Region {
        path: "bindings/matlab/+quatint/Ensemble.m",
        comment: "    %",
        source: ENSEMBLE,
        write: |header, table| matlab::methods(header, table, Object::Ensemble),
    },
    Region {
        path: "bindings/python/src/accessors.rs",
        comment: "//",
        source: BOTH,
        write: python::methods,
    },
    Region {
        path: "bindings/python/quatint/_quatint.pyi",
        comment: "    #",
        source: BODY,
        write: |header, table| python::stubs(header, table, Object::Body),
    },
    Region {
        path: "bindings/python/quatint/_quatint.pyi",
        comment: "    #",
        source: ENSEMBLE,
        write: |header, table| python::stubs(header, table, Object::Ensemble),
    },
];

/// A file with a generated part.
pub struct Binding {
    /// Where it is, from the root of the repository.
    pub path: &'static str,
    /// What is there.
    pub committed: String,
    /// What must be there.
    pub refreshed: String,
}

impl Binding {
    /// What to tell someone whose file is not as the tool would write it.
    pub fn complaint(&self) -> Option<String> {
        let number = region::first_difference(&self.committed, &self.refreshed)?;
        let path = self.path;
        let is = region::line(&self.committed, number);
        let must_be = region::line(&self.refreshed, number);
        Some(format!(
            "{path} is out of date: refresh it with `make bindings` and commit it\n\
             line {number} is       `{is}`\n\
             line {number} must be  `{must_be}`"
        ))
    }
}

/// Every file with a generated part, as it is and as header and table ask for.
pub fn bindings(root: &Path) -> Result<Vec<Binding>, Box<dyn Error>> {
    let header = Header::parse(&read(root, HEADER)?)?;
    let table = Table::parse(&read(root, "tools/bindings/interface.toml")?)?;
    accessor::expect_all(&header, &table)?;
    let mut bindings: Vec<Binding> = vec![];
    for region in &REGIONS {
        let path = region.path;
        if bindings.last().is_none_or(|binding| binding.path != path) {
            let committed = read(root, path)?;
            bindings.push(Binding {
                path,
                refreshed: committed.clone(),
                committed,
            });
        }
        let binding = bindings.last_mut().expect("one is there");
        let written = (region.write)(&header, &table)?;
        let refreshed =
            region::replaced(&binding.refreshed, region.comment, region.source, &written);
        binding.refreshed = refreshed.map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(bindings)
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"
/** A body. */
typedef struct qi_body qi_body;

/** What a call came to. */
typedef int32_t qi_status;

/** Bodies that glow. */
#define QI_PART_GLOW 16
"#;

    const NEW: &str = r#"
/**
 * Let the body glow, without an end. It is seen from afar.
 *
 * @param body    the body
 * @param colour  3 doubles, red, green and blue
 * @param light   receives 1 double; NULL: not wanted
 * @return QI_OK
 */
qi_status qi_glow(qi_body *body,
                  const double *colour,
                  double *light);
"#;

    #[test]
    fn a_function_that_is_new_in_the_header_appears_in_both_languages() {
        let before = Header::parse(HEADER).unwrap();
        let after = Header::parse(&format!("{HEADER}{NEW}")).unwrap();
        for write in [fortran::module, julia::declarations] {
            let written = write(&before).unwrap();
            assert!(!written.contains("qi_glow"), "{written}");
            assert!(written.contains("QI_PART_GLOW"), "{written}");
        }
        let fortran = "
      !> Let the body glow, without an end.
      integer(c_int32_t) function qi_glow(body, colour, light) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: colour(3)
         real(c_double), intent(out), optional :: light
      end function
";
        let written = fortran::module(&after).unwrap();
        assert!(written.contains(fortran), "{written}");
        let julia =
            "    qi_glow(body::Ptr{Cvoid}, colour::Ptr{Cdouble}, light::Ptr{Cdouble})::Int32\n";
        let written = julia::declarations(&after).unwrap();
        assert!(written.contains(julia), "{written}");
    }

    const OBJECTS: &str = r#"
/** A body. */
typedef struct qi_body qi_body;

/** Bodies. */
typedef struct qi_ensemble qi_ensemble;

/** What a call came to. */
typedef int32_t qi_status;

/**
 * Get the glow.
 * @param glow  receives 3 doubles
 */
qi_status qi_get_glow(const qi_body *body, double *glow);

/**
 * Set the glow.
 * @param glow  3 doubles; NULL: none
 */
qi_status qi_set_glow(qi_body *body, const double *glow);

/**
 * Set the glows.
 * @param glow  3 doubles a body
 */
qi_status qi_set_ensemble_glow(qi_ensemble *ensemble, const double *glow, ptrdiff_t body_stride);
"#;

    const GLOW: &str = r#"
by_hand = []

[[row]]
name = "glow"
is = "the glow"
set = "It fades: see {glow}."
clear = "Removes it."
body = ["qi_get_glow", "qi_set_glow"]
ensemble = ["qi_set_ensemble_glow"]
"#;

    #[track_caller]
    fn expect(write: Writer, parts: &[&str]) {
        let header = Header::parse(OBJECTS).unwrap();
        let written = write(&header, &Table::parse(GLOW).unwrap()).unwrap();
        for part in parts {
            assert!(written.contains(part), "{written}");
        }
    }

    #[test]
    fn a_row_is_member_functions_in_cpp() {
        let get = "    /// The glow.\n    [[nodiscard]] Vector glow() const\n";
        let set = "    /// Sets the glow. It fades: see glow().\n    void set_glow(const Vector &glow) { \
                   detail::check(qi_set_glow(live(), glow.data())); }\n";
        let clear = "    /// Removes it.\n    void clear_glow() { detail::check(qi_set_glow(live(), nullptr)); }\n";
        expect(cpp::of_body, &[get, set, clear]);
        expect(cpp::of_ensemble, &["packed(glow, 3, \"set_glow\");"]);
    }

    #[test]
    fn a_row_is_procedures_in_fortran() {
        let get = "      !> Gets the glow.\n      module subroutine body_get_glow(self, glow, stat, errmsg)\n";
        let set = "      if (.not. taken('glow', glow, [3], of_glow, stat, errmsg)) return\n      \
                   call settle(qi_set_glow(held(self%owned), of_glow), stat, errmsg)\n";
        let clear = "call settle(qi_set_glow(held(self%owned)), stat, errmsg)";
        expect(
            |header, table| fortran_members::interfaces(header, table, Object::Body),
            &[get],
        );
        expect(
            |header, table| fortran_members::procedures(header, table, Object::Body),
            &["   module procedure body_set_glow\n", set, clear],
        );
        expect(
            |header, table| fortran_members::bound(header, table, Object::Ensemble),
            &["      procedure :: set_glow => ensemble_set_glow\n"],
        );
    }

    #[test]
    fn a_row_is_functions_in_julia() {
        let get = "glow(body::Body) = GC.@preserve body three_from(out -> qi_get_glow(handle_of(body), out))\n";
        let set = "Sets the glow. It fades: see [`glow`](@ref). `nothing`: removes it.";
        expect(
            julia_functions::functions,
            &["export glow, set_glow!\n", get, set],
        );
    }

    #[test]
    fn a_row_is_a_property_in_python() {
        let get = "    #[getter]\n    fn glow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {\n";
        let set = "        self.lock(py)?.body.set_glow(value.map(Into::into)).raise(py)\n";
        let text = "    /// The glow. An array (3,). When it is set: it fades: see glow. None: removes it.\n";
        expect(python::methods, &[text, get, set]);
        expect(
            |header, table| python::stubs(header, table, Object::Body),
            &[
                "    @property\n    def glow(self) -> _Array:\n",
                "    def glow(self, glow: npt.ArrayLike | None) -> None: ...\n",
            ],
        );
    }

    #[test]
    fn a_row_is_a_property_in_matlab() {
        let table = format!(
            "by_hand = []\n{}",
            "[[row]]\nname = \"angular_glows\"\nsingle = \"angular_glow\"\nis = \"the glows\"\nnumbers = 3\n\
             ensemble = [\"qi_get_ensemble_glows\"]\n"
        );
        let header = format!(
            "{OBJECTS}\n/** Get the glows. */\nqi_status qi_get_ensemble_glows(const qi_ensemble *ensemble, double *data, \
             ptrdiff_t body_stride, ptrdiff_t component_stride);"
        );
        let (header, table) = (
            Header::parse(&header).unwrap(),
            Table::parse(&table).unwrap(),
        );
        let command = "    {\"get_angular_glow\", get_rows, 0, ENSEMBLE, .width = 3, .get = qi_get_ensemble_glows},\n";
        assert_eq!(matlab::commands(&header, &table).unwrap(), command);
        let method = "    function value = get.angularGlow(obj)\n      value = quatint_mex('get_angular_glow', obj.id);\n    end\n";
        assert_eq!(
            matlab::methods(&header, &table, Object::Ensemble).unwrap(),
            method
        );
        let property = matlab::properties(&header, &table, Object::Ensemble, false).unwrap();
        assert_eq!(
            property,
            "    angularGlow                 % N-by-3: the glows\n"
        );
    }

    #[test]
    fn a_row_of_a_body_is_a_property_in_matlab() {
        let table = GLOW.replace("ensemble = [\"qi_set_ensemble_glow\"]", "");
        let header = Header::parse(OBJECTS).unwrap();
        let table = Table::parse(&table).unwrap();
        let commands = matlab::commands(&header, &table).unwrap();
        for part in [
            "    {\"get_glow\", get_of_body, 0, BODY, .always = true, .width = 3, .body.get = qi_get_glow},\n",
            "    {\"set_glow\", set_numbers_of_body, 1, BODY, .body.set_numbers = qi_set_glow, .may_be_nothing = true,",
        ] {
            assert!(commands.contains(part), "{commands}");
        }
        let methods = matlab::methods(&header, &table, Object::Body).unwrap();
        let set = "    function set.glow(obj, value)\n      quatint_mex('set_glow', obj.id, value);\n    end\n";
        assert!(methods.contains(set), "{methods}");
        assert_eq!(
            matlab::methods(&header, &table, Object::Ensemble).unwrap(),
            ""
        );
        let properties = matlab::properties(&header, &table, Object::Body, true).unwrap();
        let property = "    glow                        % 1-by-3: the glow. It fades: see glow. []: removes it\n";
        assert_eq!(properties, property);
    }

    #[test]
    fn a_function_without_a_row_is_named() {
        let header = Header::parse(OBJECTS).unwrap();
        let table = GLOW.replace("\"qi_get_glow\", ", "");
        let error = accessor::expect_all(&header, &Table::parse(&table).unwrap()).unwrap_err();
        assert_eq!(error, "interface.toml has no row for qi_get_glow");
    }

    #[test]
    fn a_file_that_is_out_of_date_is_named_with_its_first_line_that_differs() {
        let mut binding = Binding {
            path: "some/file",
            committed: "a\nb\nc\n".to_owned(),
            refreshed: "a\nB\nc\n".to_owned(),
        };
        let complaint = binding.complaint().unwrap();
        assert!(
            complaint.starts_with("some/file is out of date: refresh it with `make bindings`"),
            "{complaint}"
        );
        assert!(
            complaint.ends_with("line 2 is       `b`\nline 2 must be  `B`"),
            "{complaint}"
        );

        binding.committed = binding.refreshed.clone();
        assert_eq!(binding.complaint(), None);
    }
}
