//! Writes what Fortran and Julia declare of the C library, from `include/quatint.h`.
//!
//! The header says almost everything: cbindgen writes the types, and the comments say how many
//! doubles an argument has, whether the call writes them, and what NULL means. Each binding turns
//! this into its language by a few rules, and has a short table of exceptions. Where neither says
//! what an argument is, the tool stops and names the argument.
//!
//! What is generated stands between two marker lines. The rest of these files is written by hand.

mod fortran;
mod header;
mod julia;
mod region;
mod text;

use header::Header;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Turns the header into the lines of one language.
type Writer = fn(&Header) -> Result<String, String>;

/// The files with a generated part, what writes it, and how their comments begin.
const FILES: [(&str, Writer, &str); 2] = [
    (
        "bindings/fortran/quatint.f90",
        fortran::declarations,
        "   !",
    ),
    (
        "bindings/julia/Quatint/src/functions.jl",
        julia::declarations,
        "#",
    ),
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

/// Every file with a generated part, as it is and as the header asks for.
pub fn bindings(root: &Path) -> Result<Vec<Binding>, Box<dyn Error>> {
    let header = Header::parse(&read(root, "include/quatint.h")?)?;
    let mut bindings = vec![];
    for (path, write, comment) in FILES {
        let committed = read(root, path)?;
        let refreshed = region::replaced(&committed, comment, &write(&header)?)
            .map_err(|error| format!("{path}: {error}"))?;
        bindings.push(Binding {
            path,
            committed,
            refreshed,
        });
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
        for (_, write, _) in FILES {
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
        let written = fortran::declarations(&after).unwrap();
        assert!(
            written.contains(fortran) && written.contains("public :: qi_glow\n"),
            "{written}"
        );
        let julia =
            "    qi_glow(body::Ptr{Cvoid}, colour::Ptr{Cdouble}, light::Ptr{Cdouble})::Int32\n";
        let written = julia::declarations(&after).unwrap();
        assert!(written.contains(julia), "{written}");
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
