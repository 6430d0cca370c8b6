//! The text of a harness.

use super::super::witness::edits::Edits;
use super::sanitizer::Sanitizer;
use super::{Builder, Harness, RUNTIME, allocator, function, is_standard, watched_allocator};
use crate::cfa::FuncId;
use crate::frontend::text::source::Loc;
use crate::spec::Forbidden;
use std::fmt::Write;

/// A text as a string of C.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl<'a> Builder<'a> {
    /// The harness. Long, as it writes one text from the first line to the last.
    pub(super) fn render(mut self, forbidden: &Forbidden, entry: &str) -> Harness {
        let sanitizer = forbidden.check().map(Sanitizer::of);
        let is_watched = sanitizer.is_some_and(|sanitizer| sanitizer.link.is_some());
        let (ranges, content) = self.memory(is_watched);
        let (marked, defined) = self.mark(forbidden);
        let renames_entry = entry != "main" || !self.parameters.is_empty();
        let mut code = String::new();
        let mut put = |line: String| {
            code.push_str(&line);
            code.push('\n');
        };
        let forbids = match forbidden {
            Forbidden::Call(name) if !defined => Some(name),
            _ => None,
        };
        if let Some(name) = forbids {
            put(format!("#define PROVIDENT_FORBIDS_{name}"));
        }
        put(RUNTIME.to_string());
        put("static void provident_setup(void)\n{".to_string());
        put("    unsigned i;".to_string());
        put("    static const struct { unsigned long long address, length; } ranges[] = {".to_string());
        for (address, length) in &ranges {
            put(format!("        {{{address:#x}ull, {length:#x}ull}},"));
        }
        put("        {0, 0}\n    };".to_string());
        put("    static const struct { unsigned long long address; unsigned size; unsigned long long bits; } content[] = {".to_string());
        for (address, size, bits) in &content {
            put(format!("        {{{address:#x}ull, {size}, {bits:#x}ull}},"));
        }
        put("        {0, 0, 0}\n    };".to_string());
        put("    for (i = 0; ranges[i].length; i++)".to_string());
        put("        if (provident_map((unsigned long)ranges[i].address, (unsigned long)ranges[i].length) != (long)ranges[i].address)".to_string());
        put(
            "            provident_stop(\"memory cannot be had at the address that the execution needs\", 77);"
                .to_string(),
        );
        put("    for (i = 0; content[i].size; i++)".to_string());
        put(
            "        provident_put((unsigned long)content[i].address, content[i].size, content[i].bits);\n}\n"
                .to_string(),
        );
        if let Some(name) = forbids {
            put(format!("void {name}(void) {{ __provident_reached(); }}"));
        }
        if let Some(sanitizer) = sanitizer {
            let place = match forbidden {
                Forbidden::At(place) => Some(self.program.sources.presumed(place.check.at)),
                _ => None,
            };
            put(sanitizer.handlers(place));
        }
        for (name, behaviour) in &self.functions {
            if !matches!(forbidden, Forbidden::Call(f) if f == name) {
                put(function(name, behaviour));
            }
        }
        let library = self.library_functions(is_watched);
        put(library);
        let mut provided: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        provided.extend(self.replaced.names());
        if let Forbidden::Call(name) = forbidden {
            provided.push(name);
        }
        for (symbol, name) in self.text.assembler_names() {
            if provided.contains(&name) {
                put(format!("__asm__(\".globl {symbol}\\n.set {symbol}, {name}\\n\");"));
            }
        }
        for (name, addresses) in &self.allocators {
            if !name.is_empty() && name != "alloca" && !name.starts_with("__builtin_") {
                match is_watched {
                    true if is_standard(name) => {}
                    true => put(watched_allocator(name)),
                    false => put(allocator(name, addresses)),
                }
            }
        }
        if !self.allocators.is_empty() && is_watched {
            put("extern void free(void *);".to_string());
            let lacks_body = |name: &&str| !self.program.functions.iter().any(|f| f.defined && f.name == *name);
            for name in ["kfree", "vfree", "ldv_free"].iter().filter(|name| lacks_body(name)) {
                put(format!("__attribute__((weak)) void {name}(void *at) {{ free(at); }}"));
            }
        } else if !self.allocators.is_empty() {
            let lacks_body = |name: &&str| !self.program.functions.iter().any(|f| f.defined && f.name == *name);
            for name in ["free", "kfree", "vfree"].iter().filter(|name| lacks_body(name)) {
                put(format!("void {name}() {{}}"));
            }
        }
        for (name, size, scalars) in self.extern_objects() {
            let mut bytes = vec![0u8; usize::try_from(size).unwrap_or(0).min(1 << 20)];
            for (offset, length, bits) in scalars {
                for i in 0..length.min(8) {
                    if let Some(byte) = usize::try_from(offset + i).ok().and_then(|at| bytes.get_mut(at)) {
                        *byte = bits.to_le_bytes()[usize::try_from(i).expect("below 8")];
                    }
                }
            }
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            put(format!(
                "__attribute__((weak, aligned(16))) unsigned char {name}[{}] = {{{}}};",
                bytes.len(),
                list.join(", ")
            ));
        }
        for (var, begins) in &self.locals {
            put(format!("void __provident_begin_{}(char *object)\n{{", var.0));
            put("    static const struct provident_store stores[] = {".to_string());
            for (call, scalars) in begins.iter().enumerate() {
                for (offset, size, bits) in scalars {
                    put(format!("        {{{call}, 0, {offset}, {size}, {bits:#x}ull}},"));
                }
            }
            put("        {-1u, 0, 0, 0, 0}\n    };\n    static unsigned call, next;".to_string());
            put("    for (; stores[next].call == call; next++)".to_string());
            put("        provident_put((unsigned long)object + stores[next].offset, stores[next].size, stores[next].bits);".to_string());
            put("    call++;\n}".to_string());
        }
        if renames_entry {
            put(format!(
                "extern int {entry_name}();",
                entry_name = if entry == "main" { "provident_main" } else { entry }
            ));
            put(format!(
                "int main(void) {{ {}return {}({}); }}",
                self.pointers.iter().map(|line| format!("{line} ")).collect::<String>(),
                if entry == "main" { "provident_main" } else { entry },
                self.parameters.join(", ")
            ));
        }
        Harness {
            code,
            copies: marked,
            renames_entry,
            sanitizer,
            doubts: self.doubts.into_iter().collect(),
        }
    }

    /// The copies of the program's files, if they are needed; and whether the forbidden function has a body.
    fn mark(&mut self, forbidden: &Forbidden) -> (Vec<String>, bool) {
        let mut edits = Edits::default();
        let mut head = String::new();
        let defined = self.mark_forbidden(forbidden, &mut edits);
        for var in self.locals.keys() {
            let variable = self.program.var(*var);
            if self.program.sources.in_library(variable.loc) {
                // The copy is one of the program alone.
                self.doubts.insert(format!(
                    "`{}` of the library begins with a value that it reads",
                    variable.display
                ));
                continue;
            }
            let declared = self.text.token_at(variable.loc).filter(|_| variable.loc.is_some());
            let Some(declared) = declared.filter(|&t| self.text.word(t) == variable.display) else {
                self.doubts
                    .insert(format!("the declaration of `{}` was not found", variable.display));
                continue;
            };
            let end = self.text.statement_end(declared);
            write!(head, "extern void __provident_begin_{}(char *); ", var.0).expect("writing to a string");
            edits.before(
                self.text.end(end),
                format!(" __provident_begin_{}((char *) &{});", var.0, variable.display),
            );
        }
        let source = self.program.sources.source();
        if edits.is_empty() && !self.copied && !source.is_linked() {
            return (Vec::new(), defined);
        }
        if !head.is_empty() {
            head.push('\n');
        }
        let (edited, _) = edits.apply_to(source, &head);
        // The compiler counts the lines of the original, as a debugger and the compiler's own checks name them.
        let text = |bytes: &[u8], name: &str| {
            let text = String::from_utf8_lossy(&bytes[head.len()..]);
            format!("{head}# 1 {}\n{text}", quoted(name))
        };
        let mut names = source
            .pieces
            .iter()
            .filter(|piece| piece.starts_unit)
            .map(|piece| &piece.name);
        let units = edited.units().into_iter().zip(&mut names);
        (
            units.map(|(unit, name)| text(&edited.text[unit], name)).collect(),
            defined,
        )
    }

    /// Marks the places where the violation is reached. Returns whether the forbidden function has a body.
    fn mark_forbidden(&self, forbidden: &Forbidden, edits: &mut Edits) -> bool {
        let mut defined = false;
        match forbidden {
            Forbidden::Label(_) => {
                let last = self.steps.last().map(|step| self.program.edge(step.edge()).loc);
                let token = last.filter(|loc| loc.is_some()).and_then(|loc| self.text.token_at(loc));
                if let Some(token) = token {
                    let behind = self.text.behind_labels(token);
                    edits.before(
                        self.text.start(behind),
                        "if (({ extern void __provident_reached(void); __provident_reached(); 0; })) {} else ",
                    );
                }
            }
            Forbidden::Call(name) => {
                // Several files may have a `static` function of the name.
                let program = self.program;
                let named = program.function_ids().filter(|&f| {
                    let function = program.function(f);
                    function.defined && !function.library && function.source_name() == name
                });
                let bodies: Vec<(bool, usize)> = named
                    .filter_map(|f| Some((program.function(f).name == *name, self.body(f)?)))
                    .collect();
                for (external, brace) in bodies {
                    defined |= external;
                    edits.before(
                        self.text.end(brace),
                        " { extern void __provident_reached(void); __provident_reached(); }",
                    );
                }
            }
            // The compiler's own checks call the harness.
            Forbidden::Check(_) | Forbidden::At(_) => {}
        }
        defined
    }

    fn body(&self, func: FuncId) -> Option<usize> {
        let loc: Loc = self.program.function(func).loc;
        self.text.body_of(loc)
    }
}
