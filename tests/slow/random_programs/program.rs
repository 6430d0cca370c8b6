//! A program: types, globals, functions, `main`, and what it emits.
//!
//! Names of file scope carry `@`, which becomes nothing, or a prefix where many programs stand in one file.

use super::choices::Choices;
use super::expression::{INTS, Int, Place};
use std::fmt::Write;

/// An input with few values.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// It is one of the numbers from 0 up to this one.
    pub most: u32,
}

/// A program.
pub struct Generated {
    /// The text before `main`.
    head: String,
    /// The body of `main`, in pieces.
    body: Vec<Piece>,
    pub inputs: Vec<Input>,
    /// The names of the idioms in it.
    pub idioms: Vec<&'static str>,
}

enum Piece {
    Text(String),
    Emit(String),
}

const HEADERS: &str = "#include <ctype.h>\n#include <limits.h>\n#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdio.h>\n\
                       #include <stdlib.h>\n#include <string.h>\n";

impl Generated {
    pub fn emits(&self) -> usize {
        let is_emit = |piece: &&Piece| matches!(piece, Piece::Emit(_));
        self.body.iter().filter(is_emit).count()
    }

    /// The program as one of many in a file: its `main` emits values.
    pub fn observed(&self, prefix: &str) -> String {
        let body = self.body_with(|_, value| format!("emit({value});"));
        let text = format!("{}int @main(void) {{\n{body}  return 0;\n}}\n", self.head);
        text.replace('@', prefix)
    }

    /// The text before all programs of a file.
    pub fn headers() -> &'static str {
        HEADERS
    }

    /// The program with a statement in place of each emission, from its number and expression.
    pub fn with(&self, statement: impl Fn(usize, &str) -> String) -> String {
        let body = self.body_with(statement);
        let declared = "extern void reach_error(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
                        extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n";
        let text = format!(
            "{HEADERS}{declared}{}int main(void) {{\n{body}  return 0;\n}}\n",
            self.head
        );
        text.replace('@', "")
    }

    fn body_with(&self, statement: impl Fn(usize, &str) -> String) -> String {
        let mut text = String::new();
        let mut number = 0;
        for piece in &self.body {
            match piece {
                Piece::Text(line) => text.push_str(line),
                Piece::Emit(value) => {
                    writeln!(text, "  {}", statement(number, value)).unwrap();
                    number += 1;
                }
            }
        }
        text
    }
}

/// A function that can be called.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub params: usize,
    pub ret: Int,
}

/// A program on its way.
pub struct Builder<'c> {
    pub choices: Choices<'c>,
    /// The text before the function that is built.
    pub head: String,
    /// The body of the function that is built.
    pub body: String,
    pub places: Vec<Place>,
    pub functions: Vec<Function>,
    pub inputs: Vec<Input>,
    pub idioms: Vec<&'static str>,
    pub depth: usize,
    /// Whether `main` is built: only there are inputs.
    pub in_main: bool,
    names: usize,
}

impl Builder<'_> {
    /// A name that no other part of the program has.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A name of file scope.
    pub fn global_name(&mut self, stem: &str) -> String {
        let name = self.name(stem);
        format!("@{name}")
    }

    pub fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth + 1);
        for line in text.lines() {
            writeln!(self.body, "{indent}{line}").unwrap();
        }
    }

    /// A new variable of an integer type with this value.
    pub fn declare(&mut self, ty: Int, value: &str) -> String {
        let name = self.name("v");
        self.line(&format!("{} {name} = {value};", ty.name));
        self.places.push(Place {
            text: name.clone(),
            ty,
            addressable: true,
        });
        name
    }

    pub fn add_place(&mut self, text: impl Into<String>, ty: Int, addressable: bool) {
        self.places.push(Place {
            text: text.into(),
            ty,
            addressable,
        });
    }

    fn global(&mut self) {
        let ty = self.int_type();
        let name = self.global_name("g");
        let storage = self.choices.pick(&["static ", "", "static volatile "]);
        let volatile = storage.contains("volatile");
        if self.choices.chance(40) {
            let values: Vec<String> = (0..self.choices.below(5)).map(|_| self.number().text).collect();
            let values = if values.is_empty() {
                "0".to_string()
            } else {
                values.join(", ")
            };
            writeln!(self.head, "{storage}{} {name}[4] = {{{values}}};", ty.name).unwrap();
            self.add_place(format!("{name}[# & 3]"), ty, !volatile);
        } else {
            let value = self.number().text;
            writeln!(self.head, "{storage}{} {name} = {value};", ty.name).unwrap();
            self.add_place(name, ty, !volatile);
        }
    }

    fn function(&mut self) {
        let name = self.global_name("f");
        let ret = self.int_type();
        let globals = self.places.len();
        let mut params = Vec::new();
        for _ in 0..self.choices.below(4) {
            let ty = self.int_type();
            let param = self.name("p");
            params.push(format!("{} {param}", ty.name));
            self.add_place(param, ty, true);
        }
        let list = if params.is_empty() {
            "void".to_string()
        } else {
            params.join(", ")
        };
        for _ in 0..1 + self.choices.below(5) {
            self.statement();
        }
        let result = self.expr(2);
        self.line(&format!("return {result};"));
        let body = std::mem::take(&mut self.body);
        write!(self.head, "static {} {name}({list}) {{\n{body}}}\n", ret.name).unwrap();
        self.places.truncate(globals);
        self.functions.push(Function {
            name,
            params: params.len(),
            ret,
        });
    }

    /// An input: a number from 0 up to `most`, in one of the forms that tasks use.
    fn input(&mut self) {
        let most = [1, 3, 2, 5][self.choices.below(4)];
        let name = self.name("n");
        match (most, self.choices.below(3)) {
            (1 | 3, 0) => self.line(&format!("int {name} = __VERIFIER_nondet_int() & {most};")),
            (_, 0 | 1) => {
                self.line(&format!("int {name} = __VERIFIER_nondet_int();"));
                self.line(&format!("__VERIFIER_assume({name} >= 0 && {name} <= {most});"));
            }
            _ => {
                self.line(&format!("int {name} = __VERIFIER_nondet_uchar();"));
                self.line(&format!("if ({name} > {most}) {name} = 0;"));
            }
        }
        self.inputs.push(Input { most });
        self.add_place(name, INTS[0], true);
    }
}

/// The program that a sequence of choices makes.
pub fn generate(choices: Choices<'_>) -> Generated {
    let mut builder = Builder {
        choices,
        head: String::new(),
        body: String::new(),
        places: Vec::new(),
        functions: Vec::new(),
        inputs: Vec::new(),
        idioms: Vec::new(),
        depth: 0,
        in_main: false,
        names: 0,
    };
    for _ in 0..builder.choices.below(4) {
        builder.global();
    }
    for _ in 0..builder.choices.below(3) {
        builder.function();
    }
    builder.in_main = true;
    if builder.choices.chance(55) {
        for _ in 0..1 + builder.choices.below(2) {
            builder.input();
        }
    }
    let mut body = Vec::new();
    loop {
        builder.statement();
        body.push(Piece::Text(std::mem::take(&mut builder.body)));
        if builder.choices.chance(25)
            && let Some(place) = builder.place()
        {
            body.push(Piece::Emit(place.text));
        }
        if builder.choices.is_done() {
            break;
        }
    }
    let recent = builder.places.len().saturating_sub(4);
    for place in &builder.places[recent..] {
        body.push(Piece::Emit(place.text.replace('#', "1")));
    }
    if body.iter().all(|piece| matches!(piece, Piece::Text(_))) {
        body.push(Piece::Emit("0".to_string()));
    }
    Generated {
        head: builder.head,
        body,
        inputs: builder.inputs,
        idioms: builder.idioms,
    }
}
