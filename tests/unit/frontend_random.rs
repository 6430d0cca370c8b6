//! The front end never panics, whatever it is given, and lays out random records as gcc does where there is a gcc.

use proptest::prelude::*;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Words from which token soup is made.
const WORDS: &[&str] = &[
    "int",
    "char",
    "struct",
    "s",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "=",
    "1",
    "\"x\"",
    "'a'",
    "x",
    "f",
    "return",
    "if",
    "else",
    "while",
    "for",
    "switch",
    "case",
    ":",
    "default",
    "goto",
    "typedef",
    "static",
    "const",
    "->",
    ".",
    "+",
    "-",
    "&",
    "&&",
    "?",
    "sizeof",
    "typeof",
    "__attribute__",
    "((",
    "))",
    "packed",
    "aligned",
    "enum",
    "union",
    "...",
    "asm",
    "__builtin_va_arg",
    "_Generic",
    "++",
    "0.5",
    "unsigned",
    "long",
    "_Complex",
    "void",
    "extern",
    "#pragma pack(1)\n",
    "__label__",
    "__extension__",
    "_Static_assert",
    "__builtin_offsetof",
];

fn analyse(text: Vec<u8>) {
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        if let Err(problems) = parse(Source::new("random.c", text.clone()), &FrontendOptions { data_model }) {
            assert!(!problems.list.is_empty(), "a rejection says why");
            problems.render(false);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        analyse(bytes);
    }

    #[test]
    fn token_soup_never_panics(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        analyse(words.join(" ").into_bytes());
        analyse(format!("struct s {{ int x; }} *s; int f(int x) {{ {} }}", words.join(" ")).into_bytes());
    }

}

proptest! {
    // Each case runs a compiler twice.
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn records_agree_with_gcc(records in proptest::collection::vec(record(), 1..20)) {
        for (model, option) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
            if let Some(complaint) = gcc_disagrees(&records, model, option) {
                prop_assert!(false, "{complaint}");
            }
        }
    }
}

/// The members and attributes of a random record.
fn record() -> impl Strategy<Value = String> {
    let scalar = proptest::sample::select(vec![
        "char",
        "short",
        "int",
        "long",
        "long long",
        "double",
        "float",
        "void *",
        "long double",
        "_Bool",
    ]);
    let plain = (
        scalar,
        proptest::option::of(0usize..5),
        proptest::option::weighted(0.2, proptest::sample::select(vec![2, 8, 32])),
    )
        .prop_map(|(ty, array, align)| {
            let array = array.map_or(String::new(), |n| format!("[{n}]"));
            let align = align.map_or(String::new(), |n| format!(" __attribute__((aligned({n})))"));
            format!("{ty} NAME{array}{align};")
        });
    let bits = (
        proptest::sample::select(vec![
            ("char", 8),
            ("short", 16),
            ("int", 32),
            ("long long", 64),
            ("_Bool", 1),
        ]),
        1u32..64,
        any::<bool>(),
    )
        .prop_map(|((ty, most), width, named)| {
            let name = if named { "BITS" } else { "" };
            format!("{ty} {name} : {};", width % most + 1)
        })
        .prop_map(|s| {
            s.replace("_Bool BITS : 2", "_Bool BITS : 1")
                .replace("_Bool  : 2", "_Bool : 1")
        });
    let separator = proptest::sample::select(vec![
        "int : 0;".to_owned(),
        "char : 0;".to_owned(),
        "long long : 0;".to_owned(),
    ]);
    let inner = Just("struct { char NAME; long long NAME; } NAME;".to_owned());
    let member = prop_oneof![6 => plain, 6 => bits, 1 => separator, 1 => inner];
    let tail = proptest::sample::select(vec![
        "",
        "",
        "",
        " __attribute__((packed))",
        " __attribute__((aligned(16)))",
    ]);
    let keyword = proptest::sample::select(vec!["struct", "struct", "struct", "union"]);
    (
        keyword,
        proptest::collection::vec(member, 1..8),
        tail,
        proptest::sample::select(vec![0, 0, 0, 1, 2, 4]),
    )
        .prop_map(|(keyword, members, tail, pack)| {
            let mut text = String::new();
            let members = members.join(" ");
            let parts = members.split_inclusive("NAME").flat_map(|p| p.split_inclusive("BITS"));
            for (count, part) in parts.enumerate() {
                text += &part
                    .replace("NAME", &format!("m{count}"))
                    .replace("BITS", &format!("b{count}"));
            }
            let pragma = if pack > 0 {
                format!("#pragma pack({pack})\n")
            } else {
                String::new()
            };
            format!("{pragma}{keyword} TAG {{ {text} }}{tail};\n#pragma pack()\n")
        })
}

/// States our layout as static assertions and has gcc check them.
fn gcc_disagrees(records: &[String], model: DataModel, option: &str) -> Option<String> {
    let mut text = String::new();
    for (i, record) in records.iter().enumerate() {
        text += &record.replace("TAG", &format!("t{i}"));
    }
    let unit = parse(
        Source::new("records.c", text.clone()),
        &FrontendOptions { data_model: model },
    )
    .expect("the records are valid");
    for (_, record) in unit.types.records().filter(|(_, r)| r.loc.is_some()) {
        let Some(name) = &record.name else { continue };
        let keyword = if text.contains(&format!("union {name} ")) {
            "union"
        } else {
            "struct"
        };
        let tag = format!("{keyword} {name}");
        writeln!(
            text,
            "_Static_assert(sizeof({tag}) == {}, \"size of {tag}\");",
            record.size
        )
        .expect("writes to a string");
        writeln!(
            text,
            "_Static_assert(_Alignof({tag}) == {}, \"alignment of {tag}\");",
            record.align
        )
        .expect("writes to a string");
        for field in &record.fields {
            if let (Some(member), None) = (&field.name, field.bits) {
                writeln!(
                    text,
                    "_Static_assert(__builtin_offsetof({tag}, {member}) == {}, \"{tag}.{member}\");",
                    field.offset
                )
                .expect("writes to a string");
            }
        }
    }
    let child = Command::new("gcc")
        .args([option, "-x", "c", "-w", "-fsyntax-only", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    // Without a gcc there is nothing to compare with.
    let mut child = child.ok()?;
    child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(text.as_bytes())
        .ok()?;
    let output = child.wait_with_output().ok()?;
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success() && complaint.contains("static assertion failed"))
        .then(|| format!("{option}\n{text}\n{complaint}"))
}
