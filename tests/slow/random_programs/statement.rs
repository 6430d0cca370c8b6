//! Statements: assignments, branches, loops, jumps, calls, pointers.

use super::expression::Place;
use super::program::Builder;

/// Blocks inside of each other at most.
const DEEPEST: usize = 3;

impl Builder<'_> {
    pub fn statement(&mut self) {
        if self.depth >= DEEPEST {
            return self.assign();
        }
        match self.choices.below(20) {
            0 | 1 => self.assign(),
            2 => self.declaration(),
            3 => self.compound_assignment(),
            4 => self.branch(),
            5 => self.counting_loop(),
            6 => self.while_loop(),
            7 => self.switch(),
            8 => self.jump(),
            9 => self.call(),
            10 => self.pointer(),
            11 => self.array(),
            12 => self.statement_expression(),
            _ => self.idiom(),
        }
    }

    fn assign(&mut self) {
        match self.place() {
            Some(place) => {
                let value = self.expr(3);
                self.line(&format!("{} = {value};", place.text));
            }
            None => self.declaration(),
        }
    }

    fn declaration(&mut self) {
        let ty = self.int_type();
        let value = self.expr(2);
        self.declare(ty, &value);
    }

    fn compound_assignment(&mut self) {
        let Some(Place { text, ty, .. }) = self.place() else {
            return self.declaration();
        };
        let value = self.expr(2);
        let line = match self.choices.below(7) {
            0 => format!("{text} &= {value};"),
            1 => format!("{text} |= {value};"),
            2 => format!("{text} ^= {value};"),
            3 => format!("{text} /= (({value}) & 7) + 1;"),
            4 => format!("{text} >>= ({value}) & 7;"),
            // Narrow types do not overflow: they are converted.
            5 if ty.width < 32 || !ty.signed => format!("{text} += ({value}) & 0xff;"),
            6 if ty.width < 32 || !ty.signed => format!("{text}{};", self.choices.pick(&["++", "--"])),
            _ => format!("{text} %= (({value}) & 7) + 1;"),
        };
        self.line(&line);
    }

    /// A block of its own: what is declared inside is forgotten.
    fn block(&mut self, statements: usize) {
        let places = self.places.len();
        self.depth += 1;
        for _ in 0..statements {
            self.statement();
        }
        self.depth -= 1;
        self.places.truncate(places);
    }

    fn branch(&mut self) {
        let cond = self.expr(2);
        self.line(&format!("if ({cond}) {{"));
        let count = 1 + self.choices.below(2);
        self.block(count);
        if self.choices.chance(50) {
            self.line("} else {");
            self.block(1);
        }
        self.line("}");
    }

    fn counting_loop(&mut self) {
        let counter = self.name("i");
        let rounds = 1 + self.choices.below(4);
        let (head, ty) = match self.choices.below(3) {
            0 => (
                format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{"),
                0,
            ),
            1 => (format!("for (unsigned char {counter} = {rounds}; {counter}--; ) {{"), 3),
            _ => (
                format!("for (long {counter} = -{rounds}; {counter} != 0; ++{counter}) {{"),
                7,
            ),
        };
        self.line(&head);
        let places = self.places.len();
        // The counter is read and not written: it is no place, but an expression of the body may name it.
        let shown = self.name("k");
        self.depth += 1;
        let ty = super::expression::INTS[ty];
        self.line(&format!("{} {shown} = {counter};", ty.name));
        self.add_place(shown, ty, true);
        self.depth -= 1;
        self.block(1);
        if self.choices.chance(30) {
            let cond = self.expr(1);
            let way = self.choices.pick(&["break", "continue"]);
            self.depth += 1;
            self.line(&format!("if ({cond}) {way};"));
            self.depth -= 1;
            self.block(1);
        }
        self.places.truncate(places);
        self.line("}");
    }

    fn while_loop(&mut self) {
        let fuel = self.name("w");
        let cond = self.expr(1);
        let rounds = 1 + self.choices.below(4);
        self.line(&format!("int {fuel} = {rounds};"));
        if self.choices.chance(50) {
            self.line(&format!("while ({fuel}-- > 0 && ({cond})) {{"));
            self.block(1);
            self.line("}");
        } else {
            self.line("do {");
            self.block(1);
            self.line(&format!("}} while (--{fuel} > 0 && ({cond}));"));
        }
    }

    fn switch(&mut self) {
        let on = self.small(7);
        self.line(&format!("switch ({on}) {{"));
        let cases = 1 + self.choices.below(3);
        for case in 0..cases {
            let label = match self.choices.below(3) {
                0 => format!("case {}:", case * 2),
                1 => format!("case {} ... {}:", case * 2, case * 2 + 1),
                _ => format!("case {}: case {}:", case * 2 + 1, case * 2),
            };
            self.line(&format!("{label} {{"));
            self.block(1);
            self.line("}");
            if !self.choices.chance(30) {
                self.line("break;");
            }
        }
        if self.choices.chance(60) {
            self.line("default: {");
            self.block(1);
            self.line("}");
        }
        self.line("}");
    }

    fn jump(&mut self) {
        let label = self.name("l");
        let cond = self.expr(1);
        if self.choices.chance(50) {
            self.line(&format!("if ({cond}) goto {label};"));
            self.line("{");
            self.block(1);
            self.line("}");
            self.line(&format!("{label}:;"));
        } else {
            let fuel = self.name("w");
            self.line(&format!("int {fuel} = 0;"));
            self.line(&format!("{label}: {{"));
            self.block(1);
            self.line("}");
            self.line(&format!("if (++{fuel} < 3 && ({cond})) goto {label};"));
        }
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.declaration();
        }
        let at = self.choices.below(self.functions.len());
        let function = self.functions[at].clone();
        let args: Vec<String> = (0..function.params).map(|_| self.expr(1)).collect();
        let call = format!("{}({})", function.name, args.join(", "));
        if self.choices.chance(40) {
            let pointer = self.name("fp");
            let types = format!("(*{pointer})");
            self.line(&format!(
                "__typeof__({}) {}{pointer} = {};",
                function.name, "*", function.name
            ));
            self.declare(function.ret, &format!("{types}({})", args.join(", ")));
        } else {
            self.declare(function.ret, &call);
        }
    }

    fn pointer(&mut self) {
        let Some(target) = self.target() else {
            return self.declaration();
        };
        let ty = target.ty;
        let name = self.name("q");
        self.line(&format!("{} *{name} = &{};", ty.name, target.text));
        self.add_place(format!("*{name}"), ty, false);
        let same: Vec<String> = self
            .places
            .iter()
            .filter(|p| p.addressable && p.ty == ty && !p.text.contains('#'))
            .map(|p| p.text.clone())
            .collect();
        if let Some(first) = same.first()
            && self.choices.chance(60)
        {
            let other = same.get(self.choices.below(same.len())).unwrap_or(first).clone();
            let cond = self.expr(1);
            self.line(&format!("if ({cond}) {name} = &{other};"));
        }
        if self.choices.chance(40) {
            let double = self.name("qq");
            self.line(&format!("{} **{double} = &{name};", ty.name));
            self.add_place(format!("**{double}"), ty, false);
        }
    }

    fn array(&mut self) {
        let ty = self.int_type();
        let name = self.name("a");
        if self.choices.chance(60) {
            let values: Vec<String> = (0..4).map(|_| self.expr(1)).collect();
            self.line(&format!("{} {name}[4] = {{{}}};", ty.name, values.join(", ")));
            self.add_place(format!("{name}[# & 3]"), ty, true);
        } else {
            let value = self.expr(1);
            self.line(&format!("{} {name}[2][3] = {{[1] = {{[2] = {value}}}}};", ty.name));
            self.add_place(format!("{name}[# & 1][(unsigned)(#) % 3]"), ty, true);
        }
    }

    fn statement_expression(&mut self) {
        let ty = self.int_type();
        let (a, b) = (self.expr(2), self.expr(1));
        let inner = self.name("t");
        let name = ty.name;
        self.declare(
            ty,
            &format!("({{ {name} {inner} = {a}; {inner} = ({name})({inner} ^ ({b})); {inner}; }})"),
        );
    }
}
