//! The proof checker accepts what follows and rejects mutations: each test writes a proof by hand.

use provident_smt::num::{Int, Rational};
use provident_smt::proof::check::Reason;
use provident_smt::proof::{ClauseId, LemmaKind, Lit, Part, Proof, Step, Var, check};
use provident_smt::term::{Symbol, Term, TermId, TermPool, UpdateSource};

/// A proof under construction.
struct Draft {
    pool: TermPool,
    proof: Proof,
    asserted: Vec<(Part, TermId)>,
}

impl Draft {
    fn new() -> Self {
        Draft {
            pool: TermPool::new(),
            proof: Proof::new(Vec::new()),
            asserted: Vec::new(),
        }
    }

    fn var(&mut self, name: &str) -> TermId {
        let name = self.pool.symbol(name);
        self.pool.int_var(name, 0)
    }

    fn bool_var(&mut self, name: &str) -> TermId {
        let name = self.pool.symbol(name);
        self.pool.bool_var(name, 0)
    }

    fn function(&mut self, name: &str, argument: TermId) -> TermId {
        let name = self.pool.symbol(name);
        self.pool.app(name, 0, &[argument])
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        Symbol {
            name: self.pool.symbol(name),
            index: 0,
        }
    }

    /// The literal that says `formula`.
    fn lit(&mut self, formula: TermId) -> Lit {
        let (core, value) = match self.pool.term(formula) {
            Term::Not(inner) => (*inner, false),
            _ => (formula, true),
        };
        let position = self
            .proof
            .atoms
            .iter()
            .position(|&atom| atom == core)
            .unwrap_or_else(|| {
                self.proof.atoms.push(core);
                self.proof.atoms.len() - 1
            });
        Var(u32::try_from(position).expect("few atoms")).literal(value)
    }

    fn input(&mut self, formula: TermId) -> ClauseId {
        self.asserted.push((Part(0), formula));
        let lit = self.lit(formula);
        self.proof.push(&[lit], Step::Input { part: Part(0), formula })
    }

    /// A clause of the given formulas.
    fn clause(&mut self, formulas: &[TermId], step: Step) -> ClauseId {
        let clause: Vec<Lit> = formulas.iter().map(|&formula| self.lit(formula)).collect();
        self.proof.push(&clause, step)
    }

    fn lemma(&mut self, formulas: &[TermId], kind: LemmaKind) -> ClauseId {
        self.clause(formulas, Step::Lemma { part: Part(0), kind })
    }

    fn chain(&mut self, formulas: &[TermId], antecedents: &[ClauseId], pivots: &[TermId]) -> ClauseId {
        let pivots = pivots.iter().map(|&pivot| self.lit(pivot).var()).collect();
        self.clause(
            formulas,
            Step::Chain {
                antecedents: antecedents.into(),
                pivots,
            },
        )
    }

    /// What the checker says, with the last clause taken for the empty one.
    fn check(&mut self) -> Result<(), Reason> {
        let last = u32::try_from(self.proof.len() - 1).expect("few clauses");
        self.proof.empty = ClauseId(last);
        check(&mut self.pool, &self.proof, &self.asserted).map_err(|error| error.reason)
    }

    /// What the checker says of the last step alone; a proof that only fails to end with the empty clause is fine.
    fn check_step(&mut self) -> Result<(), Reason> {
        match self.check() {
            Err(Reason::NotEmpty) => Ok(()),
            result => result,
        }
    }
}

/// `x <= y, y <= z, z <= x - 1`, refuted with the given coefficients and pivots by name.
fn cycle(coeffs: [i64; 3], order: [usize; 3], drop_literal: bool) -> Result<(), Reason> {
    let mut draft = Draft::new();
    let (x, y, z) = (draft.var("x"), draft.var("y"), draft.var("z"));
    let facts = [draft.pool.le(x, y), draft.pool.le(y, z), draft.pool.lt(z, x)];
    let inputs = facts.map(|fact| draft.input(fact));
    let negated = facts.map(|fact| draft.pool.not(fact));
    let count = if drop_literal { 2 } else { 3 };
    let coeffs = coeffs[..count].iter().map(|&c| Int::from(c)).collect();
    let conflict = draft.clause(&negated[..count], Step::Farkas { coeffs });
    draft.chain(
        &[],
        &[conflict, inputs[0], inputs[1], inputs[2]],
        &order.map(|i| facts[i]),
    );
    draft.check()
}

#[test]
fn farkas_and_chain() {
    assert_eq!(cycle([1, 1, 1], [0, 1, 2], false), Ok(()));
    assert_eq!(cycle([3, 3, 3], [0, 1, 2], false), Ok(()));
    assert_eq!(cycle([1, 1, 2], [0, 1, 2], false), Err(Reason::FarkasSum));
    assert_eq!(cycle([1, 1, -1], [0, 1, 2], false), Err(Reason::FarkasCoefficients));
    assert_eq!(cycle([1, 1, 0], [0, 1, 2], false), Err(Reason::FarkasCoefficients));
    assert_eq!(cycle([1, 1, 1], [0, 1, 2], true), Err(Reason::FarkasSum));
    assert_eq!(cycle([1, 1, 1], [0, 2, 1], false), Err(Reason::Pivot(1)));
}

/// Over the reals a sum of zero is a contradiction only if an inequality in it is strict, and nothing is rounded.
#[test]
fn strict_inequalities() {
    let mut draft = Draft::new();
    let name = draft.pool.symbol("r");
    let r = draft.pool.real_var(name, 0);
    let twice = draft.pool.scale(&Int::from(2), r);
    let (zero, one) = (draft.pool.int(0), draft.pool.int(1));
    let (at_most, below) = (draft.pool.le(r, zero), draft.pool.lt(r, zero));
    let (at_least, above) = (draft.pool.ge(r, zero), draft.pool.gt(r, zero));
    let half = draft.pool.le(twice, one);
    let mut case = |hypotheses: [TermId; 2], coeffs: [i64; 2], expected: Result<(), Reason>| {
        let kept = draft.proof.clone();
        let clause = hypotheses.map(|hypothesis| draft.pool.not(hypothesis));
        let coeffs = coeffs.map(Int::from).into();
        draft.clause(&clause, Step::Farkas { coeffs });
        assert_eq!(draft.check_step(), expected, "{hypotheses:?}");
        draft.proof = kept;
    };
    case([below, at_least], [1, 1], Ok(()));
    case([at_most, above], [3, 3], Ok(()));
    case([below, above], [1, 1], Ok(()));
    case([at_most, at_least], [1, 1], Err(Reason::FarkasSum));
    case([half, above], [1, 2], Err(Reason::FarkasSum));
    case([half, above], [1, 1], Err(Reason::FarkasSum));
    // The same over the integers, where `x > 0` is `x >= 1`: twice that and `2x <= 1` contradict each other.
    let mut draft = Draft::new();
    let n = draft.var("n");
    let (zero, one) = (draft.pool.int(0), draft.pool.int(1));
    let twice = draft.pool.scale(&Int::from(2), n);
    let clause = [draft.pool.gt(twice, one), draft.pool.le(n, zero)];
    assert_eq!(clause[0], draft.pool.not(clause[1]));
}

#[test]
fn a_resolvent_must_cover_its_literals() {
    let mut draft = Draft::new();
    let (p, q) = (draft.bool_var("p"), draft.bool_var("q"));
    let either = draft.pool.or(&[p, q]);
    let not_p = draft.pool.not(p);
    let input = draft.input(either);
    let not_either = draft.pool.not(either);
    let unit = draft.input(not_p);
    let of = draft.lit(either).var();
    let define = draft.clause(&[not_either, p, q], Step::Define { part: Part(0), of });
    assert_eq!(draft.check_step(), Ok(()));
    draft.chain(&[q], &[define, input, unit], &[either, p]);
    assert_eq!(draft.check_step(), Ok(()));
    draft.chain(&[], &[define, input, unit], &[either, p]);
    let missing = draft.lit(q);
    assert_eq!(draft.check(), Err(Reason::Resolvent(missing)));
}

#[test]
fn definitions() {
    let mut draft = Draft::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| draft.bool_var(name));
    let [not_p, not_q, not_r] = [p, q, r].map(|a| draft.pool.not(a));
    let and = draft.pool.and(&[p, not_q, r]);
    let or = draft.pool.or(&[p, not_q, r]);
    let iff = draft.pool.iff(p, q);
    let ite = draft.pool.ite(p, q, r);
    let mut case = |named: TermId, clause: &[TermId], positive: bool, expected: bool| {
        let literal = if positive { named } else { draft.pool.not(named) };
        let clause: Vec<TermId> = std::iter::once(literal).chain(clause.iter().copied()).collect();
        let kept = draft.proof.clone();
        let of = draft.lit(named).var();
        draft.clause(&clause, Step::Define { part: Part(0), of });
        let result = draft.check_step();
        assert_eq!(
            result,
            if expected { Ok(()) } else { Err(Reason::NotADefinition) },
            "{clause:?} of {named:?}"
        );
        draft.proof = kept;
    };
    case(and, &[p], false, true);
    case(and, &[q], false, false);
    case(and, &[not_q], false, true);
    case(and, &[not_p, q, not_r], true, true);
    case(and, &[not_p, q], true, false);
    case(or, &[not_p], true, true);
    case(or, &[p], true, false);
    case(or, &[p, not_q, r], false, true);
    case(or, &[p, not_q], false, false);
    case(iff, &[p, q], true, true);
    case(iff, &[p, not_q], false, true);
    case(iff, &[p, not_q], true, false);
    case(iff, &[p], true, false);
    case(ite, &[not_p, q], false, true);
    case(ite, &[not_p, r], false, false);
    case(ite, &[p, not_r], true, true);
    case(ite, &[not_q, not_r], true, true);
    case(ite, &[q, r], false, true);
    case(ite, &[not_q], true, false);
}

#[test]
fn inputs_must_be_asserted() {
    let mut draft = Draft::new();
    let (p, q) = (draft.bool_var("p"), draft.bool_var("q"));
    let both = draft.pool.and(&[p, q]);
    draft.asserted.push((Part(0), both));
    let clause = |draft: &mut Draft, part: u32, formula: TermId, literal: TermId| {
        let kept = draft.proof.clone();
        draft.clause(
            &[literal],
            Step::Input {
                part: Part(part),
                formula,
            },
        );
        let result = draft.check_step();
        draft.proof = kept;
        result
    };
    let not_p = draft.pool.not(p);
    assert_eq!(clause(&mut draft, 0, both, both), Ok(()));
    assert_eq!(clause(&mut draft, 0, q, q), Ok(()));
    assert_eq!(clause(&mut draft, 1, q, q), Err(Reason::NotAsserted));
    assert_eq!(clause(&mut draft, 0, p, q), Err(Reason::InputLiteralMissing));
    assert_eq!(clause(&mut draft, 0, p, not_p), Err(Reason::InputLiteralMissing));
}

/// Checks one lemma, and that it fails without any one of its literals.
fn minimal_lemma(draft: &mut Draft, formulas: &[TermId], kind: LemmaKind) {
    let kept = draft.proof.clone();
    draft.lemma(formulas, kind);
    assert_eq!(draft.check_step(), Ok(()), "{kind:?}");
    draft.proof = kept;
    for dropped in 0..formulas.len() {
        let kept = draft.proof.clone();
        let mut fewer = formulas.to_vec();
        fewer.remove(dropped);
        draft.lemma(&fewer, kind);
        assert!(draft.check_step().is_err(), "{kind:?} without literal {dropped}");
        draft.proof = kept;
    }
}

#[test]
fn trichotomy_and_branch() {
    let mut draft = Draft::new();
    let (x, y) = (draft.var("x"), draft.var("y"));
    let [eq, le, ge] = [draft.pool.eq(x, y), draft.pool.le(x, y), draft.pool.ge(x, y)];
    let [not_eq, not_le, not_ge] = [eq, le, ge].map(|a| draft.pool.not(a));
    let kind = LemmaKind::Trichotomy { atom: eq };
    minimal_lemma(&mut draft, &[not_eq, le], kind);
    minimal_lemma(&mut draft, &[not_eq, ge], kind);
    minimal_lemma(&mut draft, &[eq, not_le, not_ge], kind);
    let five = draft.pool.int(5);
    let (low, high) = (draft.pool.le(x, five), draft.pool.ge(x, five));
    minimal_lemma(&mut draft, &[low, high], LemmaKind::Branch);
    let nine = draft.pool.int(9);
    let gap = draft.pool.ge(x, nine);
    draft.lemma(&[low, gap], LemmaKind::Branch);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("branch")));
}

#[test]
fn pigeonholes() {
    let mut draft = Draft::new();
    let integers = ["x", "y", "z"].map(|name| draft.var(name));
    let (four, five) = (draft.pool.int(4), draft.pool.int(5));
    // Three different integers are not all 4 or 5.
    let mut clause = Vec::new();
    for (i, &x) in integers.iter().enumerate() {
        clause.extend([draft.pool.lt(x, four), draft.pool.lt(five, x)]);
        clause.extend(integers[..i].iter().map(|&y| draft.pool.eq(x, y)));
    }
    minimal_lemma(&mut draft, &clause, LemmaKind::Pigeonhole);
    // They may be 4, 5 and 6, or without one of the bounds anything.
    let six = draft.pool.int(6);
    let last = clause.iter().position(|&l| l == draft.pool.lt(five, integers[2]));
    clause[last.expect("a bound")] = draft.pool.lt(six, integers[2]);
    draft.lemma(&clause, LemmaKind::Pigeonhole);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("pigeonhole")));
}

/// As [`pigeonholes`], with bounds relative to another integer, some of them the other way round.
#[test]
fn pigeonholes_relative_to_a_reference() {
    let mut draft = Draft::new();
    let [x, zero, y, z, other] = ["x", "zero", "y", "z", "other"].map(|name| draft.var(name));
    let five = draft.pool.int(5);
    let end = draft.pool.add(zero, five);
    let four = draft.pool.int(4);
    let start = draft.pool.add(zero, four);
    let mut clause = Vec::new();
    for (i, &a) in [x, y, z].iter().enumerate() {
        clause.extend([draft.pool.lt(a, start), draft.pool.lt(end, a)]);
        clause.extend([x, y, z][..i].iter().map(|&b| draft.pool.eq(a, b)));
    }
    minimal_lemma(&mut draft, &clause, LemmaKind::Pigeonhole);
    // A bound relative to something else says nothing.
    let elsewhere = draft.pool.add(other, five);
    let last = clause.iter().position(|&l| l == draft.pool.lt(end, z));
    clause[last.expect("a bound")] = draft.pool.lt(elsewhere, z);
    draft.lemma(&clause, LemmaKind::Pigeonhole);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("pigeonhole")));
}

/// Real numbers between two others are as many as one likes.
#[test]
fn pigeonholes_are_for_integers() {
    let mut draft = Draft::new();
    let reals = ["x", "y"].map(|name| {
        let name = draft.pool.symbol(name);
        draft.pool.real_var(name, 0)
    });
    let zero = draft.pool.rational(&Rational::ZERO);
    let mut clause = vec![draft.pool.eq(reals[0], reals[1])];
    for x in reals {
        clause.extend([draft.pool.lt(x, zero), draft.pool.lt(zero, x)]);
    }
    draft.lemma(&clause, LemmaKind::Pigeonhole);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("pigeonhole")));
}

#[test]
fn congruence() {
    let mut draft = Draft::new();
    let (x, y) = (draft.var("x"), draft.var("y"));
    let (fx, fy) = (draft.function("f", x), draft.function("f", y));
    let [not_le, not_ge] = [draft.pool.gt(x, y), draft.pool.lt(x, y)];
    let conclusion = draft.pool.le(fx, fy);
    minimal_lemma(
        &mut draft,
        &[not_le, not_ge, conclusion],
        LemmaKind::Congruence { left: fx, right: fy },
    );
    let gy = draft.function("g", y);
    let wrong = draft.pool.le(fx, gy);
    draft.lemma(&[not_le, not_ge, wrong], LemmaKind::Congruence { left: fx, right: gy });
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("congruence")));
}

#[test]
fn updates() {
    let mut draft = Draft::new();
    let (new, old, from) = (draft.symbol("new"), draft.symbol("old"), draft.symbol("from"));
    let [lo, hi, x, v] = ["lo", "hi", "x", "v"].map(|name| draft.var(name));
    let (new_x, old_x) = (draft.function("new", x), draft.function("old", x));
    let [not_above_lo, not_below_hi] = [draft.pool.lt(x, lo), draft.pool.ge(x, hi)];
    let [above_lo, below_hi] = [draft.pool.ge(x, lo), draft.pool.lt(x, hi)];
    let one = draft.pool.int(1);
    let shifted = draft.pool.add(x, one);
    let from_x = draft.function("from", shifted);

    let fill = draft.pool.update(new, old, lo, hi, UpdateSource::Const(v));
    let not_fill = draft.pool.not(fill);
    let kind = LemmaKind::Update { atom: fill, at: x };
    let written = draft.pool.le(new_x, v);
    minimal_lemma(&mut draft, &[not_fill, not_above_lo, not_below_hi, written], kind);
    let kept = draft.pool.ge(new_x, old_x);
    minimal_lemma(&mut draft, &[not_fill, above_lo, kept], kind);
    minimal_lemma(&mut draft, &[not_fill, below_hi, kept], kind);

    let copy = draft
        .pool
        .update(new, old, lo, hi, UpdateSource::Copy { from, shift: one });
    let not_copy = draft.pool.not(copy);
    let copied = draft.pool.ge(new_x, from_x);
    let kind = LemmaKind::Update { atom: copy, at: x };
    minimal_lemma(&mut draft, &[not_copy, not_above_lo, not_below_hi, copied], kind);

    let havoc = draft.pool.update(new, old, lo, hi, UpdateSource::Havoc);
    let not_havoc = draft.pool.not(havoc);
    draft.lemma(
        &[not_havoc, not_above_lo, not_below_hi, written],
        LemmaKind::Update { atom: havoc, at: x },
    );
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("update")));
}

/// Checks that this is no instance of the update at the index.
fn refused_update(draft: &mut Draft, formulas: &[TermId], atom: TermId, at: TermId) {
    let kept = draft.proof.clone();
    draft.lemma(formulas, LemmaKind::Update { atom, at });
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("update")));
    draft.proof = kept;
}

/// One point may be told from the others by an equation; where nothing is written, the index does not matter.
#[test]
fn updates_of_one_point_and_of_none() {
    let mut draft = Draft::new();
    let (new, old) = (draft.symbol("new"), draft.symbol("old"));
    let [at, x, v] = ["at", "x", "v"].map(|name| draft.var(name));
    let (new_x, old_x) = (draft.function("new", x), draft.function("old", x));
    let (here, elsewhere) = (draft.pool.eq(x, at), draft.pool.ne(x, at));
    let (written, kept) = (draft.pool.eq(new_x, v), draft.pool.eq(new_x, old_x));

    let point = draft.pool.point_update(new, old, at, v);
    let not_point = draft.pool.not(point);
    let kind = LemmaKind::Update { atom: point, at: x };
    minimal_lemma(&mut draft, &[not_point, elsewhere, written], kind);
    minimal_lemma(&mut draft, &[not_point, here, kept], kind);
    refused_update(&mut draft, &[not_point, here, written], point, x);
    refused_update(&mut draft, &[not_point, elsewhere, kept], point, x);

    let one = draft.pool.int(1);
    let end = draft.pool.add(at, one);
    let beyond = draft.pool.add(end, one);
    let two_points = draft.pool.update(new, old, at, beyond, UpdateSource::Const(v));
    let not_two = draft.pool.not(two_points);
    refused_update(&mut draft, &[not_two, here, kept], two_points, x);

    let copy = draft.pool.update(new, old, at, at, UpdateSource::Havoc);
    let not_copy = draft.pool.not(copy);
    let at_most = draft.pool.le(new_x, old_x);
    for conclusion in [kept, at_most] {
        minimal_lemma(
            &mut draft,
            &[not_copy, conclusion],
            LemmaKind::Update { atom: copy, at: x },
        );
    }
}

#[test]
fn conditionals_and_quotients() {
    let mut draft = Draft::new();
    let [x, y, t] = ["x", "y", "t"].map(|name| draft.var(name));
    let c = draft.bool_var("c");
    let not_c = draft.pool.not(c);
    let value = draft.pool.ite(c, x, y);
    let Term::Ite(condition, then, otherwise) = *draft.pool.term(value) else {
        panic!("a conditional term")
    };
    assert!([c, not_c].contains(&condition) && [then, otherwise].contains(&x) && [then, otherwise].contains(&y));
    let kind = LemmaKind::Ite { term: value };
    let (is_x, is_y) = (draft.pool.le(value, x), draft.pool.ge(value, y));
    minimal_lemma(&mut draft, &[not_c, is_x], kind);
    minimal_lemma(&mut draft, &[c, is_y], kind);
    draft.lemma(&[not_c, is_y], kind);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("ite")));

    let mut draft = Draft {
        pool: draft.pool,
        ..Draft::new()
    };
    let three = Int::from(3);
    let quotient = draft.pool.div_floor(t, &three);
    let multiple = draft.pool.scale(&three, quotient);
    let two = draft.pool.int(2);
    let limit = draft.pool.add(multiple, two);
    let kind = LemmaKind::Div { term: quotient };
    let (low, high) = (draft.pool.le(multiple, t), draft.pool.le(t, limit));
    minimal_lemma(&mut draft, &[low], kind);
    minimal_lemma(&mut draft, &[high], kind);
    let tight = draft.pool.lt(t, limit);
    draft.lemma(&[tight], kind);
    assert_eq!(draft.check_step(), Err(Reason::NotALemma("div")));
}

#[test]
fn forward_references_and_missing_ends() {
    let mut draft = Draft::new();
    let p = draft.bool_var("p");
    draft.input(p);
    assert_eq!(draft.check(), Err(Reason::NotEmpty));
    // `Proof::push` refuses forward references, so one is written into the steps afterwards.
    let chain = draft.chain(&[p], &[ClauseId(0)], &[]);
    draft.proof.steps[chain.index()] = Step::Chain {
        antecedents: Box::new([ClauseId(7)]),
        pivots: Box::new([]),
    };
    assert_eq!(draft.check(), Err(Reason::ForwardReference(ClauseId(7))));
    draft.proof.steps[chain.index()] = Step::Chain {
        antecedents: Box::new([]),
        pivots: Box::new([]),
    };
    assert_eq!(draft.check(), Err(Reason::ChainShape));
}
