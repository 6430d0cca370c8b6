//! Violation witnesses: a counter of passed segments is put into the program, and asked about at each waypoint.
//!
//! Two programs are made from a witness:
//!
//! * The *narrow* one is for confirming. Where an execution comes to the waypoint that ends its segment, it passes it, or ends. Every execution of it that violates the property fits the witness;
//!   and as a good witness describes the event at each of its waypoints, few executions are left, often one.
//! * The *wide* one is for refuting. The format lets an execution be divided into segments in any way, so here it may always also stay in its segment. If nothing violates the property there,
//!   then nothing fits the witness.
//!
//! In both, an execution ends where it passes a waypoint that its segment avoids, and only a violation at the target, in the last segment, counts.

use super::{Answer, NoProgram, SEGMENT, Subject, decide, expression, open};
use crate::cfa::lower::weave::{Site as Place, Weaver};
use crate::cfa::{BinOp, Expr, Op, Program};
use crate::engine::{Property, Verdict};
use crate::evidence::witness::edits::{Edits, WayBack};
use crate::evidence::witness::format::{Element, Waypoint};
use crate::evidence::witness::text::Text;
use crate::frontend::text::source::SourceMap;
use crate::frontend::types::Types;
use crate::spec::property::Forbidden;
use crate::spec::target_edges;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::RangeInclusive;

/// How a path ends.
const STOP: &str = "__builtin_trap();";
/// The input that decides in the wide program whether a waypoint ends the segment.
const CHOICE: &str = "__VERIFIER_nondet_provident_choice()";

/// Waypoints of one place of which an execution may pass several at once. Where there are more, it passes one at a time, and nothing is refuted.
const MAX_IN_A_ROW: usize = 64;

/// Where a waypoint is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    /// Before a statement or declaration.
    Before(usize),
    /// Around the call whose arguments end at a parenthesis.
    Call(usize),
    /// In the condition of a keyword.
    Branch(usize),
}

/// One waypoint at a site.
struct Use {
    segment: usize,
    kind: Kind,
    follow: bool,
    /// The condition that has to hold. The name `__provident_value` stands for the value that a call returns, or for the value of a condition.
    condition: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Assumption,
    Target,
    Enter,
    Return,
    Branch,
}

/// A witness with its places in a program.
struct Plan {
    sites: BTreeMap<Site, Vec<Use>>,
    segments: usize,
    /// The text of the statement at the target.
    target: RangeInclusive<usize>,
    /// Whether every position is exactly that of the witness.
    exact: bool,
}

/// Why the waypoints cannot be asked for in the program.
#[derive(Debug)]
enum NoQuestion {
    /// The text with the questions is no program.
    Program(NoProgram),
    /// The call at a waypoint has no beginning.
    Call,
    /// The keyword at a waypoint has no condition.
    Condition,
}

impl fmt::Display for NoQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoQuestion::Program(error) => error.fmt(f),
            NoQuestion::Call => f.write_str("a call has no beginning"),
            NoQuestion::Condition => f.write_str("a keyword has no condition"),
        }
    }
}

/// Validates a sequence of segments.
pub(super) fn validate(subject: &Subject, content: &[Element]) -> Answer {
    let sources = SourceMap::new(subject.source.clone());
    let text = Text::new(&sources);
    let plan = match plan(&text, content) {
        Ok(plan) => plan,
        Err(answer) => return answer,
    };
    let run = |wide: bool| -> Result<Verdict, NoQuestion> {
        let (edits, head) = edit(&text, &plan, wide)?;
        let edited = edits.apply_to(&subject.source, &head);
        let targets = |program: &Program, back: &WayBack| {
            let mut targets = target_edges(program, &subject.forbidden);
            targets.retain(|edge| {
                let at = program.edge(*edge).loc;
                at.is_some() && plan.target.contains(&back.original(usize::try_from(at.0).unwrap_or(0)))
            });
            vec![Property {
                name: "witness".to_string(),
                targets,
                ..Property::default()
            }]
        };
        let mut weave = |weaver: &mut Weaver<'_>| guard_violations(weaver, &subject.forbidden, plan.segments);
        let mut verdicts = decide(subject, edited, &mut weave, &targets).map_err(NoQuestion::Program)?;
        Ok(verdicts.pop().expect("one property, one verdict").1)
    };
    let narrow = match run(false) {
        Ok(Verdict::False(_)) => return Answer::Confirmed,
        Ok(verdict) => verdict,
        Err(error) => return Answer::Unknown(format!("a constraint is not understood: {error}")),
    };
    if plan.sites.values().any(|uses| uses.len() > MAX_IN_A_ROW) {
        let reason = open(&narrow).unwrap_or(
            "no execution passes the waypoints in the strict order, and there are too many to look for others",
        );
        return Answer::Unknown(reason.to_string());
    }
    match (run(true), narrow) {
        (Ok(Verdict::False(_)), _) => Answer::Confirmed,
        (Ok(Verdict::True), _) if plan.exact => Answer::Refuted("no execution fits the witness".to_string()),
        (Ok(Verdict::True), _) => Answer::Unknown(
            "no execution fits the witness, whose positions are not those of statements, calls or keywords".to_string(),
        ),
        (Ok(verdict), narrow) => {
            let reason = open(&narrow).or(open(&verdict)).unwrap_or_default();
            Answer::Unknown(reason.to_string())
        }
        (Err(error), _) => Answer::Unknown(error.to_string()),
    }
}

/// In each file; the counter is one object.
const HEAD: &str = "int __provident_segment; extern int __VERIFIER_nondet_provident_choice(void); ";

/// Lets only violations count that end the last segment, all others being passed.
fn guard_violations(weaver: &mut Weaver<'_>, forbidden: &Forbidden, segments: usize) {
    let Some(counter) = weaver.global(SEGMENT) else { return };
    let passed = Expr::int(i64::try_from(segments - 1).expect("a witness fits memory"), Types::INT);
    let violations: Vec<usize> = weaver
        .edges()
        .filter(|&edge| match (weaver.site(edge), forbidden) {
            (
                Some(Place::Call {
                    function, whole: true, ..
                }),
                Forbidden::Call(name),
            ) => function == *name,
            (Some(Place::Other(Op::Label(label))), forbidden) => forbidden.is_label(&label),
            _ => false,
        })
        .collect();
    for edge in violations {
        let cond = crate::cfa::program::expr::binary(
            weaver.types(),
            BinOp::Eq,
            Expr::load(counter.clone()),
            passed.clone(),
            Types::INT,
        );
        let loc = weaver.loc(edge);
        let gap = weaver.gap_before(edge);
        weaver.edge(gap.from, gap.to, Op::Assume { cond, truth: true }, loc);
    }
}

/// Finds the places of all waypoints.
fn plan(text: &Text<'_>, content: &[Element]) -> Result<Plan, Answer> {
    let mut plan = Plan {
        sites: BTreeMap::new(),
        segments: content.len(),
        target: 0..=0,
        exact: true,
    };
    let invalid = |message: &str| Err(Answer::Refuted(format!("the witness is not well-formed: {message}")));
    for (segment, element) in content.iter().enumerate() {
        let Some(steps) = &element.segment else {
            return invalid("a violation sequence consists of segments");
        };
        let (last, avoided) = match steps.split_last() {
            Some((last, avoided)) => (&last.waypoint, avoided),
            None => return invalid("a segment has at least one waypoint"),
        };
        if last.action != "follow" || avoided.iter().any(|step| step.waypoint.action != "avoid") {
            return invalid("a segment ends with the only waypoint that is followed");
        }
        if (last.kind == "target") != (segment + 1 == content.len()) {
            return invalid("the last segment, and no other, ends with the target");
        }
        for step in steps {
            plan.add(text, segment, &step.waypoint)?;
        }
    }
    if content.is_empty() {
        return invalid("there is no segment");
    }
    plan.exact &= plan.sites.values().all(|uses| uses.len() <= MAX_IN_A_ROW);
    Ok(plan)
}

impl Plan {
    fn add(&mut self, text: &Text<'_>, segment: usize, waypoint: &Waypoint) -> Result<(), Answer> {
        let location = &waypoint.location;
        let value = waypoint.constraint.as_ref().map(|c| c.value.trim());
        let unknown = |what: String| Answer::Unknown(format!("waypoint in line {}: {what}", location.line));
        let kind = match waypoint.kind.as_str() {
            "assumption" => Kind::Assumption,
            "target" => Kind::Target,
            "function_enter" => Kind::Enter,
            "function_return" => Kind::Return,
            "branching" => Kind::Branch,
            other => return Err(unknown(format!("the type `{other}` is not interpreted"))),
        };
        let suits = |token: usize| match kind {
            Kind::Assumption | Kind::Target => text.begins_statement(token),
            Kind::Enter | Kind::Return => text.call_start(token).is_some(),
            Kind::Branch => matches!(text.word(token), "if" | "while" | "for" | "switch"),
        };
        let line = text.find(&location.file_name, location.line, None);
        let exact = text
            .find(&location.file_name, location.line, location.column)
            .into_iter()
            .find(|&t| suits(t));
        let token = match exact {
            Some(token) => token,
            None => {
                self.exact = false;
                let near = |t: &usize| text.position(*t).1.abs_diff(location.column.unwrap_or(0));
                let nearest = line.iter().copied().filter(|&t| suits(t)).min_by_key(near);
                // The target may be any full expression: what counts is the statement that it is in.
                let around = || {
                    (kind == Kind::Target)
                        .then(|| line.first().map(|&t| statement_start(text, t)))
                        .flatten()
                };
                let found = nearest.or_else(around);
                found.ok_or_else(|| unknown(format!("nothing there fits the type `{}`", waypoint.kind)))?
            }
        };
        let condition = match (kind, value) {
            (Kind::Target | Kind::Enter, _) | (Kind::Return, None) => "1".to_string(),
            (Kind::Branch, value) => {
                let is_switch = text.word(token) == "switch";
                match value {
                    Some("true") if !is_switch => "__provident_value".to_string(),
                    Some("false") if !is_switch => "!__provident_value".to_string(),
                    Some(case) if is_switch && case.parse::<i128>().is_ok() => format!("__provident_value == ({case})"),
                    other => {
                        return Err(unknown(format!(
                            "the branch `{}` is not interpreted",
                            other.unwrap_or("")
                        )));
                    }
                }
            }
            (Kind::Assumption | Kind::Return, Some(value)) => {
                let value = value.replace("\\result", "__provident_value");
                expression::check(&value).map_err(|what| unknown(format!("constraint `{value}`: {what}")))?;
                value
            }
            (Kind::Assumption, None) => return Err(unknown("an assumption without constraint".to_string())),
        };
        if kind == Kind::Target {
            // A jump to a label goes past what stands before it; so the counter is asked for at the violation itself.
            self.target = text.start(token)..=text.end(text.statement_end(token));
            return Ok(());
        }
        let site = match kind {
            Kind::Assumption | Kind::Target => Site::Before(text.behind_labels(token)),
            Kind::Enter | Kind::Return => Site::Call(token),
            Kind::Branch => Site::Branch(token),
        };
        self.sites.entry(site).or_default().push(Use {
            segment,
            kind,
            follow: waypoint.action == "follow",
            condition,
        });
        Ok(())
    }
}

/// The first token of the statement around a token.
fn statement_start(text: &Text<'_>, token: usize) -> usize {
    let mut at = token;
    while at > 0 && !text.begins_statement(at) {
        at -= 1;
        if matches!(text.word(at), ")" | "]" | "}") {
            at = text.partner(at).unwrap_or(at);
        }
    }
    at
}

/// The questions of some waypoints, as statements.
fn questions(uses: &[&Use], wide: bool) -> String {
    let mut code = String::new();
    for one in uses.iter().filter(|one| !one.follow) {
        let Use { segment, condition, .. } = one;
        write!(code, "if ({SEGMENT} == {segment} && ({condition})) {STOP} ").expect("writing to a string");
    }
    let follow: Vec<&Use> = uses.iter().copied().filter(|one| one.follow).collect();
    if wide && follow.len() <= MAX_IN_A_ROW {
        for Use { segment, condition, .. } in follow {
            let next = segment + 1;
            write!(
                code,
                "if ({SEGMENT} == {segment} && ({condition}) && {CHOICE}) {SEGMENT} = {next}; "
            )
            .expect("writing to a string");
        }
    } else {
        search(&follow, wide, &mut code);
    }
    code
}

/// A binary search for the question of the current segment: a loop may come to its waypoints as often as there are some.
fn search(uses: &[&Use], wide: bool, code: &mut String) {
    let mut put = |text: String| code.push_str(&text);
    match uses {
        [] => {}
        [one] => {
            let Use { segment, condition, .. } = one;
            let next = segment + 1;
            put(match wide {
                true => format!("if ({SEGMENT} == {segment} && ({condition}) && {CHOICE}) {SEGMENT} = {next}; "),
                false => format!("if ({SEGMENT} == {segment}) {{ if ({condition}) {SEGMENT} = {next}; else {STOP} }} "),
            });
        }
        _ => {
            let (below, from) = uses.split_at(uses.len() / 2);
            put(format!("if ({SEGMENT} < {}) {{ ", from[0].segment));
            search(below, wide, code);
            code.push_str("} else { ");
            search(from, wide, code);
            code.push_str("} ");
        }
    }
}

/// The insertions that make the narrow or the wide program.
fn edit(text: &Text<'_>, plan: &Plan, wide: bool) -> Result<(Edits, String), NoQuestion> {
    let mut edits = Edits::default();
    let mut head = HEAD.to_string();
    for (site, uses) in &plan.sites {
        let of = |kind: Kind| -> Vec<&Use> { uses.iter().filter(|one| one.kind == kind).collect() };
        match *site {
            Site::Before(token) => {
                let code = questions(&uses.iter().collect::<Vec<_>>(), wide);
                edits.before(text.start(token), prefix(text, token, &code));
            }
            Site::Call(closing) => {
                let start = text.call_start(closing).ok_or(NoQuestion::Call)?;
                let range = text.start(start)..text.end(closing);
                let enter = questions(&of(Kind::Enter), wide);
                let leave = match wide {
                    true => None,
                    false => table(closing, uses, &mut head),
                };
                let leave = leave.unwrap_or_else(|| questions(&of(Kind::Return), wide));
                let call = text.slice(range.clone());
                let dropped = text.begins_statement(start) && text.word(closing + 1) == ";";
                let constrained = of(Kind::Return)
                    .iter()
                    .any(|one| one.condition.contains("__provident_value"));
                if dropped && !constrained {
                    edits.wrap(range, format!("({{ {enter}"), format!("; {leave}}})"));
                } else {
                    let before = format!("({{ {enter}__typeof__({call}) __provident_value = ");
                    edits.wrap(range, before, format!("; {leave}__provident_value; }})"));
                }
            }
            Site::Branch(keyword) => {
                let code = questions(&uses.iter().collect::<Vec<_>>(), wide);
                let (range, is_switch) = (
                    condition(text, keyword).ok_or(NoQuestion::Condition)?,
                    text.word(keyword) == "switch",
                );
                let original = text.slice(range.clone());
                let (before, after) = match (original.trim().is_empty(), is_switch) {
                    (true, _) => (
                        "({ int __provident_value = 1; ".to_string(),
                        format!("{code}__provident_value; }})"),
                    ),
                    (_, true) => (
                        format!("({{ __typeof__({original}) __provident_value = ("),
                        format!("); {code}__provident_value; }})"),
                    ),
                    (_, false) => (
                        "({ int __provident_value = !!(".to_string(),
                        format!("); {code}__provident_value; }})"),
                    ),
                };
                edits.wrap(range, before, after);
            }
        }
    }
    head.push('\n');
    Ok((edits, head))
}

/// Statements to be carried out before the statement or declaration at a token.
pub(super) fn prefix(text: &Text<'_>, token: usize, code: &str) -> String {
    match text.is_declaration(token) {
        true => format!("({{ {code} }}); "),
        // One statement in front of another would take it out of the `if` or loop whose body it is.
        false => format!("if (({{ {code} 0; }})) {{}} else "),
    }
}

/// The text of the condition that belongs to `if`, `while`, `switch` or `for`; may be empty for the last.
pub(super) fn condition(text: &Text<'_>, keyword: usize) -> Option<std::ops::Range<usize>> {
    let open = keyword + 1;
    let close = text.partner(open).filter(|_| text.word(open) == "(")?;
    if text.word(keyword) != "for" {
        return Some(text.end(open)..text.start(close));
    }
    let mut semicolons = Vec::new();
    let mut at = open + 1;
    while at < close {
        match text.word(at) {
            "(" | "[" | "{" => at = text.partner(at)?,
            ";" => semicolons.push(at),
            _ => {}
        }
        at += 1;
    }
    match semicolons.as_slice() {
        [first, second] => Some(text.end(*first)..text.start(*second)),
        _ => None,
    }
}

/// The questions of a call that returns one given value after the other, as a table: with thousands of waypoints, code for each of them would be a program that takes long to read.
fn table(site: usize, uses: &[Use], head: &mut String) -> Option<String> {
    let returns = |one: &Use| one.kind == Kind::Return && one.follow;
    if uses.len() <= MAX_IN_A_ROW || !uses.iter().all(returns) {
        return None;
    }
    let value = |one: &Use| one.condition.strip_prefix("__provident_value == ").map(str::to_string);
    let values: Vec<String> = uses.iter().map(value).collect::<Option<_>>()?;
    let is_constant = |text: &String| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !values.iter().all(is_constant) {
        return None;
    }
    let segments: Vec<String> = uses.iter().map(|one| one.segment.to_string()).collect();
    let (count, values, segments) = (uses.len(), values.join(","), segments.join(","));
    let name = |what: &str| format!("__provident_{what}_{site}");
    let (table, at, next) = (name("values"), name("segments"), name("next"));
    write!(
        head,
        "static const long long {table}[] = {{{values}}}; static const int {at}[] = {{{segments}}}; static int {next}; "
    )
    .expect("writing to a string");
    Some(format!(
        "if ({next} < {count} && {SEGMENT} == {at}[{next}]) {{ if (__provident_value == {table}[{next}]) {{ {next}++; {SEGMENT}++; }} else {STOP} }} "
    ))
}
