//! Functions of a library without `main`: what their parameters point to, and the evidence for it.

use crate::command;
use crate::several::Folder;
use std::path::Path;

/// Verifies a function of the library of the tutorial with all checks of memory. Returns the lines of the answer.
fn ring(function: &str, pointers: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tutorial/ring.c");
    let arguments = [
        "verify",
        &file.display().to_string(),
        "--entry",
        function,
        "--entry-pointers",
        pointers,
        "--checks",
        "valid-deref,bounds,null",
    ];
    let output = command::provident(&arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .filter(|line| line.starts_with("PROPERTY") || line.starts_with("VERDICT"));
    lines
        .map(|line| line.replace(&file.display().to_string(), "ring.c"))
        .collect()
}

#[test]
fn a_function_that_checks_its_ring_is_proved_and_one_that_does_not_is_refuted() {
    for function in ["ring_init", "ring_put_checked", "ring_get"] {
        let lines = ring(function, "valid");
        assert_eq!(lines.last().unwrap(), "VERDICT: TRUE", "{function}: {lines:?}");
    }
    let lines = ring("ring_put", "valid");
    assert_eq!(lines.last().unwrap(), "VERDICT: FALSE", "{lines:?}");
    let wrong: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains(": FALSE") && line.contains("ring.c:"))
        .collect();
    assert!(
        !wrong.is_empty() && wrong.iter().all(|line| line.contains("ring.c:33:")),
        "{lines:?}"
    );
}

#[test]
fn any_pointer_may_lead_nowhere() {
    let lines = ring("ring_get", "any");
    assert!(
        lines.last().unwrap().starts_with("VERDICT: UNKNOWN (replay-undefined)"),
        "{lines:?}"
    );
}

#[test]
fn objects_behind_pointers_are_their_own_and_a_harness_passes_them() {
    let text = "
extern void reach_error(void);
struct leaf { int value; };
struct tree { int key; struct leaf *leaf; struct tree *left; struct { char *name; } of; };
int look(struct tree *t, int key, const int *limit)
{
    if (!t || !limit)
        return 0;
    if (t->left == t)
        return 1;
    if (t->leaf && t->left && t->left->leaf == t->leaf)
        reach_error();
    if (t->key == key && t->leaf && t->leaf->value > *limit && t->left && t->left->key == 7 && t->of.name && *t->of.name == 'x' && !t->left->leaf)
        goto ERROR;
    return 2;
ERROR:
    return 3;
}
";
    let folder = Folder::new("entry-objects", &[("a.c", text)]);
    let shown = folder.text(&[
        "verify",
        "a.c",
        "--entry",
        "look",
        "--entry-pointers",
        "valid",
        "--check",
        "--out",
        "out",
    ]);
    assert!(
        shown.contains("PROPERTY reach_error: TRUE"),
        "two objects are never the same one: {shown}"
    );
    assert!(shown.contains("PROPERTY ERROR: FALSE"), "{shown}");
    assert!(shown.contains("HARNESS ERROR: reaches the violation"), "{shown}");
    assert!(shown.contains("t = &object_of_t"), "{shown}");
    let null = folder.text(&[
        "verify",
        "a.c",
        "--entry",
        "look",
        "--entry-pointers",
        "valid",
        "--checks",
        "null",
    ]);
    assert!(null.contains("VERDICT: TRUE"), "{null}");
}

#[test]
fn a_null_pointer_is_tried_too() {
    let text = "struct s { int x; };\nint get(const struct s *s)\n{\n    return s->x;\n}\n";
    let folder = Folder::new("entry-null", &[("a.c", text)]);
    let shown = folder.text(&[
        "verify",
        "a.c",
        "--entry",
        "get",
        "--entry-pointers",
        "valid",
        "--checks",
        "null",
        "--check",
        "--out",
        "out",
    ]);
    assert!(
        shown.contains("call get(s = NULL)") && shown.contains("VERDICT: FALSE"),
        "{shown}"
    );
    assert!(shown.contains("reaches the violation"), "{shown}");
}

#[test]
fn the_harness_of_the_tutorial_links_with_the_library() {
    let guide = include_str!("../../src/guide/library.md");
    let begin = guide.find("extern unsigned char __VERIFIER_nondet_uchar").unwrap();
    let code = &guide[begin..begin + guide[begin..].find("```").unwrap()];
    let library = include_str!("../tutorial/ring.c");
    let record = library.find("struct ring {").unwrap();
    let record = &library[library.find("#include").unwrap()..record + library[record..].find("};").unwrap() + 2];
    let head = "int ring_init(struct ring *);\nint ring_put(struct ring *, uint8_t);\nint ring_get(struct ring *, uint8_t *);\n#include <assert.h>\n";
    let folder = Folder::new(
        "entry-tutorial",
        &[("ring.c", library), ("harness.c", &format!("{record}\n{head}{code}"))],
    );
    assert_eq!(folder.verdict(&["verify", "harness.c", "ring.c"]), "VERDICT: TRUE");
}
