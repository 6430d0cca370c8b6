// ---- error paths ----
const TEMPORARY = /^(__cil_|tmp(___\d+)?$|__provident)/;
// The parts of a list with commas that are not inside brackets.
function parts(text) {
  const found = [];
  let depth = 0, begin = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at === text.length || (text[at] === "," && depth === 0)) { found.push(text.slice(begin, at).trim()); begin = at + 1; }
    else if ("([{".includes(text[at])) depth++;
    else if (")]}".includes(text[at])) depth--;
  }
  return found;
}
const assignment = note => { const found = /^([^\s=!<>"'](?:[^=!<>"']*[^\s=!<>"'])?) = (.*)$/s.exec(note); return found && !note.startsWith("call ") ? [found[1], found[2]] : undefined; };
const plain = text => text.replace(/[\s()]/g, "");
// Events without those of temporaries, which generated code has many of.
function without(notes) {
  const own = notes.filter(note => { const set = assignment(note); return !set || !TEMPORARY.test(set[0]); });
  return (own.length ? own : notes).join(", ");
}
// The values after a line of a path: those of static variables, and those of each open call.
function valuesAfter(trace, globals, last) {
  const statics = new Map(), frames = [];
  let next = [], changed = new Set();
  for (let at = 0; at <= last; at++) {
    const line = trace.lines[at];
    while (frames.length && frames.at(-1).depth > line.depth) frames.pop();
    if (!frames.length || frames.at(-1).depth < line.depth || frames.at(-1).name !== line.function) {
      if (frames.length && frames.at(-1).depth === line.depth) frames.pop();
      frames.push({ name: line.function, depth: line.depth, values: new Map(next) });
    }
    frames.at(-1).at = at;
    next = []; changed = new Set();
    for (const note of line.notes) {
      const set = assignment(note);
      if (set) {
        const root = set[0].split(/[ .[\-]/)[0];
        (globals.has(root) ? statics : frames.at(-1).values).set(set[0], set[1]);
        changed.add(set[0]);
      }
      const call = /^call [^(]+\((.*)\)$/s.exec(note);
      if (call) next = parts(call[1]).map(assignment).filter(Boolean);
    }
  }
  return { statics, frames, changed };
}
function valueTables({ statics, frames, changed }) {
  const isNamed = ([name]) => !TEMPORARY.test(name);
  const rows = list => make("table", { class: "values code" }, make("tbody", {}, list.map(([name, value]) =>
    make("tr", { class: changed.has(name) ? "changed" : undefined }, make("td", {}, name), make("td", {}, value)))));
  const part = (title, values, isOpen) => {
    const all = [...values].reverse().sort((a, b) => changed.has(b[0]) - changed.has(a[0]));
    const [own, temporary] = [all.filter(isNamed), all.filter(v => !isNamed(v))];
    if (!all.length) return isOpen ? [make("h3", {}, title), soft("no values yet")] : [];
    const shown = [own.length ? rows(own) : null, temporary.length ? make("details", {}, make("summary", { class: "soft" }, count(temporary.length, "temporary", "temporaries")), rows(temporary)) : null].filter(Boolean);
    return isOpen ? [make("h3", {}, title), ...shown] : [make("details", {}, make("summary", { class: "soft" }, `${title} (${all.length})`), ...shown)];
  };
  const inner = frames.at(-1), outer = frames.slice(0, -1).reverse();
  // Where the innermost function has no values, those of the next one are of interest.
  const first = [...inner.values].some(isNamed) ? undefined : outer.find(frame => [...frame.values].some(isNamed));
  return [...part(inner.name, inner.values, true), ...(statics.size ? part("static variables", statics, true) : []),
    ...outer.flatMap(frame => part(frame.name, frame.values, frame === first))];
}
// The violation, and the inputs that lead there.
function cause(property, number, jump) {
  const lines = property.trace.lines, last = lines.at(-1);
  const inputs = data.inputs[number].filter(([from]) => from !== "...");
  const notes = data.inputs[number].filter(([from]) => from === "...").map(([, what]) => what);
  const chips = inputs.slice(0, 6).map(([, what, value, at]) => {
    const line = lines.findIndex(l => at.startsWith(`${short(l.file)}:${l.line}:`));
    return button(spell(`${what} = ${value}`), () => jump(Math.max(line, 0)), { class: "plain chip code", title: at });
  });
  const event = last.notes.length ? last.notes.at(-1) : "violation";
  return make("div", { class: "panel cause" },
    make("div", {}, make("b", { class: "FALSE" }, event), ` in `, code(last.function), `, `, make("span", { title: last.file }, `${short(last.file)}:${last.line}`), ` violates `, code(property.name), ` (`, code(property.formula), `)`),
    make("div", { class: "buttons" }, make("span", { class: "soft" }, inputs.length ? "with the inputs" : "for every input"), ...chips,
      inputs.length > 6 || notes.length ? make("span", { class: "soft" }, [inputs.length > 6 ? `${inputs.length - 6} more below` : "", ...notes].filter(Boolean).join("; ")) : null));
}
function pathOf(property, number) {
  const trace = property.trace, lines = trace.lines, end = lines.length - 1;
  const found = views.paths.find(p => p.property === number);
  const globals = new Set(found ? found.globals : []);
  const passed = new Map();
  const of = f => { if (!passed.has(f)) passed.set(f, { boxes: new Set(), edges: new Set() }); return passed.get(f); };
  if (found) { found.lines.flat().forEach(([f, b]) => of(f).boxes.add(b)); found.edges.forEach(([f, e]) => of(f).edges.add(e)); }
  const slider = make("input", { type: "range", min: 0, max: end, value: end, "aria-label": "line of the path", oninput: () => step(Number(slider.value)) });
  const said = make("span", { class: "at" });
  const ways = [["|◀", () => 0, "first line (Home)"], ["◀", () => at - 1, "line before (←)"], ["▶", () => at + 1, "next line (→)"], ["▶|", () => end, "violation (End)"]];
  const buttons = ways.map(([text, to, title]) => button(text, () => step(to()), { title, "aria-label": title }));
  const steer = make("div", { class: "panel steer" }, make("div", { class: "buttons" }, ...buttons, slider, said, make("span", { class: "soft keys" }, make("span", { class: "key" }, "←"), " ", make("span", { class: "key" }, "→"))));
  const lineOf = grouped(lines, l => `${l.file}\n${l.line}`);
  const pane = sourcePane((file, line) => { const visits = lineOf.get(`${file}\n${line}`); if (visits) step(visits.find(v => v > at) ?? visits[0]); else go("source", file, line); });
  const values = make("div", { class: "scroll" }), stack = make("div", { class: "buttons soft" }), links = make("div", { class: "buttons" });
  const graph = make("div"), graphTitle = make("h2");
  const graphs = new Map();
  const list = make("div", { class: "scroll steps code" });
  const listed = lines.map((line, i) => {
    const same = i && lines[i - 1].function === line.function && lines[i - 1].depth === line.depth && lines[i - 1].file === line.file;
    const row = make("div", { class: "row" + (i === end ? " bad" : "") }, make("span", { class: "no" }, String(line.line)),
      make("span", { class: "src", style: `padding-left:${Math.min(line.depth - 1, 12) * 0.7}rem` }, line.text.trim(), make("span", { class: "note" }, without(line.notes))));
    row.step = i;
    return [same ? null : make("div", { class: "call" }, `${line.function}  (${short(line.file)})`), row];
  });
  const rowAt = i => listed[i][1];
  let filled = false;
  list.onclick = event => { const row = event.target.closest(".row"); if (row) step(row.step); };
  let at = -1, noted = [], hot = [];
  // The rows of the text that the path has passed, with what happened there last.
  const annotate = () => {
    noted.forEach(n => n.remove()); hot.forEach(r => r.classList.remove("hot", "bad")); noted = []; hot = [];
    const here = lines[at], latest = new Map();
    lines.forEach((line, i) => { if (line.file === here.file && (i <= at || !latest.has(line.line))) latest.set(line.line, i); });
    for (const i of latest.values()) {
      const own = pane.at(lines[i].line, lines[i].function);
      own.forEach(row => { row.classList.add("hot"); hot.push(row); if (i === end && i === at) row.classList.add("bad"); });
      if (i > at || !own.length || lines[i].function !== here.function) continue;
      const of = own.map(() => []);
      lines[i].notes.forEach(note => { const set = assignment(note); const row = set ? own.findIndex(r => plain(r.text).includes(plain(set[0]) + "=")) : -1; of[row < 0 ? own.length - 1 : row].push(note); });
      own.forEach((row, n) => { if (of[n].length) { const note = make("span", { class: "note" }, cut(of[n].join(", "), 160)); row.lastChild.append(note); noted.push(note); } });
    }
  };
  const draw = boxes => {
    if (!boxes.length) return;
    const [f] = boxes.at(-1);
    if (!graphs.has(f)) graphs.set(f, drawing(views.functions[f], { passed: of(f), choose: box => { const i = found.lines.findIndex(l => l.some(([g, b]) => g === f && b === box)); if (i >= 0) step(i); else go("automata", f, box); } }));
    const shown = graphs.get(f);
    graphTitle.textContent = `Automaton of ${views.functions[f].name}`;
    if (graph.firstChild !== shown.element) { graph.replaceChildren(shown.element); shown.begin(); }
    const own = boxes.filter(([g]) => g === f).map(([, b]) => b);
    shown.mark(own);
    shown.focus(own.at(-1));
  };
  function step(to) {
    to = Math.max(0, Math.min(end, to));
    if (at >= 0) rowAt(at).classList.remove("now");
    at = to;
    const line = lines[at];
    slider.value = at;
    buttons.forEach((b, i) => { b.disabled = i < 2 ? at === 0 : at === end; });
    said.textContent = `${at + 1} of ${lines.length}: ${line.function}, ${short(line.file)}:${line.line}`;
    rowAt(at).classList.add("now");
    const state = valuesAfter(trace, globals, at);
    stack.replaceChildren("calls:", ...state.frames.map(f => button(f.name, () => step(f.at), { disabled: f.at === at, title: `line ${lines[f.at].line}` })));
    values.replaceChildren(...valueTables(state));
    links.replaceChildren(...linksOf(line.file, line.line).filter(b => b.textContent.startsWith("abstract")));
    const rows = pane.open(line.file);
    if (rows) { annotate(); pane.mark(line.file, line.line, line.function); }
    if (filled) reveal(list, rowAt(at));
    if (found) draw(found.lines[at]);
  }
  const inputs = data.inputs[number].map(([from, what, value, place]) => [from, what, code(value), code(place)]);
  const left = make("div", {}, pane.element, make("div", { class: "panel path" }, make("h2", {}, `Path to the violation of ${property.name}`), list));
  const right = make("div", {}, make("div", { class: "panel" }, make("h2", {}, "Values behind this line"), stack, values, links), found ? make("div", { class: "panel automaton" }, graphTitle, graph) : null);
  const whole = make("div", {}, cause(property, number, i => step(i)), steer, make("div", { class: "step" }, left, right),
    panel(`Inputs of the violation of ${property.name}`, inputs.length ? table(["", "what", "value", "place"], inputs, [0]) : soft("The program asks for no input.")));
  // Long lists come when the first picture is there.
  whole.enter = to => { step(to ?? (at < 0 ? end : at)); if (!filled) setTimeout(() => { filled = true; list.append(...listed.flat().filter(Boolean)); reveal(list, rowAt(at)); }); };
  whole.key = key => { const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: end }[key]; if (to === undefined) return false; step(to); return true; };
  return whole;
}
function errorPaths() {
  const traced = report.properties.map((property, number) => ({ property, number })).filter(({ property }) => property.trace);
  const known = new Map(), holder = make("div");
  let current;
  const show = (number, to) => {
    if (!known.has(number)) known.set(number, pathOf(report.properties[number], number));
    current = known.get(number);
    holder.replaceChildren(current);
    select.value = number;
    current.enter(to);
  };
  const select = make("select", { "aria-label": "property", onchange: () => show(Number(select.value)) }, traced.map(({ property, number }) => make("option", { value: number }, property.name)));
  const whole = make("div", {}, traced.length > 1 ? make("div", { class: "panel" }, make("div", { class: "buttons" }, "Violation of", select)) : null, holder);
  whole.enter = (number, to) => show(number ?? (current ? Number(select.value) : traced[0].number), to);
  whole.key = key => current.key(key);
  return whole;
}
