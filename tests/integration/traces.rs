//! Executions as people read them: the lines of the user's files, values by their types, and the inputs that matter.

use crate::command;
use crate::several::{Folder, split};
use expect_test::expect;
use std::io::Write;
use std::process::Stdio;

const TWO_FILES: &str = "
// FILE list.h
#include <stddef.h>
enum color { RED, GREEN = 5, BLUE };
struct node { int value; struct node *next; char tag; enum color color; };
struct node *make(int value);
int sum(struct node *list);
// FILE main.c
#include \"list.h\"
#include <assert.h>
extern int input(void);
extern char letter(void);

int main(void)
{
	struct node *list = make(input());
	int unused = input();
	char c = letter();
	enum color color = input();
	if (list == NULL)
		return 0;
	if (NULL == list->next && c == 'x')
		list->color = color;
	unsigned flags = input();
	if (!(flags & 0x40))
		return 1;
	for (int i = 0; i < 8; i++) {
		list->value += i;
	}
	if (list->color == BLUE)
		assert(sum(list) != 42);
	return 0;
}
// FILE list.c
#include \"list.h\"
#include <stdlib.h>

struct node *make(int value)
{
	struct node *item = malloc(sizeof *item);
	if (item == NULL)
		return NULL;
	item->value = value;
	item->next = NULL;
	item->tag = 'q';
	item->color = RED;
	return item;
}

int sum(struct node *list)
{
	int s = 0;
	for (struct node *p = list; p != NULL; p = p->next)
		s += p->value;
	return s;
}
";

/// The violation that a verification prints, up to the assumptions.
fn violation(folder: &Folder, arguments: &[&str]) -> String {
    let text = folder.text(&[&["verify"], arguments].concat());
    let end = text.find("\n\n").unwrap_or(text.len());
    text[..end].to_string() + "\n"
}

#[test]
fn macros_enums_characters_and_pointers_are_shown_as_they_are_written() {
    let folder = Folder::new("trace", &split(TWO_FILES));
    expect![[r#"
        Violation of __assert_fail (G ! call(__assert_fail())):
            main.c in main:
                 8:     struct node *list = make(input());    // input returns 14, call make(value = 14)
              list.c in make:
                   6:     struct node *item = malloc(sizeof *item);    // item = &heap#1
                   7:     if (item == NULL)    // item != NULL
                   9:     item->value = value;    // item->value = 14
                  10:     item->next = NULL;    // item->next = NULL
                  11:     item->tag = 'q';    // item->tag = 'q'
                  12:     item->color = RED;    // item->color = RED
                  13:     return item;
            main.c in main:
                 8:     struct node *list = make(input());    // return from make, list = &heap#1
                 9:     int unused = input();    // call input, unused = 0
                10:     char c = letter();    // call letter, c = 'x'
                11:     enum color color = input();    // input returns 6, color = BLUE
                12:     if (list == NULL)    // list != NULL
                14:     if (NULL == list->next && c == 'x')    // NULL == list->next is true, c == 'x' is true
                15:         list->color = color;    // list->color = BLUE
                16:     unsigned flags = input();    // input returns 64, flags = 0x40
                17:     if (!(flags & 0x40))    // (flags & 64U) != 0
                19:     for (int i = 0; i < 8; i++) {    // i = 0, condition true
                20:         list->value += i;    // list->value = 14
                    ... 6 more rounds like this one; the last one:
                19:     for (int i = 0; i < 8; i++) {    // i = 7, condition true
                20:         list->value += i;    // list->value = 42
                19:     for (int i = 0; i < 8; i++) {    // i = 8, condition false
                22:     if (list->color == BLUE)    // condition true
                23:         assert(sum(list) != 42);    // call sum(list = &heap#1)
              list.c in sum:
                  18:     int s = 0;    // s = 0
                  19:     for (struct node *p = list; p != NULL; p = p->next)    // p = &heap#1, condition true
                  20:         s += p->value;    // s = 42
                  19:     for (struct node *p = list; p != NULL; p = p->next)    // p = NULL, condition false
                  21:     return s;
            main.c in main:
                23:         assert(sum(list) != 42);    // sum returns 42, condition false, call __assert_fail
          input 1: input() = 14 at main.c:8:27
          input 3: letter() = 'x' at main.c:10:11
          input 4: input() = 6 at main.c:11:21
          input 5: input() = 64 at main.c:16:19
          1 more input has no influence on the path
    "#]]
    .assert_eq(&violation(&folder, &["main.c", "list.c", "--malloc-may-fail"]));
}

#[test]
fn a_program_from_standard_input_has_its_lines_too() {
    let folder = Folder::new("trace-stdin", &[]);
    let mut command = command::provident(&["verify", "-"]);
    let mut child = command
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = b"#define LIMIT 3\nextern int input(void);\nint main(void)\n{\n    if (input() > LIMIT)\n    ERROR:\n        return 1;\n    return 0;\n}\n";
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    expect![[r#"
        Violation of ERROR (G ! label(ERROR)):
            <stdin> in main:
                 5:     if (input() > LIMIT)    // input returns 6, condition true
                 6:     ERROR:    // label ERROR
          input 1: input() = 6 at <stdin>:5:9
    "#]]
    .assert_eq(&(output.split("\n\n").next().unwrap().to_string() + "\n"));
}

#[test]
fn a_preprocessed_text_shows_whole_lines_with_or_without_the_original() {
    let original = "#define NIL ((void *)0)\nextern int *input(void);\nint main(void)\n{\n\tint *p = input();\n\tif (p == NIL)\n\tERROR:\n\t\treturn 1;\n\treturn 0;\n}\n";
    let broken = "# 1 \"original.c\"\n\nextern int *input(void);\nint main(void)\n{\n int *p = input();\n if (p ==\n# 6 \"original.c\" 3 4\n         ((void *)0)\n# 6 \"original.c\"\n            )\n ERROR:\n  return 1;\n return 0;\n}\n";
    let folder = Folder::new("trace-original", &[("a.i", broken)]);
    let lines = |folder: &Folder| {
        let text = violation(folder, &["a.i"]);
        let lines = text.lines().filter(|line| line.contains("if (p")).map(str::trim);
        lines.collect::<Vec<_>>().join("\n") + "\n"
    };
    expect![[r#"
        7:  if (p == ((void *)0) )    // p == NULL
    "#]]
    .assert_eq(&lines(&folder));
    folder.write("original.c", original);
    expect![[r#"
        7:     if (p == NIL)    // p == NULL
    "#]]
    .assert_eq(&lines(&folder));
}

#[test]
fn addresses_lead_to_objects_and_functions() {
    let program = "extern int input(void);\nint table[4];\nstruct { char head; int body; } record;\nint twice(int x) { return 2 * x; }\nint (*chosen)(int);\nint main(void)\n{\n    int *p = &table[2];\n    int *q = &record.body;\n    const char *text = \"abc\";\n    unsigned long number = (unsigned long)p;\n    chosen = twice;\n    _Bool flag = text[1] == 'b';\n    double half = 0.5;\n    *q = input();\n    if (chosen(*q) == 8 && flag && number && half > 0.25)\n    ERROR:\n        return 1;\n    return 0;\n}\n";
    let folder = Folder::new("trace-objects", &[("a.c", program)]);
    expect![[r#"
        Violation of ERROR (G ! label(ERROR)):
            a.c in main:
                 8:     int *p = &table[2];    // p = &table + 8
                 9:     int *q = &record.body;    // q = &record + 4
                10:     const char *text = "abc";    // text = "abc"
                11:     unsigned long number = (unsigned long)p;    // number = 0x1000008 (&table + 8)
                12:     chosen = twice;    // chosen = &twice
                13:     _Bool flag = text[1] == 'b';    // flag = 1
                14:     double half = 0.5;    // half = 0.5
                15:     *q = input();    // input returns 4, *q = 4
                16:     if (chosen(*q) == 8 && flag && number && half > 0.25)    // chosen == &twice is true, call twice(x = 4)
              a.c in twice:
                   4: int twice(int x) { return 2 * x; }
            a.c in main:
                16:     if (chosen(*q) == 8 && flag && number && half > 0.25)    // twice returns 8, flag != 0, number != 0, half > 0.25 is true
                17:     ERROR:    // label ERROR
          input 1: input() = 4 at a.c:15:10
    "#]]
    .assert_eq(&violation(&folder, &["a.c"]));
}

#[test]
fn colours_are_for_terminals_and_on_request() {
    let program = "extern int input(void);\nint main(void) { if (input()) { ERROR: return 1; } return 0; }\n";
    let folder = Folder::new("trace-colour", &[("a.c", program)]);
    let plain = folder.text(&["verify", "a.c"]);
    assert!(!plain.contains('\x1b'), "standard output is no terminal");
    assert_eq!(folder.text(&["verify", "a.c", "--color", "never"]), plain);
    let painted = folder.text(&["verify", "a.c", "--color", "always"]);
    assert!(painted.ends_with("VERDICT: \x1b[1;31mFALSE\x1b[0m\n"), "{painted}");
    let mut stripped = painted;
    while let Some(begin) = stripped.find("\x1b[") {
        let end = begin + stripped[begin..].find('m').unwrap();
        stripped.replace_range(begin..=end, "");
    }
    assert_eq!(stripped, plain);
}
