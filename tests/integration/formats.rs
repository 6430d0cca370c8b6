//! Reports for programs: JSON by its schema, also where there is none but an error, and SARIF.

use crate::several::Folder;
use crate::{sarif, schema};
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = "extern int input(void);\nint main(void)\n{\n    int a[4] = {0};\n    int i = input();\n    if (i > 9)\n        return 0;\n    return a[i] / (i + 3) + 1;\n}\n";

fn printed_schema(folder: &Folder) -> Value {
    serde_json::from_str(&folder.text(&["schema"])).expect("the schema is JSON")
}

#[test]
fn a_report_fits_the_printed_schema_and_a_changed_one_does_not() {
    let folder = Folder::new("schema", &[("a.c", PROGRAM)]);
    let schema = printed_schema(&folder);
    let output = folder.run(&["verify", "a.c", "--checks", "all", "--json", "--out", "out"]);
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema::problems(&schema, &report), Vec::<String>::new());
    assert_eq!(report["schema_version"], 1);
    report["properties"][0]["verdict"] = "PERHAPS".into();
    report["more"] = 1.into();
    // Of an error the report is even further away.
    let mut alone = schema["$defs"]["report"].clone();
    alone["$defs"] = schema["$defs"].clone();
    let problems = schema::problems(&alone, &report);
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn errors_are_json_too() {
    let folder = Folder::new(
        "json-errors",
        &[
            ("a.c", "int main(void) { return 0 }\n"),
            ("b.c", "int main(void) { return 0; }\n"),
        ],
    );
    let schema = printed_schema(&folder);
    let mut shown = String::new();
    for arguments in [
        &["verify", "--json", "--no-such"][..],
        &["verify", "missing.c", "--json"],
        &["verify", "a.c", "--json"],
        &["verify", "b.c", "--json", "--set", "refine=none"],
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(3));
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(schema::problems(&schema, &error), Vec::<String>::new());
        assert!(!output.stderr.is_empty(), "people read standard error");
        let first = error["error"]["message"].as_str().unwrap().lines().next().unwrap();
        shown += &format!("{}: {first}\n", error["error"]["kind"].as_str().unwrap());
    }
    expect![[r#"
        usage: unexpected argument '--no-such' found
        input: missing.c: cannot read the file: No such file or directory (os error 2)
        input: a.c:1:27: syntax error at '}'
        usage: `none` is no value for `refine`; expected one of single, multi, multi-first, multi-shallow, multi-deep
    "#]]
    .assert_eq(&shown);
    let without = folder.run(&["verify", "missing.c"]);
    assert!(without.stdout.is_empty());
}

#[test]
fn sarif_goes_to_a_file_of_its_own() {
    let folder = Folder::new("sarif", &[("a b.c", PROGRAM)]);
    folder.run(&["verify", "a b.c", "--checks", "all", "--sarif", "found.sarif"]);
    let text = folder.read("found.sarif");
    assert_eq!(sarif::problems(&text), Vec::<String>::new());
    let log: Value = serde_json::from_str(&text).unwrap();
    let prints = |log: &Value| -> Vec<String> {
        let results = log["runs"][0]["results"].as_array().unwrap();
        let fails = results.iter().filter(|result| result["kind"] == "fail");
        fails.map(|result| result["partialFingerprints"].to_string()).collect()
    };
    assert!(prints(&log).len() >= 2, "{text}");
    // Lines before the place leave the fingerprints alone.
    folder.write("a b.c", &format!("\n\n{PROGRAM}"));
    folder.run(&["verify", "a b.c", "--checks", "all", "--sarif", "found.sarif"]);
    let moved: Value = serde_json::from_str(&folder.read("found.sarif")).unwrap();
    assert_eq!(prints(&moved), prints(&log));
    let unwritable = folder.run(&["verify", "a b.c", "--sarif", "no/such/folder.sarif"]);
    assert_eq!(unwritable.status.code(), Some(3));
}
