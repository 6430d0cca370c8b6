//! Reads of variables that nothing has written: each program says in which lines they are, and all other reads are of what was written.

use crate::several::Folder;
use serde_json::Value;

/// A name, and a program. A line that ends with `// unset` has a read of what nothing has written, and no other line has one.
const PROGRAMS: [(&str, &str); 9] = [
    (
        "branches",
        "
extern int input(void);
int main(void) {
    int x, y, z = 1;
    int a = input();
    if (a > 3)
        x = 1;
    if (a > 5)
        z += x;
    if (a > 2)
        z += x; // unset
    if (a > 3 && x)
        z++;
    switch (a) {
    case 1: y = 2; break;
    case 2: y = 3; break;
    default: if (a < 9) return 0;
    }
    if (a == 1 || a == 2)
        return y;
    return y + z; // unset
}
",
    ),
    (
        "loops",
        "
extern unsigned input(void);
int main(void) {
    unsigned n = input(), last, sum = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned step;
        if (i % 2 == 0)
            step = 1;
        sum += step; // unset
        last = i;
    }
    if (n > 0)
        sum += last;
    return sum + last; // unset
}
",
    ),
    (
        "redeclared",
        "
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int part;
        if (i == 0)
            part = 5;
        sum += part; // unset
    }
    return sum;
}
",
    ),
    (
        "jumps",
        "
extern int input(void);
int main(void) {
    int k = input();
    if (k)
        goto inside;
    {
        int x;
        x = 4;
    inside:
        k = x; // unset
    }
    return k;
}
",
    ),
    (
        "calls",
        "
extern int input(void);
static int twice(int x) { return 2 * x; }
static int maybe(int c) {
    int r;
    if (c)
        r = c;
    return r; // unset
}
static int fill(void) {
    int r = input();
    return r;
}
int main(void) {
    int a, b, c;
    a = fill();
    b = twice(a);
    maybe(input());
    return twice(c) + b; // unset
}
",
    ),
    (
        "members",
        "
extern int input(void);
struct point { int x, y; };
struct line { struct point from, to; int *p; };
int main(void) {
    struct point p, q, r = {1};
    struct line l;
    int k = 0;
    p.x = input();
    q = p;
    k += q.x;
    k += q.y; // unset
    k += r.y;
    l.from.x = 3;
    l.to.y = 4;
    k += l.from.x + l.to.y;
    k += l.from.y; // unset
    if (l.p) // unset
        k++;
    return k;
}
",
    ),
    (
        "elements",
        "
extern int input(void);
int main(void) {
    int a[4], b[3] = {1, 2}, k = input(), s = 0;
    for (int i = 0; i < 3; i++)
        a[i] = i;
    s += a[2] + b[2];
    if (k >= 0 && k < 3)
        s += a[k];
    s += a[3]; // unset
    return s;
}
",
    ),
    (
        "characters",
        "
extern char input(void);
int main(void) {
    char c, d, e;
    unsigned char u, v;
    float f;
    _Bool b;
    if (input())
        c = input();
    d = c;
    e = input();
    d = e;
    if (d)
        e = c;
    u = v;
    if (u == 3) // unset
        return 1;
    if (f > 0) // unset
        return 2;
    return b; // unset
}
",
    ),
    (
        "pointers",
        "
extern int input(void);
int main(void) {
    int *p, *q, x = 1, z;
    if (input())
        p = &x;
    q = &x;
    *q = 2;
    x = *p; // unset
    return x + z - z; // unset
}
",
    ),
];

/// The lines that are marked.
pub fn marked(text: &str) -> Vec<u64> {
    let lines = (1..).zip(text.lines());
    let marked = lines.filter(|(_, line)| line.ends_with("// unset"));
    marked.map(|(number, _)| number).collect()
}

/// The verdicts of a program's checks, with their lines.
pub fn verdicts(folder: &Folder, name: &str, options: &[&str]) -> Vec<(u64, String)> {
    let file = format!("{name}.c");
    let fixed = ["verify", &file, "--checks", "uninit", "--json", "--ticks", "100000000"];
    let output = folder.run(&[&fixed, options].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let mut found: Vec<(u64, String)> = Vec::new();
    let is_own = |property: &&Value| {
        property["check"]["file"]
            .as_str()
            .is_some_and(|path| path.ends_with(&file))
    };
    for property in report["properties"].as_array().unwrap().iter().filter(is_own) {
        let line = property["check"]["line"].as_u64().unwrap_or(0);
        found.push((line, property["verdict"].as_str().unwrap().to_string()));
    }
    found.sort();
    found
}

#[test]
fn reads_are_of_what_is_written_but_for_the_marked_ones() {
    for (name, text) in PROGRAMS {
        let folder = Folder::new(&format!("uninit-{name}"), &[(&format!("{name}.c"), text)]);
        let marked = marked(text);
        let found = verdicts(&folder, name, &[]);
        let mut lines: Vec<u64> = found
            .iter()
            .filter(|(_, verdict)| verdict == "FALSE")
            .map(|(line, _)| *line)
            .collect();
        lines.dedup();
        assert_eq!(lines, marked, "{name}: {found:?}");
        let unknown = found.iter().any(|(_, verdict)| verdict == "UNKNOWN");
        assert!(!unknown, "{name}: {found:?}");
    }
}

#[test]
fn the_execution_shows_the_read() {
    let text =
        "extern int input(void);\nint main(void)\n{\n    int x;\n    if (input())\n        x = 1;\n    return x;\n}\n";
    let folder = Folder::new("uninit-trace", &[("a.c", text)]);
    let shown = folder.text(&["verify", "a.c", "--checks", "uninit", "--out", "out"]);
    expect_test::expect![[r#"
        Violation of uninit/a.c:7:5 (G ! uninit at a.c:7:5):
            a.c in main:
                 5:     if (input())    // input returns 0, condition false
                 7:     return x;    // a variable is read that nothing has written
          input 2: input() = 0 at a.c:5:9
          1 more input has no influence on the path"#]]
    .assert_eq(shown.split("\n\n").next().unwrap());
    let files = std::fs::read_dir(folder.0.join("out")).unwrap();
    let names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let has = |kind: &str| {
        names
            .iter()
            .any(|name| name.starts_with(&format!("{kind}-uninit-a.c-7")))
    };
    assert!(has("witness") && !has("harness"), "gcc has no check of it: {names:?}");
}
