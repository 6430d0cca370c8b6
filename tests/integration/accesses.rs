//! Accesses that belong to an object, or to a function of the library, and are easily taken for others.

use crate::command::provident;
use crate::memory::{checked, written};
use provident::cfa::program::check::CheckKind;

/// The violations of accesses in a program.
fn accesses_outside(name: &str, text: &str) -> usize {
    let (violated, open) = checked(&written(name, text), true);
    assert!(!open.contains(&CheckKind::Deref), "{name}: {open:?}");
    let accesses = violated.iter().filter(|(kind, _)| *kind == CheckKind::Deref);
    accesses.count()
}

/// A function of descriptors writes as many bytes as arrive, up to the number that it is given.
#[test]
fn bytes_that_arrive_have_to_fit() {
    let text = "extern long CALL(SIGNATURE);\n\
                int main(void) { char bytes[8]; long n = CALL(ARGUMENTS); return n > 0 ? bytes[n - 1] : 0; }\n";
    for (call, signature, arguments) in [
        ("read", "int, void *, unsigned long", "0, bytes, SIZE"),
        ("recv", "int, void *, unsigned long, int", "3, bytes, SIZE, 0"),
        ("getrandom", "void *, unsigned long, unsigned", "bytes, SIZE, 0"),
    ] {
        for (size, violations) in [("8", 0), ("9", 1)] {
            let text = text.replace("ARGUMENTS", arguments).replace("SIZE", size);
            let text = text.replace("CALL", call).replace("SIGNATURE", signature);
            let found = accesses_outside(&format!("{call}{size}.c"), &text);
            // The second one is the access of the program itself.
            assert!(
                (violations..=2 * violations).contains(&found),
                "{call} of {size}: {found}"
            );
        }
    }
}

/// GNU C: an initialiser gives elements to a flexible array member.
#[test]
fn initialisers_of_flexible_members_stay_in_their_objects() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
                struct list { char count; short of[]; };\n\
                static struct list list = {3, {4, 5, 6}}, *at = &list;\n\
                int main(void) {\n\
                  int i = __VERIFIER_nondet_int();\n\
                  if (i < 0 || i > LAST) return 0;\n\
                  return at->of[i] + list.of[i];\n\
                }\n";
    for (last, violations) in [("2", 0), ("3", 1)] {
        let found = accesses_outside(&format!("flexible{last}.c"), &text.replace("LAST", last));
        assert_eq!(found.min(1), violations, "up to {last}");
    }
}

/// A bit-field has the bytes with its bits, however large its type is.
#[test]
fn bit_fields_end_with_their_bits() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
                struct pair { unsigned low : 8; unsigned high : 24; };\n\
                struct __attribute__((packed)) small { int sign : 1; int rest : 20; };\n\
                int main(void) {\n\
                  struct pair pairs[2] = {{1, 2}, {3, 4}};\n\
                  struct small smalls[2] = {{0, 9}, {0, 9}};\n\
                  int i = __VERIFIER_nondet_int();\n\
                  if (i < 0 || i > LAST) return 0;\n\
                  return pairs[i].high + pairs->high + smalls[i].rest;\n\
                }\n";
    for (last, violations) in [("1", 0), ("2", 1)] {
        let found = accesses_outside(&format!("bit_fields{last}.c"), &text.replace("LAST", last));
        assert_eq!(found.min(1), violations, "up to {last}");
    }
}

/// An assignment gives what is in the place that it wrote, and does not look for the place again.
#[test]
fn the_value_of_an_assignment_is_no_access() {
    let text = "struct node { struct node *next; };\n\
                int main(void) {\n\
                  struct node a = {&a};\n\
                  struct node *none = a.next->next = 0;\n\
                  return none != 0;\n\
                }\n";
    assert_eq!(accesses_outside("assigned.c", text), 0);
}

/// Of a library function without a model nobody knows what it accesses: the ledger says so.
#[test]
fn accesses_of_functions_without_a_model_are_assumed() {
    let text = "extern int gethostname(char *, unsigned long);\nint main(void) { char name[8]; return gethostname(name, 80); }\n";
    let file = written("unmodelled.c", text);
    let output = provident(&["verify", file.to_str().unwrap(), "--checks", "valid-deref"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("library function! (1)"), "{said}");
}
