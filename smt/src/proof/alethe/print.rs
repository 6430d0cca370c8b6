//! The text of the steps that are needed.

use super::ast::{NodeId, Op};
use super::steps::StepId;
use super::{AletheProof, Exporter};
use std::fmt::Write;

/// Terms whose text would have at least this number of tokens are written once and named, if they occur again.
const NAMED: u32 = 8;

/// The writer of terms. A term that is large and occurs more than once gets a name where it is first written.
struct Writer<'e, 'a> {
    exporter: &'e Exporter<'a>,
    worth_a_name: Vec<bool>,
    names: Vec<Option<u32>>,
    count: u32,
}

/// A part that is still to be written.
enum Piece {
    Text(&'static str),
    Name(u32),
    Term(NodeId),
}

impl Exporter<'_> {
    /// The steps that this one needs, in order.
    fn needed(&self, last: StepId) -> Vec<StepId> {
        let mut needed = vec![false; last.0 as usize + 1];
        needed[last.0 as usize] = true;
        for at in (0..needed.len()).rev() {
            if needed[at] {
                for premise in &self.steps.list[at].premises {
                    needed[premise.0 as usize] = true;
                }
            }
        }
        (0..)
            .zip(needed)
            .filter(|(_, n)| *n)
            .map(|(at, _)| StepId(at))
            .collect()
    }

    pub(super) fn print(&self, empty: StepId) -> AletheProof {
        let needed = self.needed(empty);
        let mut writer = Writer::new(self, &needed);
        let mut text = self.taken(&needed) + "(\n";
        let put = |text: &mut String, piece: std::fmt::Arguments<'_>| {
            text.write_fmt(piece).expect("strings accept text");
        };
        let assumed = |id: &&StepId| self.steps.list[id.0 as usize].rule == "assume";
        for id in needed.iter().filter(assumed) {
            put(&mut text, format_args!("(assume t{} ", id.0));
            writer.term(&mut text, self.steps.list[id.0 as usize].terms[0]);
            text.push_str(")\n");
        }
        for id in needed.iter().filter(|id| !assumed(id)) {
            let step = &self.steps.list[id.0 as usize];
            put(&mut text, format_args!("(step t{} (cl", id.0));
            for &term in &step.terms {
                text.push(' ');
                writer.term(&mut text, term);
            }
            put(&mut text, format_args!(") :rule {}", step.rule));
            if !step.premises.is_empty() {
                let premises: Vec<String> = step.premises.iter().map(|p| format!("t{}", p.0)).collect();
                put(&mut text, format_args!(" :premises ({})", premises.join(" ")));
            }
            if !step.args.is_empty() {
                let args: Vec<String> = step.args.iter().map(crate::term::smtlib_number).collect();
                put(&mut text, format_args!(" :args ({})", args.join(" ")));
            }
            text.push_str(")\n");
        }
        text.push(')');
        AletheProof {
            text,
            steps: needed.len(),
        }
    }
}

impl<'e, 'a> Writer<'e, 'a> {
    fn new(exporter: &'e Exporter<'a>, needed: &[StepId]) -> Self {
        let ast = &exporter.steps.ast;
        let roots: Vec<NodeId> = needed
            .iter()
            .flat_map(|id| exporter.steps.list[id.0 as usize].terms.iter().copied())
            .collect();
        let (mut uses, mut sizes) = (vec![0_u32; ast.len()], vec![0_u32; ast.len()]);
        for root in &roots {
            uses[root.0 as usize] += 1;
        }
        for id in ast.below(&roots) {
            let mut size = 1_u32;
            for argument in &ast.get(id).args {
                uses[argument.0 as usize] += 1;
                size = size.saturating_add(sizes[argument.0 as usize]);
            }
            sizes[id.0 as usize] = size;
        }
        let worth = (0..ast.len()).map(|i| uses[i] > 1 && sizes[i] >= NAMED).collect();
        Writer {
            exporter,
            worth_a_name: worth,
            names: vec![None; ast.len()],
            count: 0,
        }
    }

    fn term(&mut self, text: &mut String, root: NodeId) {
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            let id = match piece {
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Name(name) => {
                    write!(text, " :named @p{name})").expect("strings accept text");
                    continue;
                }
                Piece::Term(id) => id,
            };
            if let Some(name) = self.names[id.0 as usize] {
                write!(text, "@p{name}").expect("strings accept text");
                continue;
            }
            if self.worth_a_name[id.0 as usize] {
                self.count += 1;
                self.names[id.0 as usize] = Some(self.count);
                text.push_str("(! ");
                stack.push(Piece::Name(self.count));
            }
            let node = self.exporter.steps.ast.get(id);
            let head = node.op.text(self.exporter.pool);
            if node.args.is_empty() {
                debug_assert!(!matches!(node.op, Op::And | Op::Or | Op::Not));
                text.push_str(&head);
                continue;
            }
            text.push('(');
            text.push_str(&head);
            stack.push(Piece::Text(")"));
            for &argument in node.args.iter().rev() {
                stack.push(Piece::Term(argument));
                stack.push(Piece::Text(" "));
            }
        }
    }
}
