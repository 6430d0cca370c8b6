//! The parser: what it reads, where it complains, and that it never panics.

use super::syntax::*;
use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn parse(text: &str) -> Result<Specification, SpecError> {
    let read = |path: &Path| match path.to_str() {
        Some("dir/part.txt") => Ok("STATE Part :\n  MATCH EXIT -> GOTO Lost;\n".to_string()),
        Some("dir/self.txt") => Ok("#include self.txt\n".to_string()),
        _ => Err("there is no such file".into()),
    };
    parse_specification(Path::new("dir/s.spc"), text, &read)
}

/// An expression with all its parentheses.
fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Hole(n) => format!("${n}"),
        ExprKind::Any => "$?".to_string(),
        ExprKind::Variable(name) => format!("$${name}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Int {
            value, unsigned, long, ..
        } => {
            format!(
                "{value}{}{}",
                if *unsigned { "u" } else { "" },
                "l".repeat(usize::from(*long))
            )
        }
        ExprKind::Float(text) => text.clone(),
        ExprKind::Cast(ty, inner) => format!("({}){}", show_type(ty), show(inner)),
        ExprKind::Unary(op, inner) => format!("{op:?}({})", show(inner)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::Member { base, name, arrow } => format!("{}{}{name}", show(base), if *arrow { "->" } else { "." }),
        ExprKind::Index(a, i) => format!("{}[{}]", show(a), show(i)),
        ExprKind::Call(f, args) => format!("{}({})", show(f), show_list(args)),
    }
}

fn show_type(ty: &TypeName) -> String {
    let base = match &ty.base {
        TypeBase::Words(words) => words.join(" "),
        TypeBase::Tag(kind, tag) => format!("{kind} {tag}"),
        TypeBase::Name(name) => name.clone(),
    };
    format!("{base}{}", "*".repeat(ty.pointers))
}

fn show_list(list: &[Expr]) -> String {
    list.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show_trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Constant(value) => format!("{value}"),
        Trigger::Event(_, Event::Statement(when, pattern)) => match pattern {
            Pattern::Call { result, function, args } => {
                let result = result.as_ref().map(|r| format!("{} = ", show(r)));
                let function = match function {
                    Callee::Name(name) => name.clone(),
                    Callee::Family(regex) => format!("[f:{} f_7:{}]", regex.matches("f"), regex.matches("f_7")),
                };
                format!("{when:?} {}{function}({})", result.unwrap_or_default(), show_list(args))
            }
            Pattern::Assign { lhs, rhs } => format!("{} = {}", show(lhs), show(rhs)),
        },
        Trigger::Event(_, Event::Label(regex)) => {
            format!("label A:{} B_1:{}", regex.matches("A"), regex.matches("B_1"))
        }
        Trigger::Event(_, event) => format!("{event:?}"),
        Trigger::Condition(e) => show(e),
        Trigger::Query { analysis, query, .. } => format!("{analysis}?{query}"),
        Trigger::Not(inner) => format!("not {}", show_trigger(inner)),
        Trigger::And(a, b) => format!("[{} and {}]", show_trigger(a), show_trigger(b)),
        Trigger::Or(a, b) => format!("[{} or {}]", show_trigger(a), show_trigger(b)),
    }
}

fn show_transition(t: &Transition) -> String {
    let mut text = format!("    {}", show_trigger(&t.trigger));
    for e in &t.assertions {
        text += &format!(" assert {}", show(e));
    }
    for action in &t.actions {
        text += &match action {
            Action::Assign { variable, value, .. } => format!(" {variable} := {}", show(value)),
            Action::Member { set, element, put, .. } => format!(" {set}[{}] := {put}", show(element)),
        };
    }
    for e in &t.assumptions {
        text += &format!(" assume {}", show(e));
    }
    for encoded in &t.encode {
        text += &match encoded {
            Encoded::Declare { name, ty, value, .. } => {
                format!(
                    " {} {name} = {};",
                    show_type(ty),
                    value.as_ref().map_or("?".to_string(), show)
                )
            }
            Encoded::Assign { name, value, .. } => format!(" {name} = {};", show(value)),
        };
    }
    for print in &t.prints {
        text += &format!(" says {print:?}");
    }
    format!("{text} => {:?}\n", t.target)
}

fn check(text: &str, expect: Expect) {
    let shown = match parse(text) {
        Err(error) => format!("{error}\n"),
        Ok(specification) => {
            let mut shown = String::new();
            for a in &specification.automata {
                let kind = if a.control { "control" } else { "observer" };
                shown += &format!("{kind} {} from {}\n", a.name, a.initial);
                for v in &a.variables {
                    shown += &format!("  {}: {:?}\n", v.name, v.kind);
                }
                for s in &a.states {
                    shown += &format!(
                        "  {} {:?}{}\n",
                        s.name,
                        s.selection,
                        if s.target { " target" } else { "" }
                    );
                    shown.extend(s.transitions.iter().map(show_transition));
                }
            }
            shown
        }
    };
    expect.assert_eq(&shown);
}

/// An automaton with one state and these transitions.
fn one_state(transitions: &str) -> String {
    format!(
        "CONTROL AUTOMATON a\nLOCAL int n;\nLOCAL set<string> s;\nINITIAL STATE S;\nSTATE S :\n{transitions}\nEND AUTOMATON\n"
    )
}

#[test]
fn everything_has_a_place() {
    check(
        "// comment\nOBSERVER AUTOMATON 08_1a /* one\n more */\nLOCAL int n = -3;\nLOCAL set<string> s = [];\nINITIAL STATE Go;\n\
         STATE USEFIRST Go :\n  TRUE -> PRINT \"a\" $1 \"b\" GOTO Lost;\n#include \"part.txt\"\nTARGET STATE Lost :\nEND AUTOMATON\n\
         CONTROL AUTOMATON other\nINITIAL STATE X;\nSTATE X :\n  MATCH ENTRY -> STOP;\n  FALSE -> INACTIVE;\nEND AUTOMATON",
        expect![[r#"
            observer 08_1a from 0
              n: Int(-3)
              s: Set
              Go First
                true says "a$1b" => State(2)
              Part All
                Exit => State(2)
              Lost All target
            control other from 0
              X All
                Entry => Stop
                false => Inactive
        "#]],
    );
}

#[test]
fn transitions_have_all_their_parts() {
    check(
        &one_state(
            "  MATCH CALL {f($1, $?)} -> ASSERT n == 0 ASSUME {$$n > 0; !$$s[$1];} DO n = n + 1 DO s[$1]=true GOTO S;
  MATCH RETURN {$1=f($2);} -> ENCODE {int x = 1, y; void *p = &q; x += 2; x--;} ERROR(\"text\");
  MATCH {$1 = f($2)} -> SPLIT {$1 == 0; $2} DO n = 1 GOTO S NEGATION ERROR;
  MATCH {a->b[2].c = *p + 1} -> GOTO S;
  MATCH {x++} -> GOTO S;
  MATCH {[f(_[0-9]+)?]($1)} -> GOTO S;
  MATCH RETURN {$1 = [f_[0-9]+]($?);} -> GOTO S;
  MATCH LABEL [A|B_[0-9]] || MATCH ASSUME || MATCH FUNCTIONCALL \"g\" -> GOTO S;",
        ),
        expect![[r#"
            control a from 0
              n: Int(0)
              s: Set
              S All
                Call f($1, $?) assert (n Eq 0) n := (n Add 1) s[$1] := true assume ($$n Gt 0) assume Not($$s[$1]) => State(0)
                Return $1 = f($2) int x = 1; int y = ?; void* p = AddressOf(q); x = (x Add 2); x = (x Sub 1); => Error(Some("text"))
                Either $1 = f($2) n := 1 assume ($1 Eq 0) assume $2 => State(0)
                Either $1 = f($2) assume Not((($1 Eq 0) And $2)) => Error(None)
                a->b[2].c = (Deref(p) Add 1) => State(0)
                x = (x Add 1) => State(0)
                Either [f:true f_7:true]($1) => State(0)
                Return $1 = [f:false f_7:true]($?) => State(0)
                [[label A:true B_1:true or Assume] or FunctionCall("g")] => State(0)
        "#]],
    );
}

#[test]
fn operators_bind_as_usual() {
    check(
        &one_state(
            "  n == 1 || MATCH EXIT && !(n == 2 || n != 3) -> GOTO S;
  (n + 1) * 2 == 4 && (MATCH EXIT) -> GOTO S;
  MATCH {f($1)} -> ASSUME {$1 & 3 == 2 || 1 + 2 * 3 << 4 < 5 && !$1 == -1} GOTO S;
  MATCH {f($1)} -> ASSUME {((struct module *)$1)->x != 0; (unsigned long)$1 - 1; (x) - 1; (size_t *)y; (gfp_t)$1 == 0x10uL; 1.5 < 010} GOTO S;
  CHECK(ValueAnalysis, \"$1 == 0\") && CHECK(other, \"what?\") -> GOTO S;",
        ),
        expect![[r#"
            control a from 0
              n: Int(0)
              s: Set
              S All
                [(n Eq 1) or [Exit and not [(n Eq 2) or (n Ne 3)]]] => State(0)
                [(((n Add 1) Mul 2) Eq 4) and Exit] => State(0)
                Either f($1) assume (($1 BitAnd (3 Eq 2)) Or ((((1 Add (2 Mul 3)) Shl 4) Lt 5) And (Not($1) Eq Neg(1)))) => State(0)
                Either f($1) assume ((struct module*)$1->x Ne 0) assume ((long unsigned)$1 Sub 1) assume (x Sub 1) assume (size_t*)y assume ((gfp_t)$1 Eq 16ul) assume (1.5 Lt 8) => State(0)
                [($1 Eq 0) and other?what?] => State(0)
        "#]],
    );
}

#[test]
fn mistakes_are_shown_at_their_place() {
    check(
        "",
        expect![[r#"
            dir/s.spc:1:1: error: the file holds no automaton; expected `CONTROL AUTOMATON name` or `OBSERVER AUTOMATON name`
              
              ^
        "#]],
    );
    check(
        &one_state("  MATCH {f($1)} -> GOTO Nowhere;"),
        expect![[r#"
            dir/s.spc:6:25: error: there is no state `Nowhere`
                MATCH {f($1)} -> GOTO Nowhere;
                                      ^
        "#]],
    );
    check(
        &one_state("  MATCH {f($1} -> GOTO S;"),
        expect![[r#"
            dir/s.spc:6:14: error: expected `,` or `)` after an argument, found `}`
                MATCH {f($1} -> GOTO S;
                           ^
        "#]],
    );
    check(
        &one_state("  MATCH LABEL [A(] -> GOTO S;"),
        expect![[r#"
            dir/s.spc:6:17: error: unclosed group
                MATCH LABEL [A(] -> GOTO S;
                              ^
        "#]],
    );
    check(
        "OBSERVER AUTOMATON a\nINITIAL STATE S;\nSTATE S :\n  TRUE -> STOP;\nEND AUTOMATON",
        expect![[r#"
            dir/s.spc:4:11: error: an `OBSERVER` automaton cannot `STOP` the program; make it a `CONTROL` automaton
                TRUE -> STOP;
                        ^
        "#]],
    );
    check(
        &one_state("  TRUE -> ERROR(\"never closed);"),
        expect![[r#"
            dir/s.spc:6:17: error: expected the message of the error as a string, found a string that does not end
                TRUE -> ERROR("never closed);
                              ^
        "#]],
    );
    check(
        "#include self.txt\n",
        expect![[r#"
            dir/self.txt:1:1: error: `self.txt` includes itself
              #include self.txt
              ^
        "#]],
    );
    check(
        "// first\n#include none.txt\n",
        expect![[r##"
            dir/s.spc:2:1: error: cannot include `none.txt`: there is no such file
              #include none.txt
              ^
        "##]],
    );
    let deep = one_state(&format!("  TRUE -> ASSUME {{{}1}} GOTO S;", "-(".repeat(200)));
    assert_eq!(
        parse(&deep).unwrap_err().message,
        "too many expressions inside each other"
    );
}

/// Pieces from which near misses are made.
const PIECES: [&str; 48] = [
    "CONTROL",
    "OBSERVER",
    "AUTOMATON",
    "a",
    "LOCAL",
    "int",
    "set",
    "<",
    "string",
    ">",
    "INITIAL",
    "STATE",
    "USEALL",
    "USEFIRST",
    "TARGET",
    ":",
    ";",
    "MATCH",
    "CALL",
    "RETURN",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "$1",
    "$?",
    "$$n",
    "=",
    "==",
    "!",
    "&&",
    "||",
    "->",
    "ASSUME",
    "DO",
    "SPLIT",
    "NEGATION",
    "ENCODE",
    "GOTO",
    "ERROR",
    "\"x",
    "\"",
    "END",
    "08_1a",
    "/*",
    "*",
];

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}") {
        let _ = parse(&text);
        let _ = parse(&one_state(&text));
    }

    #[test]
    fn no_tokens_make_it_panic(pieces in prop::collection::vec(0..PIECES.len(), 0..40)) {
        let text: Vec<&str> = pieces.into_iter().map(|i| PIECES[i]).collect();
        let text = text.join(" ");
        let _ = parse(&text);
        let _ = parse(&one_state(&text));
        let _ = parse(&one_state(&format!("MATCH {{f($1)}} -> ASSUME {{{text}}} GOTO S;")));
    }

    /// A mistake in the middle of a good text is found at or behind the place where the text was changed, or nowhere.
    #[test]
    fn mistakes_are_not_found_before_they_are_made(cut in 0usize..200, piece in 0..PIECES.len()) {
        let good = one_state("  MATCH {f($1)} && n == 1 -> ASSUME {$1 > 0} DO n = n + 1 GOTO S;\n  TRUE -> SPLIT {n} GOTO S NEGATION ERROR(\"e\");");
        prop_assert!(parse(&good).is_ok());
        let cut = good.floor_char_boundary(cut.min(good.len()));
        let bad = format!("{} {} {}", &good[..cut], PIECES[piece], &good[cut..]);
        if let Err(error) = parse(&bad) {
            let start_of_token = good[..cut].rfind([' ', '\n', '(', '{', '"']).unwrap_or(0);
            let line = good[..start_of_token].matches('\n').count() + 1;
            // A name that is declared in one place may be missed in an earlier one.
            prop_assert!(error.line >= line || error.message.contains("no state"), "{error}");
        }
    }
}
