// ---- summary ----
function properties() {
  const order = { FALSE: 0, UNKNOWN: 1, TRUE: 2 };
  const all = report.properties.map((property, number) => ({ property, number }));
  // Of many properties those come first that need attention.
  if (all.length > 20) all.sort((a, b) => order[a.property.verdict] - order[b.property.verdict] || a.number - b.number);
  const isExpected = all.some(({ property }) => property.expected !== undefined && property.expected !== null);
  const rows = all.map(({ property: p, number }) => {
    const last = p.trace && p.trace.lines.at(-1);
    const says = [p.reason ? make("div", {}, p.reason) : null, p.warning ? make("div", { class: "UNKNOWN" }, p.warning) : null,
      last ? button(`${last.notes.at(-1) || "violation"} at ${short(last.file)}:${last.line}`, () => go("error-path", number), { title: last.file }) : null].filter(Boolean);
    return [make("b", { class: p.verdict }, p.verdict), make("div", {}, code(p.name)), make("div", {}, code(p.formula)), says.length ? make("div", {}, says) : "",
      ...(isExpected ? [p.expected === undefined || p.expected === null ? "" : p.expected ? "TRUE" : "FALSE"] : [])];
  });
  const counts = ["FALSE", "UNKNOWN", "TRUE"].map(v => [v, all.filter(({ property }) => property.verdict === v).length]).filter(([, n]) => n);
  const isSaid = rows.some(row => row[3]), columns = [true, true, true, isSaid, isExpected];
  const heads = ["verdict", "name", "formula", "why", "expected"].filter((_, i) => columns[i]);
  return panel(all.length > 1 ? `${all.length} properties: ` + counts.map(([v, n]) => `${n} ${v}`).join(", ") : "Property", table(heads, rows.map(row => row.filter((_, i) => columns[i]))));
}
function summary() {
  const found = [properties()];
  found.push(panel("Course of the verification", make("p", {}, course())));
  if (report.proof) {
    const proof = report.proof;
    const said = proof.folder ? `${proof.obligations} obligations in ${proof.folder}/ prove ${proof.properties.join(", ")}.` +
      (proof.discharged === undefined ? "" : ` ${proof.discharged} of them were discharged with their proofs checked.`) : "";
    found.push(panel("Proof", said ? make("p", {}, said) : null, proof.without.map(([name, why]) => make("p", {}, code(name), ": no obligations: " + why))));
  }
  const ledger = report.assumptions.map(a => [a.sound ? "" : "!", make("span", { class: "word" }, a.kind), a.detail, String(a.count), make("code", { title: a.place }, short(a.place))]);
  found.push(panel("Assumptions", report.assumptions.length ? table(["", "kind", "what is taken on trust", "times", "first at"], ledger, [3]) : soft("Nothing is taken on trust."),
    report.assumptions.some(a => !a.sound) ? soft("! marks what a TRUE rests on.") : null));
  return found;
}
const arrows = text => text.replaceAll("->", "→");
// The analyses that were run, and what this page has of them.
function course() {
  const ran = data.course ? `Analyses: ${arrows(data.course)}.` : "No analysis was run.";
  const states = views.arg.states.length;
  const has = states ? ` The last one was predicate abstraction: it has ${count(states, "abstract state")}.`
    : !data.course ? "" : report.verdict === "UNKNOWN" ? " The run ended before there were abstract states to keep." : " Executions and explicit values decided; they leave no abstract states, but the counters show their work.";
  return ran + has;
}

// ---- automata ----
function automata() {
  const on = new Map();
  views.paths.forEach(p => { p.edges.forEach(([f, e]) => { if (!on.has(f)) on.set(f, { boxes: new Set(), edges: new Set() }); on.get(f).edges.add(e); }); p.lines.flat().forEach(([f, b]) => { if (!on.has(f)) on.set(f, { boxes: new Set(), edges: new Set() }); on.get(f).boxes.add(b); }); });
  // Functions of the library come last.
  const isOurs = entry => entry.name.startsWith("__provident");
  const entries = views.functions.map((f, at) => ({ name: f.name, count: f.boxes.length, at })).sort((a, b) => isOurs(a) - isOurs(b) || a.at - b.at);
  const title = make("h2"), said = make("div", { class: "soft" }), holder = make("div"), links = make("div", { class: "buttons" });
  const known = new Map();
  let current;
  const pane = sourcePane((file, line) => { const box = views.functions[current].boxes.findIndex(b => b.line === line); if (box >= 0 && views.functions[current].file === file) choose(box); else pane.mark(file, line); });
  const choose = box => {
    const f = views.functions[current], shown = f.boxes[box];
    known.get(current).mark([box]);
    if (shown.line) pane.mark(f.file, shown.line, f.name);
    links.replaceChildren(...linksOf(f.file, shown.line).filter(b => !b.textContent.startsWith("automaton")));
  };
  const list = chooser(entries, ({ at }) => {
    current = at;
    const f = views.functions[at];
    title.textContent = f.name;
    said.textContent = (on.has(at) ? "The error path is in colour. " : "") + (f.omitted ? `${f.omitted} boxes are left out; cfa.dot has them all. ` : "") + "Click on a box to see its text; drag to move, Ctrl and wheel to zoom.";
    links.replaceChildren();
    if (!f.boxes.length) { holder.replaceChildren(soft(f.omitted ? "There are too many boxes in all; cfa.dot has this function." : "This function has no locations.")); return; }
    if (!known.has(at)) known.set(at, drawing(f, { passed: on.get(at), choose, high: true }));
    holder.replaceChildren(known.get(at).element);
    known.get(at).begin();
    const first = f.boxes.find(b => b.line);
    if (first && fileAt.has(f.file)) pane.mark(f.file, first.line, f.name); else pane.open(f.file);
  }, entry => on.has(entry.at));
  const whole = make("div", { class: "side" }, list.element, make("div", { class: "beside" }, make("div", { class: "panel" }, title, said, holder, links), pane.element));
  whole.enter = (at, box) => {
    if (at !== undefined || current === undefined) list.select(at === undefined ? entries.find(e => e.name === "main") || entries[0] : entries.find(e => e.at === at));
    if (box !== undefined) { known.get(current).focus(box); choose(box); }
  };
  return whole;
}

// ---- abstract states ----
function states() {
  const arg = views.arg;
  const next = new Map(), before = new Map();
  arg.edges.filter(e => e.kind !== "cover").forEach(e => { next.set(e.from, [...(next.get(e.from) || []), e.to]); before.set(e.to, [...(before.get(e.to) || []), e.from]); });
  const kind = s => s.target ? "target" : s.covered_by !== undefined ? "covered" : s.head ? "head" : "";
  const drawn = arg.states.filter(s => s.drawn);
  const graph = drawing({ boxes: drawn.map(s => ({ lines: s.drawn[0], area: s.drawn[1], kind: kind(s), title: s.region })), edges: arg.edges, size: arg.size }, { choose: at => choose(at), high: true });
  const details = make("div", { class: "panel" }, soft("Click on a state."));
  const pane = sourcePane((file, line) => go("source", file, line), true);
  const jump = at => button(String(at), () => { choose(at); if (arg.states[at].drawn) graph.focus(at); });
  const row = (name, list) => list && list.length ? make("div", { class: "buttons" }, make("span", { class: "soft" }, name), ...list.slice(0, 20).map(jump)) : null;
  const fileOf = name => (views.functions.find(f => f.name === name) || {}).file;
  function choose(at) {
    const s = arg.states[at], file = fileOf(s.function);
    graph.mark([at]);
    fill(details, make("h2", {}, `State ${at}: ${s.function}, line ${s.line}` + (s.target ? ", a violation" : "")),
      s.region === "1" ? soft("nothing is known here: the formula is true") : make("pre", { class: "scroll" }, s.region.replaceAll(" || ", "\n|| ").replaceAll(" && ", "\n && ")),
      s.stack.length ? make("div", { class: "soft" }, "calls: " + s.stack.join(" › ")) : null,
      row("before", before.get(at)), row("next", next.get(at)), row("covered by", s.covered_by === undefined ? [] : [s.covered_by]));
    if (file !== undefined) pane.mark(file, s.line, s.function);
  }
  const groups = grouped(arg.states, s => s.function);
  const entries = [...groups].map(([name, list]) => ({ name, count: list.length, list }));
  const list = chooser(entries, entry => { choose(entry.list[0]); if (arg.states[entry.list[0]].drawn) graph.focus(entry.list[0]); });
  const said = `${count(arg.states.length, "state")} at abstraction points of ${arg.total.toLocaleString("en")} in all` + (arg.complete ? ", explored to the end" : ", exploration not finished") +
    (arg.omitted ? `; ${arg.omitted} left out here` : "") + (drawn.length < arg.states.length ? `; the first ${drawn.length} are drawn` : "") + ". Dashed edges lead to the state that covers.";
  const whole = make("div", { class: entries.length > 1 ? "side" : "" }, entries.length > 1 ? list.element : null,
    make("div", { class: "beside" }, make("div", { class: "panel" }, make("div", { class: "soft" }, said), graph.element), make("div", {}, details, pane.element)));
  let begun = false;
  whole.enter = at => { if (!begun) { begun = true; graph.begin(); choose(Math.max(0, arg.states.findIndex(s => s.target || s.head))); } if (at !== undefined) { choose(at); if (arg.states[at].drawn) graph.focus(at); } };
  return whole;
}

// ---- the rest ----
function refinement() {
  const rows = views.rounds.map(r => [r.round, r.states, r.targets, r.predicates].map(n => n.toLocaleString("en")));
  return panel("Explorations", table(["round", "abstract states", "target states", "predicates before"], rows, [0, 1, 2, 3]));
}
function predicates() {
  const groups = new Map();
  report.precision.forEach(line => { const end = line.indexOf(": "); const key = line.slice(0, end); if (!groups.has(key)) groups.set(key, []); groups.get(key).push(line.slice(end + 2)); });
  const invariants = report.invariants.map(i => [button(`${short(i.file)}:${i.line}`, () => go("source", i.file, i.line), { title: i.file }), i.function, make("pre", {}, i.any_of.join("\n   or\n"))]);
  return [invariants.length ? panel("Invariants at loop heads", table(["place", "function", "what holds"], invariants)) : null,
    groups.size ? panel("Predicates by scope", [...groups].map(([scope, list]) => make("details", { open: groups.size < 12 || undefined }, make("summary", {}, `${scope} (${list.length})`), make("pre", {}, list.join("\n"))))) : null].filter(Boolean);
}
function numbers() {
  const rows = Object.entries(report.statistics).map(([name, value]) => [name, value.toLocaleString("en")]);
  const used = [["processor seconds", report.resources.cpu_s.toFixed(2)], ["seconds", report.resources.wall_s.toFixed(2)], ["memory in MiB", String(report.resources.memory_mb)]];
  return [make("div", { class: "beside" }, panel("Work", make("p", {}, course()), rows.length ? table(["counter", "value"], rows, [1]) : soft("Nothing was counted.")), make("div", {}, panel("Resources", table(["resource", "used"], used, [1])),
    panel("Options", report.options.length ? table(["option"], report.options.map(o => [code(o)])) : soft("All options have their defaults."))))];
}
