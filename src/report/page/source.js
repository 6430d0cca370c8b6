// ---- the text of the program ----
const CHUNK = 200;
const fileAt = new Map(views.files.map((file, at) => [file.name, at]));
const invariantsOf = grouped(report.invariants, i => `${i.file}\n${i.line}`);
// The invariant of a place, without the name of the function that it is in.
function holds(invariant) {
  const texts = invariant.any_of.map(text => text.replaceAll(`${invariant.function}::`, ""));
  const list = texts.map((text, at) => make("div", {}, (at ? "or " : texts.length > 1 ? "either " : "") + text));
  const said = make("div", { class: "holds" }, texts.length ? make("span", {}, "holds here: ") : "nothing reaches this place");
  if (texts.join("").length < 400) said.append(...(texts.length === 1 ? [texts[0]] : list));
  else said.append(make("details", {}, make("summary", {}, cut(texts[0], 100)), ...list));
  return said;
}
// A pane with one file at a time. `choose` is called with file and line. Rows are looked up by line, of which a preprocessed text may have several.
function sourcePane(choose, withInvariants) {
  const lines = make("div", { class: "lines code" });
  const element = make("div", { class: "scroll tall" }, lines);
  const title = make("h2");
  const known = new Map();
  let current;
  const render = file => {
    const rows = new Map(), chunks = [];
    let before = 0, chunk;
    file.lines.forEach(([number, text], at) => {
      if (at % CHUNK === 0) chunks.push(chunk = make("div", { class: "chunk" }));
      if (before && number > before + 1) chunk.append(make("div", { class: "gap" }, "⋯"));
      if (withInvariants && number !== before) for (const i of invariantsOf.get(`${file.name}\n${number}`) || [])
        chunk.append(holds(report.invariants[i]));
      before = number;
      const row = make("div", { class: "row" }, make("span", { class: "no" }, String(number)), make("span", { class: "src" }, text || " "));
      row.line = number; row.text = text; row.at = at;
      if (!rows.has(number)) rows.set(number, []);
      rows.get(number).push(row);
      chunk.append(row);
    });
    chunks.forEach((c, at) => { c.style.containIntrinsicSize = `auto ${19.5 * Math.min(CHUNK, file.lines.length - at * CHUNK)}px`; });
    // Where functions begin: a preprocessed text may have lines of one number in several of them.
    const begins = views.functions.filter(f => f.file === file.name && f.line).map(f => {
      const own = (rows.get(f.line) || []).find(row => row.text.includes(f.name.split("@")[0]));
      return own && [own.at, f.name];
    }).filter(Boolean).sort((a, b) => a[0] - b[0]);
    return { rows, chunks, begins };
  };
  // Shows a file and returns its rows by line; none if the text is not there.
  const open = name => {
    const at = fileAt.get(name);
    title.textContent = short(name); title.title = name;
    if (at === undefined) { lines.replaceChildren(soft("The text of this file is not in the report.")); current = undefined; return undefined; }
    if (!known.has(name)) known.set(name, render(views.files[at]));
    if (current !== name) { lines.replaceChildren(...known.get(name).chunks); current = name; }
    return known.get(name).rows;
  };
  lines.onclick = event => { const row = event.target.closest(".row"); if (row && choose && !String(getSelection())) choose(current, row.line); };
  // The rows of a line in the open file, and in a function if it is given.
  const at = (line, name) => {
    const { rows, begins } = known.get(current);
    const all = rows.get(line) || [], n = begins.findIndex(begin => begin[1] === name);
    const own = n < 0 ? [] : all.filter(row => row.at >= begins[n][0] && (n + 1 === begins.length || row.at < begins[n + 1][0]));
    return own.length ? own : all;
  };
  let marked = [];
  const mark = (name, line, within) => {
    marked.forEach(row => row.classList.remove("now"));
    marked = open(name) ? at(line, within) : [];
    marked.forEach(row => row.classList.add("now"));
    if (marked.length) {
      // A part of the text that has never been seen has no places yet.
      marked[0].parentElement.style.contentVisibility = "visible";
      reveal(element, marked[0]);
    }
    return marked;
  };
  return { element: make("div", { class: "panel" }, title, element), title, open, mark, at };
}
// Boxes of automata at a line, abstract states, and lines of error paths, as buttons that lead there.
function linksOf(file, line) {
  const found = [];
  views.functions.forEach((f, at) => { if (f.file === file) { const box = f.boxes.findIndex(b => b.line === line); if (box >= 0) found.push(button(`automaton of ${f.name}`, () => go("automata", at, box))); } });
  const names = new Set(views.functions.filter(f => f.file === file).map(f => f.name));
  const here = views.arg.states.map((s, at) => [s, at]).filter(([s]) => s.line === line && names.has(s.function));
  here.slice(0, 12).forEach(([s, at]) => found.push(button(`abstract state ${at}`, () => go("abstract-states", at), { title: s.region })));
  if (here.length > 12) found.push(make("span", { class: "soft" }, `and ${here.length - 12} more states`));
  report.properties.forEach((p, number) => {
    const step = p.trace ? p.trace.lines.findIndex(l => l.line === line && l.file === file) : -1;
    if (step >= 0) found.push(button(`line ${step + 1} of the path to ${p.name}`, () => go("error-path", number, step)));
  });
  return found;
}
function source() {
  const said = make("div", { class: "buttons" }, make("span", { class: "soft" }, "Click on a line to see where it is in automata, abstract states and error paths."));
  const pane = sourcePane((file, line) => {
    pane.mark(file, line);
    const links = linksOf(file, line);
    said.replaceChildren(make("span", { class: "at" }, `line ${line}:`), ...(links.length ? links : [make("span", { class: "soft" }, "no part of the exploration or of a path")]));
  }, true);
  const entries = views.files.map(f => ({ name: short(f.name), count: f.lines.length, file: f.name }));
  const list = chooser(entries, entry => { pane.open(entry.file); pane.title.textContent = entry.file; });
  // The file with most lines is the program.
  const first = report.invariants.length ? entries.find(e => e.file === report.invariants[0].file) : undefined;
  if (entries.length) list.select(first || entries.reduce((a, b) => b.count > a.count ? b : a));
  const shown = make("div", {}, make("div", { class: "panel" }, said), pane.element);
  const whole = entries.length > 1 ? make("div", { class: "side" }, list.element, shown) : shown;
  whole.enter = (file, line) => { if (file) { list.select(entries.find(e => e.file === file) || entries[0]); pane.mark(file, line); } else if (first) pane.mark(first.file, report.invariants[0].line); };
  return whole;
}
