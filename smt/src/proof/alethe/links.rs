//! Why a formula of the script and its normal form are equivalent.
//!
//! For each formula `f` with the normal form `n` there are up to two clauses: `(not f) n` and `f (not n)`. They follow from the clauses for
//! the arguments by the definitions of the connectives, and for atoms by linear arithmetic and congruence. For terms, the equation with
//! the written normal form is derived where the two are not the same text.

use super::ast::{AstSort, Literal, NodeId, Op};
use super::steps::StepId;
use super::{Exporter, Unsupported};
use crate::term::TermId;

/// The clauses for one formula; none where the clause would hold by itself.
#[derive(Clone)]
pub(super) struct Link {
    /// `(not f) n`
    pub down: Result<Option<StepId>, Unsupported>,
    /// `f (not n)`
    pub up: Result<Option<StepId>, Unsupported>,
}

impl Exporter<'_> {
    /// The literal that a normal formula is; none for a constant, whose value it is then.
    pub(super) fn normal_literal(&mut self, term: TermId) -> Result<Result<Literal, bool>, Unsupported> {
        if term == self.pool.mk_true() {
            return Ok(Err(true));
        }
        if term == self.pool.mk_false() {
            return Ok(Err(false));
        }
        let node = self.written(term)?;
        Ok(Ok(self.steps.ast.literal(node)))
    }

    /// The links of a formula of the script.
    pub(super) fn link(&mut self, formula: NodeId) -> Link {
        for node in self.steps.ast.below(&[formula]) {
            if self.steps.ast.get(node).sort == AstSort::Bool && !self.links.contains_key(&node) {
                let link = self.make_link(node);
                self.links.insert(node, link);
            }
        }
        self.links[&formula].clone()
    }

    fn make_link(&mut self, formula: NodeId) -> Link {
        let failed = |error: Unsupported| Link {
            down: Err(error.clone()),
            up: Err(error),
        };
        let normal = match self.normal(formula).and_then(|term| self.normal_literal(term)) {
            Ok(normal) => normal,
            Err(error) => return failed(error),
        };
        let own = self.steps.ast.literal(formula);
        if own.node != formula {
            let Link { down, up } = self.link(own.node);
            return match own.negative {
                true => Link { down: up, up: down },
                false => Link { down, up },
            };
        }
        let same = normal == Ok(own);
        let (mut down, mut up) = (vec![!own], vec![own]);
        if let Ok(literal) = normal {
            down.push(literal);
            up.push(!literal);
        }
        let make = |this: &mut Self, trivial: bool, target: &[Literal], downwards: bool| {
            if same || trivial {
                return Ok(None);
            }
            this.equivalence(formula, target, downwards).map(Some)
        };
        Link {
            down: make(self, normal == Err(true), &down, true),
            up: make(self, normal == Err(false), &up, false),
        }
    }

    /// One of the two clauses.
    fn equivalence(&mut self, formula: NodeId, target: &[Literal], downwards: bool) -> Result<StepId, Unsupported> {
        let node = self.steps.ast.get(formula).clone();
        let first = node.args.first().map(|&a| self.steps.ast.get(a).sort);
        match (&node.op, first) {
            (Op::True | Op::False, _) => {
                let definitions = self.definitions_of(formula);
                self.steps.derive(&definitions, target)
            }
            (Op::Eq, Some(AstSort::Int | AstSort::Real)) if node.args.len() == 2 => {
                self.equation_link(formula, target, downwards)
            }
            (Op::Eq, Some(AstSort::Declared(_) | AstSort::Array(_))) if node.args.len() == 2 => {
                self.element_link(formula, target)
            }
            (Op::Le | Op::Lt | Op::Ge | Op::Gt, _) if node.args.len() == 2 => self.inequality_link(formula, target),
            (Op::Symbol(_) | Op::Other(_), _) => self.predicate_link(formula, target),
            (Op::And | Op::Or | Op::Implies | Op::Xor | Op::Ite | Op::Distinct, _)
            | (Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt, _) => self.connective_link(formula, target),
            (op, _) => {
                let text = op.text(self.pool);
                Err(Unsupported::new(&text))
            }
        }
    }

    fn connective_link(&mut self, formula: NodeId, target: &[Literal]) -> Result<StepId, Unsupported> {
        let mut premises = self.definitions(formula)?;
        let mut arguments = self.steps.ast.get(formula).args.to_vec();
        // An expansion is a formula in its own right, with a link of its own.
        if let Some(expansion) = self.expansions.get(&formula).copied() {
            arguments = vec![expansion];
        }
        let mut problem = None;
        let mut normals = Vec::new();
        for argument in arguments {
            if self.steps.ast.get(argument).sort != AstSort::Bool {
                return Err(Unsupported::new(
                    "an equation between elements of a declared sort that is not in normal form",
                ));
            }
            let link = self.link(argument);
            for clause in [link.down, link.up] {
                match clause {
                    Ok(clause) => premises.extend(clause),
                    Err(error) => problem = Some(error),
                }
            }
            let normal = self.normal(argument)?;
            if let Ok(literal) = self.normal_literal(normal)? {
                normals.push(literal.node);
            }
        }
        let own: Vec<NodeId> = target.iter().map(|l| l.node).filter(|&n| n != formula).collect();
        for &node in &own {
            premises.extend(self.definitions(node)?);
        }
        let found = self.steps.derive(&premises, target).or_else(|_| {
            // The normal form is flatter, or has simplified what the arguments are made of.
            for node in own {
                normals.extend(self.steps.ast.get(node).args.to_vec());
            }
            normals.sort_unstable();
            normals.dedup();
            for node in normals {
                let node = self.steps.ast.literal(node).node;
                premises.extend(self.definitions(node)?);
            }
            self.steps.derive(&premises, target)
        });
        found.map_err(|error| problem.unwrap_or(error))
    }

    // ---- atoms ----------------------------------------------------------------------------------------------

    /// The equations of the leaves of integer terms with their normal forms, as literals and as steps.
    pub(super) fn leaf_equations(&mut self, terms: &[NodeId]) -> Result<(Vec<Literal>, Vec<StepId>), Unsupported> {
        let (mut literals, mut steps) = (Vec::new(), Vec::new());
        for &term in terms {
            let leaves: Vec<NodeId> = super::linear::Form::of(&self.steps.ast, term)
                .terms
                .into_keys()
                .collect();
            for leaf in leaves {
                if let Some((literal, step)) = self.equation(leaf)? {
                    literals.push(!literal);
                    steps.push(step);
                }
            }
        }
        Ok((literals, steps))
    }

    /// A clause of arithmetic over these literals and equations of leaves, without the equations.
    fn arithmetic_clause(
        &mut self,
        literals: &[Literal],
        equations: &(Vec<Literal>, Vec<StepId>),
    ) -> Result<StepId, Unsupported> {
        let mut clause = literals.to_vec();
        clause.extend(&equations.0);
        let step = self
            .steps
            .arithmetic(&clause)
            .ok_or_else(|| Unsupported::new("internal: no factors were found"))?;
        let mut premises = vec![step];
        premises.extend(&equations.1);
        self.steps.derive(&premises, literals)
    }

    fn inequality_link(&mut self, formula: NodeId, target: &[Literal]) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(formula).args.to_vec();
        let equations = self.leaf_equations(&args)?;
        self.arithmetic_clause(target, &equations)
    }

    /// `(= s t)` of integers. The normal form is another equation, or the sides are never equal.
    fn equation_link(&mut self, formula: NodeId, target: &[Literal], downwards: bool) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(formula).args.to_vec();
        let equations = self.leaf_equations(&args)?;
        let own = Literal {
            node: formula,
            negative: false,
        };
        let other = target.iter().copied().find(|l| l.node != formula);
        match (downwards, other) {
            // Not equal for all integers: the sides differ by a constant, or there is a hole between two multiples.
            (true, None) => match self.arithmetic_clause(&[!own], &equations) {
                Ok(step) => Ok(step),
                Err(_) => self.hole(own, &equations),
            },
            (true, Some(normal)) if !normal.negative => self.equal_by_order(normal.node, &[!own], &equations),
            (false, None) => self.equal_by_order(formula, &[], &equations),
            (false, Some(normal)) if normal.negative => self.equal_by_order(formula, &[normal], &equations),
            _ => Err(Unsupported::new("internal: the normal form of an equation")),
        }
    }

    /// `(= s t)` of elements of a declared sort. The normal form may have the sides exchanged.
    fn element_link(&mut self, formula: NodeId, target: &[Literal]) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(formula).args.to_vec();
        let mut sides = Vec::new();
        for argument in args {
            let normal = self.normal(argument)?;
            sides.push(self.written(normal)?);
        }
        let (mut premises, mut equivalences) = (Vec::new(), Vec::new());
        let plain = self.steps.ast.formula(Op::Eq, &sides);
        if plain != formula {
            premises.push(self.congruent(formula, plain)?);
            equivalences.push(self.steps.ast.formula(Op::Eq, &[formula, plain]));
        }
        if sides[0] == sides[1] {
            premises.push(self.steps.axiom("eq_reflexive", vec![plain], Vec::new()));
        }
        let exchanged = self.steps.ast.formula(Op::Eq, &[sides[1], sides[0]]);
        if target.iter().any(|l| l.node == exchanged) && exchanged != plain {
            let both = self.steps.ast.formula(Op::Eq, &[plain, exchanged]);
            premises.push(self.steps.axiom("eq_symmetric", vec![both], Vec::new()));
            equivalences.push(both);
        }
        for both in equivalences {
            premises.extend(self.definitions(both)?);
        }
        self.steps.derive(&premises, target)
    }

    /// `(= a b)` from `a <= b` and `b <= a`, which follow from the hypotheses' negations.
    pub(super) fn equal_by_order(
        &mut self,
        equation: NodeId,
        hypotheses: &[Literal],
        equations: &(Vec<Literal>, Vec<StepId>),
    ) -> Result<StepId, Unsupported> {
        let mut premises = vec![self.disequality(equation)];
        let (a, b) = (
            self.steps.ast.get(equation).args[0],
            self.steps.ast.get(equation).args[1],
        );
        for (left, right) in [(a, b), (b, a)] {
            let node = self.steps.ast.formula(Op::Le, &[left, right]);
            let mut clause = hypotheses.to_vec();
            clause.push(self.steps.ast.literal(node));
            premises.push(self.arithmetic_clause(&clause, equations)?);
        }
        let mut target = hypotheses.to_vec();
        target.push(self.steps.ast.literal(equation));
        self.steps.derive(&premises, &target)
    }

    /// `(= a b) (not (<= a b)) (not (<= b a))`
    pub(super) fn disequality(&mut self, equation: NodeId) -> StepId {
        let (a, b) = (
            self.steps.ast.get(equation).args[0],
            self.steps.ast.get(equation).args[1],
        );
        let ast = &mut self.steps.ast;
        let mut terms = vec![equation];
        for (left, right) in [(a, b), (b, a)] {
            let order = ast.formula(Op::Le, &[left, right]);
            terms.push(ast.formula(Op::Not, &[order]));
        }
        let whole = ast.formula(Op::Or, &terms);
        let axiom = self.steps.axiom("la_disequality", vec![whole], Vec::new());
        self.steps.step("or", terms, vec![axiom])
    }

    /// An equation whose coefficients have a common divisor that does not divide the constant.
    fn hole(&mut self, equation: Literal, equations: &(Vec<Literal>, Vec<StepId>)) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(equation.node).args.to_vec();
        let (left, right) = (self.normal(args[0])?, self.normal(args[1])?);
        // With sum = left - right: the atoms `sum <= 0` and `sum >= 0` are bounds on the divided form that leave nothing.
        let (below, above) = (self.pool.le(left, right), self.pool.ge(left, right));
        let mut premises = Vec::new();
        let mut bounds = Vec::new();
        for bound in [below, above] {
            let literal = self
                .normal_literal(bound)?
                .map_err(|_| Unsupported::new("internal: a bound without variables"))?;
            premises.push(self.arithmetic_clause(&[!equation, literal], equations)?);
            bounds.push(!literal);
        }
        if bounds[0] != !bounds[1] {
            premises.push(self.arithmetic_clause(&bounds, &(Vec::new(), Vec::new()))?);
        }
        self.steps.derive(&premises, &[!equation])
    }

    /// `(p a)`: the normal form is a bound of `(ite (p n) 1 0)`.
    fn predicate_link(&mut self, formula: NodeId, target: &[Literal]) -> Result<StepId, Unsupported> {
        let normal = target
            .iter()
            .copied()
            .find(|l| l.node != formula)
            .ok_or_else(|| Unsupported::new("internal: a predicate with a constant normal form"))?;
        let bound = self.steps.ast.get(normal.node).clone();
        let choice = *bound
            .args
            .first()
            .ok_or_else(|| Unsupported::new("internal: no bound"))?;
        let mut premises = self.choices(choice)?;
        premises.extend(self.choice_values(choice, &[normal]));
        premises.extend(self.choice_values(choice, &[!normal]));
        let application = self.steps.ast.get(choice).args[0];
        if application != formula {
            let equal = self.congruent(formula, application)?;
            let node = self.steps.clause(equal)[0].node;
            premises.push(equal);
            premises.extend(self.definitions(node)?);
        }
        self.steps.derive(&premises, target)
    }

    /// The definition of a conditional integer term: `(not c) (= I a)` and `c (= I b)`.
    pub(super) fn choices(&mut self, choice: NodeId) -> Result<Vec<StepId>, Unsupported> {
        let node = self.steps.ast.get(choice).clone();
        let (Op::Ite, &[condition, yes, no]) = (&node.op, &*node.args) else {
            return Err(Unsupported::new("internal: no conditional term"));
        };
        let ast = &mut self.steps.ast;
        let itself = ast.formula(Op::Eq, &[choice, choice]);
        let (is_yes, is_no) = (ast.formula(Op::Eq, &[choice, yes]), ast.formula(Op::Eq, &[choice, no]));
        let cases = ast.formula(Op::Ite, &[condition, is_yes, is_no]);
        let both = ast.formula(Op::And, &[itself, cases]);
        let whole = ast.formula(Op::Eq, &[itself, both]);
        let mut premises = vec![
            self.steps.axiom("ite_intro", vec![whole], Vec::new()),
            self.steps.axiom("eq_reflexive", vec![itself], Vec::new()),
        ];
        for node in [whole, both, cases] {
            premises.extend(self.definitions(node)?);
        }
        let condition = self.steps.ast.literal(condition);
        let mut found = Vec::new();
        for (literal, value) in [(!condition, is_yes), (condition, is_no)] {
            let target = [literal, self.steps.ast.literal(value)];
            found.push(self.steps.derive(&premises, &target)?);
        }
        Ok(found)
    }

    /// Clauses of arithmetic: each of the two equations of a conditional term with these literals, where that is a contradiction.
    pub(super) fn choice_values(&mut self, choice: NodeId, literals: &[Literal]) -> Vec<StepId> {
        let args = self.steps.ast.get(choice).args.to_vec();
        let mut found = Vec::new();
        for value in &args[1..] {
            let equation = self.steps.ast.formula(Op::Eq, &[choice, *value]);
            let mut clause = vec![Literal {
                node: equation,
                negative: true,
            }];
            clause.extend(literals);
            found.extend(self.steps.arithmetic(&clause));
        }
        found
    }

    // ---- terms ----------------------------------------------------------------------------------------------

    /// The equation of a term of the script with its written normal form, if they are not the same text.
    pub(super) fn equation(&mut self, term: NodeId) -> Result<Option<(Literal, StepId)>, Unsupported> {
        if let Some(known) = self.equations.get(&term) {
            return known.clone();
        }
        // Arguments first, so that nothing recurses deeply.
        for node in self.steps.ast.below(&[term]) {
            if self.steps.ast.get(node).sort != AstSort::Bool && !self.equations.contains_key(&node) {
                let made = self.make_equation(node);
                self.equations.insert(node, made);
            }
        }
        self.equations[&term].clone()
    }

    fn make_equation(&mut self, term: NodeId) -> Result<Option<(Literal, StepId)>, Unsupported> {
        let normal = self.normal(term)?;
        let written = self.written_as(normal, self.steps.ast.get(term).sort)?;
        if written == term {
            return Ok(None);
        }
        let node = self.steps.ast.get(term).clone();
        let step = match node.op {
            Op::Symbol(_) => self.congruent(term, written)?,
            Op::Add | Op::Sub | Op::Mul | Op::Divide | Op::Number(_) | Op::Decimal(..) => {
                let equations = self.leaf_equations(&[term])?;
                let equation = self.steps.ast.formula(Op::Eq, &[term, written]);
                self.equal_by_order(equation, &[], &equations)?
            }
            Op::Ite if node.sort.is_number() => self.conditional_equation(term, written)?,
            Op::Ite => self.conditional_element(term, written)?,
            Op::Other(ref name) if **name == *"div" => self.quotient_equation(term, written)?,
            Op::Other(ref name) if **name == *"select" => self.congruent(term, written)?,
            Op::Other(_) if matches!(node.sort, AstSort::Array(_)) => self.congruent(term, written)?,
            Op::Other(ref name) if matches!(&**name, "mod" | "abs") => self.defined_equation(term, written)?,
            ref op => {
                let text = op.text(self.pool);
                return Err(Unsupported::new(&text));
            }
        };
        let equation = self.steps.ast.formula(Op::Eq, &[term, written]);
        Ok(Some((self.steps.ast.literal(equation), step)))
    }

    /// `(= (f a) (f n))` for arguments with their normal forms.
    fn congruent(&mut self, left: NodeId, right: NodeId) -> Result<StepId, Unsupported> {
        let (f, g) = (self.steps.ast.get(left).clone(), self.steps.ast.get(right).clone());
        if f.op != g.op || f.args.len() != g.args.len() {
            return Err(Unsupported::new("internal: two different functions"));
        }
        let mut premises = Vec::new();
        for (&a, &b) in f.args.iter().zip(&g.args) {
            if a == b {
                continue;
            }
            if self.steps.ast.get(a).sort == AstSort::Bool {
                let equation = self.steps.ast.formula(Op::Eq, &[a, b]);
                let mut parts = self.definitions(equation)?;
                let link = self.link(a);
                parts.extend(link.down?);
                parts.extend(link.up?);
                for constant in [Op::True, Op::False] {
                    let constant = self.steps.ast.formula(constant, &[]);
                    parts.extend(self.definitions(constant)?);
                }
                let target = [self.steps.ast.literal(equation)];
                premises.push(self.steps.derive(&parts, &target)?);
            } else if let Some((_, step)) = self.equation(a)? {
                premises.push(step);
            }
        }
        let equation = self.steps.ast.formula(Op::Eq, &[left, right]);
        Ok(self.steps.step("cong", vec![equation], premises))
    }

    /// A conditional integer term of the script and its normal form, by cases.
    fn conditional_equation(&mut self, term: NodeId, written: NodeId) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(term).args.to_vec();
        let mut premises = self.choices(term)?;
        let link = self.link(args[0]);
        premises.extend(link.down?);
        premises.extend(link.up?);
        let leaves = self.leaf_equations(&args[1..])?;
        premises.extend(&leaves.1);
        let equation = self.steps.ast.formula(Op::Eq, &[term, written]);
        premises.push(self.disequality(equation));
        let mut values: Vec<Vec<Literal>> = vec![Vec::new()];
        if self.steps.ast.get(written).op == Op::Ite {
            premises.extend(self.choices(written)?);
            let sides = self.steps.ast.get(written).args[1..].to_vec();
            values = Vec::new();
            for side in sides {
                let node = self.steps.ast.formula(Op::Eq, &[written, side]);
                values.push(vec![!self.steps.ast.literal(node)]);
            }
        }
        for (left, right) in [(term, written), (written, term)] {
            let order = self.steps.ast.formula(Op::Le, &[left, right]);
            for value in &values {
                let mut literals = value.clone();
                literals.push(self.steps.ast.literal(order));
                literals.extend(&leaves.0);
                premises.extend(self.choice_values(term, &literals));
            }
        }
        let target = [self.steps.ast.literal(equation)];
        self.steps.derive(&premises, &target)
    }

    /// A conditional element of a declared sort and its normal form, by cases: a chain of equations for each pair of branches that are the same in normal form.
    fn conditional_element(&mut self, term: NodeId, written: NodeId) -> Result<StepId, Unsupported> {
        let args = self.steps.ast.get(term).args.to_vec();
        let mut premises = self.choices(term)?;
        let link = self.link(args[0]);
        premises.extend(link.down?);
        premises.extend(link.up?);
        let mut sides = vec![written];
        if self.steps.ast.get(written).op == Op::Ite {
            premises.extend(self.choices(written)?);
            sides = self.steps.ast.get(written).args[1..].to_vec();
        }
        let target = self.steps.ast.formula(Op::Eq, &[term, written]);
        for &value in &args[1..] {
            let normal = self.normal(value)?;
            let normal = self.written(normal)?;
            let mut chain = vec![self.steps.ast.formula(Op::Eq, &[term, value])];
            if let Some((literal, step)) = self.equation(value)? {
                premises.push(step);
                chain.push(literal.node);
            }
            if !sides.contains(&normal) {
                continue;
            }
            if normal != written {
                chain.push(self.steps.ast.formula(Op::Eq, &[written, normal]));
            }
            if chain.len() > 1 {
                let mut terms: Vec<NodeId> = Vec::new();
                for equation in chain {
                    terms.push(self.steps.ast.formula(Op::Not, &[equation]));
                }
                terms.push(target);
                premises.push(self.steps.axiom("eq_transitive", terms, Vec::new()));
            }
        }
        let target = [self.steps.ast.literal(target)];
        self.steps.derive(&premises, &target)
    }
}
