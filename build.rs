//! With the feature `harness` this prepares what the tests of the C interface need: the header that
//! cbindgen makes of `src/ffi`, and the C test programs, compiled by `cc`. Both go to `OUT_DIR`, and
//! the library contains nothing of them. A build without the feature needs neither cbindgen nor a C
//! compiler.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "harness")]
    harness::prepare();
}

#[cfg(feature = "harness")]
mod harness {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A group of the header, as Doxygen shows it.
    struct Group {
        name: &'static str,
        title: &'static str,
        /// The files of `src/ffi` that hold its functions.
        files: &'static [&'static str],
        /// Its constants and types; a name that ends with `_` is the beginning of names.
        constants: &'static [&'static str],
    }

    /// In the order of the header. A type stands before the functions that use it.
    const GROUPS: [Group; 19] = [
        group(
            "versions",
            "Versions, statuses and errors",
            &["failure"],
            &[
                "QI_VERSION_",
                "QI_OK",
                "QI_NEED_TORQUE",
                "QI_EVENT",
                "QI_ERR_",
                "qi_status",
            ],
        ),
        group(
            "handles",
            "Handles",
            &["choices", "objects"],
            &["qi_body", "qi_ensemble"],
        ),
        group(
            "rotations",
            "Orientations and rotations",
            &["rotation"],
            &["qi_rate_fn"],
        ),
        group("mass", "Mass properties", &["mass"], &["QI_MASS_SIZE"]),
        group(
            "body",
            "One body",
            &["body"],
            &["QI_METHOD_", "qi_torque_fn"],
        ),
        group(
            "torque",
            "The torque on one body",
            &["torque", "body_torques"],
            &["QI_FRAME_"],
        ),
        group(
            "inertia",
            "Inertia that changes, and locked axes",
            &["inertia"],
            &["QI_KEEP_", "QI_AXIS_", "qi_inertia_fn"],
        ),
        group(
            "solutions",
            "Solutions with error control",
            &["solve"],
            &[
                "QI_RISING",
                "QI_FALLING",
                "QI_ANY_CROSSING",
                "QI_SOLVE_",
                "qi_monitor_fn",
                "qi_event_fn",
            ],
        ),
        group("ensembles", "Ensembles", &["ensemble"], &["QI_MAX_THREADS"]),
        group(
            "ensemble_torque",
            "The torque on an ensemble",
            &["ensemble_torques"],
            &["QI_LAYOUT_", "qi_ensemble_torque_fn"],
        ),
        group(
            "ensemble_states",
            "States of an ensemble, and arrays of the program",
            &["ensemble_states"],
            &["QI_SCALAR_", "QI_OMEGA_", "QI_ANGMOM_"],
        ),
        group(
            "rows",
            "Rows and clocks: messages, files, restart",
            &["rows"],
            &["QI_PART_"],
        ),
        group(
            "population",
            "Bodies that come and go",
            &["population"],
            &[],
        ),
        group("sums", "Exact sums", &["sums"], &["QI_SUM_SIZE"]),
        group("stages", "The stage protocol", &["ensemble_stages"], &[]),
        group("kicks", "Kicks, drifts, drag and rotors", &["kicks"], &[]),
        group("points", "Points on bodies", &["points"], &[]),
        group(
            "torque_sums",
            "Torques to be added up in a callback",
            &["torque_sums"],
            &[],
        ),
        group("random", "Random torques", &["random"], &[]),
    ];

    const fn group(
        name: &'static str,
        title: &'static str,
        files: &'static [&'static str],
        constants: &'static [&'static str],
    ) -> Group {
        Group {
            name,
            title,
            files,
            constants,
        }
    }

    impl Group {
        /// The functions are found in the source, because cbindgen does not say where they are from.
        fn holds(&self, name: &str, source: &str) -> bool {
            let is_constant = self.constants.iter().any(|constant| {
                if constant.ends_with('_') {
                    name.starts_with(constant)
                } else {
                    name == *constant
                }
            });
            is_constant || source.contains(&format!("fn {name}("))
        }

        fn source(&self) -> String {
            let path = |file: &&str| format!("src/ffi/{file}.rs");
            let texts = self
                .files
                .iter()
                .map(|file| fs::read_to_string(path(file)).expect("readable"));
            texts.collect()
        }
    }

    pub(super) fn prepare() {
        for input in [
            "src/ffi",
            "src/status.rs",
            "cbindgen.toml",
            "include/quatint.h",
            "tests/c",
        ] {
            println!("cargo:rerun-if-changed={input}");
        }
        let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
        fs::write(out.join("quatint.h"), header()).expect("OUT_DIR is writable");
        compile_c_tests(&out);
    }

    fn header() -> String {
        let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is valid");
        let mut builder = cbindgen::Builder::new().with_config(config);
        builder = builder.with_src("src/status.rs");
        for file in GROUPS.iter().flat_map(|group| group.files) {
            builder = builder.with_src(format!("src/ffi/{file}.rs"));
        }
        let mut header = Vec::new();
        builder
            .generate()
            .expect("src/ffi parses")
            .write(&mut header);
        grouped(&String::from_utf8(header).expect("cbindgen writes UTF-8"))
            // C90 has no comments of this form.
            .replace("// extern \"C\"", "/* extern \"C\" */")
            .replace("// __cplusplus", "/* __cplusplus */")
            .replace("\nqi_status qi_", "\nQI_WARN_UNUSED qi_status qi_")
    }

    /// The header with its declarations in groups, each constant beside the functions that take it.
    fn grouped(header: &str) -> String {
        const LINKAGE: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\n";
        const END: &str = "#ifdef __cplusplus\n}  // extern";
        let (start, rest) = header
            .split_once("#define QI_WARN_UNUSED\n#endif\n")
            .expect("a macro");
        let (items, end) = rest.split_once(END).expect("an end");
        let mut items: Vec<&str> = items.split("\n/**").skip(1).collect(); // comment and declaration
        for item in &mut items {
            *item = item.split(LINKAGE).next().expect("a first part").trim_end();
        }
        let mut text = format!("{start}#define QI_WARN_UNUSED\n#endif\n\n{LINKAGE}");
        for group in &GROUPS {
            let source = group.source();
            text += &format!(
                "\n/**\n * @defgroup {} {}\n * @{{\n */\n",
                group.name, group.title
            );
            items.retain(|item| {
                let is_here = group.holds(declared(item), &source);
                if is_here {
                    text += &format!("\n/**{item}\n");
                }
                !is_here
            });
            text += "\n/** @} */\n";
        }
        assert!(items.is_empty(), "in no group of build.rs: {items:#?}");
        format!("{text}\n{END}{end}")
    }

    /// The name that the declaration below a comment declares.
    fn declared(item: &str) -> &str {
        let (_, code) = item.split_once("*/\n").expect("a comment ends");
        let name = if let Some(constant) = code.strip_prefix("#define ") {
            constant.split(' ').next()
        } else if let Some((_, callback)) = code.split_once("(*") {
            callback.split(')').next()
        } else {
            let function_or_type = code.split(['(', ';']).next().expect("a first part");
            function_or_type.rsplit([' ', '*']).next()
        };
        name.expect("a declaration has a name")
    }

    /// Compiles each program in `tests/c` to an object. `harness.txt` has a line for each: its name
    /// and its object.
    fn compile_c_tests(out: &Path) {
        let mut lines = String::new();
        for source in c_files(Path::new("tests/c")) {
            let name = source.file_stem().expect("a file has a name");
            let name = name.to_str().expect("the names are ASCII");
            let objects = cc::Build::new()
                .file(&source)
                .include(out) // the header that has just been made, before the committed one
                .include("include")
                .out_dir(out.join(name))
                .cargo_metadata(false)
                .inherit_rustflags(false)
                .std("c99")
                .opt_level(2)
                .warnings(true)
                .extra_warnings(true)
                .warnings_into_errors(true)
                .flag("-pedantic-errors")
                .flag("-Wno-unknown-pragmas")
                .compile_intermediates();
            lines += &format!("{name} {}\n", objects[0].display());
        }
        fs::write(out.join("harness.txt"), lines).expect("OUT_DIR is writable");
    }

    /// The C files in a folder, in the order of their names.
    fn c_files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
        files.sort();
        files
    }
}
