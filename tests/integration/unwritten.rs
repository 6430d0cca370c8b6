//! Reads of bytes that nothing has written: behind pointers, on the heap, in structures and unions. The programs mark the lines as in [`initialised`](crate::initialised).

use crate::initialised::{marked, verdicts};
use crate::several::Folder;

/// A name, and a program. A line that ends with `// unset` has a read of what nothing has written, and no other line has one.
const PROGRAMS: [(&str, &str); 12] = [
    (
        "results",
        "
extern int input(void);
static int parse(int c, int *value) {
    if (c < '0' || c > '9')
        return -1;
    *value = c - '0';
    return 0;
}
int main(void) {
    int first, second;
    if (parse(input(), &first) != 0)
        return 1;
    parse(input(), &second);
    if (first > 3)
        return second; // unset
    return first;
}
",
    ),
    (
        "heap",
        "
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *make(int key) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->key = key;
    return n;
}
int main(void) {
    struct node *a = make(1), *b = make(2), *c = calloc(1, sizeof *c);
    if (!c)
        return 1;
    a->next = b;
    int sum = a->key + a->next->key + c->key;
    if (c->next)
        return 2;
    if (b->next) // unset
        return 3;
    b->next = a;
    return b->next->key + sum;
}
",
    ),
    (
        "copies",
        "
#include <string.h>
struct pair { int a, b; };
static int sum(struct pair p) {
    int a = p.a;
    return a + p.b; // unset
}
static struct pair make(int a) {
    struct pair p;
    p.a = a;
    return p;
}
int main(void) {
    struct pair x = make(3), y, z;
    memcpy(&y, &x, sizeof y);
    int total = y.a;
    total += y.b; // unset
    y.b = 1;
    z = y;
    total += z.a + z.b;
    return total + sum(x);
}
",
    ),
    (
        "characters",
        "
int main(void) {
    char from[4], to[4], one;
    from[0] = 1;
    from[1] = 2;
    char *p = from, *q = to;
    for (int i = 0; i < 4; i++)
        q[i] = p[i];
    one = p[3];
    int sum = q[0] + q[1];
    sum += q[2]; // unset
    p[2] = one;
    sum += p[2]; // unset
    return sum + one; // unset
}
",
    ),
    (
        "elements",
        "
extern int input(void);
int main(void) {
    int a[6], *p = a, n = input(), sum = 0;
    if (n < 0 || n > 6)
        return 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        sum += p[i];
    if (n > 0)
        sum += *p;
    for (int i = 0; i < 6; i++)
        sum += p[i]; // unset
    return sum;
}
",
    ),
    (
        "again",
        "
static int use(int *p) {
    return *p; // unset
}
static int other(int *p) {
    return *p;
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x, y;
        if (i == 0)
            x = 1;
        sum += use(&x);
        y = i;
        sum += other(&y);
    }
    return sum;
}
",
    ),
    (
        "bytes",
        "
union number { int i; unsigned char c[4]; };
struct bits { unsigned a : 3, b : 5, c : 8; };
int main(void) {
    union number n, m;
    n.i = 5;
    m.c[0] = 1;
    struct bits b, *q = &b;
    q->a = 1;
    int sum = n.c[2] + q->a;
    sum += m.c[0];
    sum += m.i; // unset
    return sum + q->c; // unset
}
",
    ),
    (
        "fields",
        "
struct bits { unsigned a : 8, b : 8, c : 8, d : 8; };
int main(void) {
    struct bits x, *p = &x;
    p->a = 1;
    p->b = 2;
    int sum = p->a + p->b;
    return sum + p->c; // unset
}
",
    ),
    (
        "kept",
        "
struct pair { int a, b; };
static struct pair kept;
int main(void) {
    struct pair x, y, *p = &x, *q = &y;
    p->a = 1;
    kept = x;
    *q = kept;
    int sum = q->a + kept.a;
    return sum + q->b; // unset
}
",
    ),
    (
        "lengths",
        "
#include <alloca.h>
static int last(int n) {
    int a[n], *b = alloca(8);
    a[0] = 1;
    b[1] = 1;
    int sum = a[0] + b[1];
    return sum + a[n - 1]; // unset
}
int main(void) {
    return last(1) + last(2);
}
",
    ),
    (
        "functions",
        "
extern void fill(int *out, int **deep);
int main(void) {
    int x, y = 1, *p = &y;
    fill(&x, &p);
    int z, *q = &z;
    int sum = x;
    return sum + *q; // unset
}
",
    ),
    (
        "text",
        "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *s = malloc(8), *t = malloc(8);
    if (!s || !t)
        return 1;
    strcpy(s, \"abc\");
    memset(t, 0, 4);
    int n = strlen(s) + strlen(t), value;
    if (scanf(\"%d\", &value) != 1)
        return 2;
    n += value + strcmp(s, t);
    s = realloc(s, 16);
    if (!s)
        return 3;
    n += s[2];
    return n + s[9]; // unset
}
",
    ),
];

/// A program in a folder of its test: the tests run side by side, and each removes its folders.
fn folder(test: &str, name: &str, text: &str) -> Folder {
    Folder::new(&format!("unwritten-{test}-{name}"), &[(&format!("{name}.c"), text)])
}

/// The lines with a verdict.
fn lines(found: &[(u64, String)], verdict: &str) -> Vec<u64> {
    let mut lines: Vec<u64> = found
        .iter()
        .filter(|(_, v)| v == verdict)
        .map(|(line, _)| *line)
        .collect();
    lines.dedup();
    lines
}

#[test]
fn reads_of_bytes_are_of_what_is_written_but_for_the_marked_ones() {
    for (name, text) in PROGRAMS {
        let found = verdicts(&folder("explored", name, text), name, &[]);
        assert_eq!(lines(&found, "FALSE"), marked(text), "{name}: {found:?}");
        assert!(lines(&found, "UNKNOWN").is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn formulas_agree_with_the_exploration() {
    let options = [
        "--set",
        "explicit=off",
        "--set",
        "concrete.steps=0",
        "--set",
        "sample.steps=0",
        "--check",
    ];
    let mut decided = 0;
    for (name, text) in PROGRAMS {
        let found = verdicts(&folder("formulas", name, text), name, &options);
        let marked = marked(text);
        for line in lines(&found, "FALSE") {
            assert!(marked.contains(&line), "{name}: {found:?}");
        }
        for line in lines(&found, "TRUE") {
            let others = found.iter().any(|(other, verdict)| *other == line && verdict != "TRUE");
            assert!(others || !marked.contains(&line), "{name}: {found:?}");
        }
        decided += found.iter().filter(|(_, verdict)| verdict != "UNKNOWN").count();
    }
    assert!(decided >= 22, "{decided}");
}
