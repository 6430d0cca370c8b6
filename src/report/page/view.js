"use strict";
// Everything that is shown comes from the data in the page and is put in as text, never as markup. What is big is rendered when it is asked for.
const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report, views = data.views;
const MOST_BOXES = 400, MOST_ROWS = 500;

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick" || name === "oninput" || name === "ontoggle") element[name] = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== undefined && child !== null) element.append(child);
  return element;
}
const panel = (title, ...children) => make("div", { class: "panel" }, title ? make("h2", {}, title) : null, ...children);
const code = text => make("code", {}, text);
const empty = text => make("p", { class: "soft" }, text);
function table(heads, rows, numbers = []) {
  const body = make("tbody");
  const show = (from, to) => rows.slice(from, to).forEach(row =>
    body.append(make("tr", {}, row.map((cell, i) => make("td", { class: numbers.includes(i) ? "number" : undefined }, cell)))));
  show(0, MOST_ROWS);
  const whole = make("div", {}, make("table", {}, make("thead", {}, make("tr", {}, heads.map(h => make("th", {}, h)))), body));
  if (rows.length > MOST_ROWS) whole.append(more(`show all ${rows.length}`, () => show(MOST_ROWS, rows.length)));
  return whole;
}
function more(text, act) {
  const button = make("button", { class: "plain more", onclick: () => { button.remove(); act(); } }, text);
  return button;
}
const place = p => `${p.file.split("/").pop()}:${p.line}:${p.column}`;

// ---- summary ----
function summary() {
  const rows = report.properties.map(p => [code(p.name), code(p.formula), make("b", { class: p.verdict }, p.verdict), p.reason || "",
    p.expected === undefined || p.expected === null ? "" : p.expected ? "TRUE" : "FALSE"]);
  const parts = [panel("Properties", table(["name", "formula", "verdict", "reason", "expected"], rows))];
  if (report.proof) {
    const proof = report.proof;
    const said = proof.folder ? `${proof.obligations} obligations in ${proof.folder}/ prove ${proof.properties.join(", ")}.` +
      (proof.discharged === undefined ? "" : ` ${proof.discharged} of them were discharged with their proofs checked.`) : "";
    parts.push(panel("Proof", said ? make("p", {}, said) : null, proof.without.map(([name, why]) => make("p", {}, code(name), ": no obligations: " + why))));
  }
  const ledger = report.assumptions.map(a => [a.sound ? "" : "!", a.kind, a.detail, String(a.count), code(a.place)]);
  parts.push(panel("Assumptions", report.assumptions.length ? table(["", "kind", "what is taken on trust", "times", "first at"], ledger, [3]) : empty("Nothing is taken on trust."),
    make("p", { class: "soft" }, "! marks what a TRUE rests on.")));
  return parts;
}

// ---- error path ----
function errorPaths() {
  return report.properties.map((property, number) => ({ property, number })).filter(({ property }) => property.trace).map(({ property, number }) => {
    const grid = make("div", { class: "trace code" });
    const lines = property.trace.lines;
    let where = "";
    const show = (from, to) => lines.slice(from, to).forEach((line, i) => {
      const here = `${line.file} ${line.function} ${line.depth}`;
      if (here !== where) grid.append(make("div", { class: "call" }, "  ".repeat(Math.min(line.depth, 12)) + `${line.function}  (${line.file.split("/").pop()})`));
      where = here;
      const last = from + i === lines.length - 1 ? " last" : "";
      grid.append(make("div", { class: "at" + last }, String(line.line)), make("div", { class: "source" + last, style: `padding-left:${0.7 + Math.min(line.depth, 12) * 0.7}rem` }, line.text),
        make("div", { class: "note" + last }, line.notes.join(", ")));
    });
    show(0, MOST_ROWS);
    const rest = lines.length > MOST_ROWS ? more(`show all ${lines.length} lines`, () => show(MOST_ROWS, lines.length)) : null;
    const inputs = data.inputs[number].map(([from, what, value, at]) => [from, what, code(value), code(at)]);
    return [panel(`Path to the violation of ${property.name}`, grid, rest),
      panel(`Inputs of the violation of ${property.name}`, inputs.length ? table(["", "what", "value", "place"], inputs, [0]) : empty("The program asks for no input."))];
  }).flat();
}

// ---- drawings ----
const SVG = "http://www.w3.org/2000/svg";
function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
// Layers by longest path over forward edges (towards later boxes), order within layers by barycentres, two sweeps each way.
function draw(boxes, edges, chosen) {
  const CHAR = 7.3, LINE = 16, GAP = 26, DOWN = 46;
  const at = new Map(boxes.map((box, i) => [box.id, i]));
  const links = edges.filter(e => at.has(e.from) && at.has(e.to)).map(e => ({ ...e, a: at.get(e.from), b: at.get(e.to) }));
  const layer = boxes.map(() => 0);
  const forward = links.filter(e => e.a < e.b && !e.cover).sort((x, y) => x.a - y.a);
  for (const e of forward) layer[e.b] = Math.max(layer[e.b], layer[e.a] + 1);
  const rows = [];
  boxes.forEach((_, i) => (rows[layer[i]] = rows[layer[i]] || []).push(i));
  for (let i = 0; i < rows.length; i++) rows[i] = rows[i] || [];
  boxes.forEach(box => { box.w = Math.max(28, ...box.lines.map(l => l.length * CHAR + 16)); box.h = box.lines.length * LINE + 10; });
  const x = boxes.map(() => 0), y = boxes.map(() => 0);
  const spread = row => { let left = 0; row.forEach(i => { x[i] = left; left += boxes[i].w + GAP; }); return left; };
  rows.forEach(spread);
  const centre = i => x[i] + boxes[i].w / 2;
  for (let sweep = 0; sweep < 4; sweep++) {
    const near = boxes.map(() => []);
    forward.forEach(e => sweep % 2 ? near[e.a].push(e.b) : near[e.b].push(e.a));
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(row.map(i => [i, near[i].length ? near[i].reduce((s, j) => s + centre(j), 0) / near[i].length : centre(i)]));
      row.sort((i, j) => wish.get(i) - wish.get(j));
      let left = -Infinity;
      row.forEach(i => { x[i] = Math.max(left, wish.get(i) - boxes[i].w / 2); left = x[i] + boxes[i].w + GAP; });
      // Boxes that make room go to the right; the row as a whole stays under what it wants to be under.
      const drift = row.reduce((s, i) => s + centre(i) - wish.get(i), 0) / Math.max(1, row.length);
      row.forEach(i => { x[i] -= drift; });
    }
  }
  const least = x.reduce((a, b) => Math.min(a, b), Infinity);
  let down = 10;
  for (const row of rows) { row.forEach(i => { y[i] = down; }); down += Math.max(0, ...row.map(i => boxes[i].h)) + DOWN; }
  boxes.forEach((_, i) => { x[i] += 10 - least; });
  const width = boxes.reduce((a, b, i) => Math.max(a, x[i] + b.w), 0) + 60;
  const svg = shape("svg", { width, height: down, viewBox: `0 0 ${width} ${down}`, role: "img" });
  const marker = shape("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  marker.append(shape("path", { d: "M0 0 L8 4 L0 8 z" }));
  svg.append(marker);
  svg.dataset.first = boxes.length ? centre(0) : 0;
  for (const e of links) {
    const [x1, y1, x2, y2] = [centre(e.a), y[e.a] + boxes[e.a].h, centre(e.b), y[e.b]];
    const back = e.b <= e.a;
    const side = Math.max(x[e.a] + boxes[e.a].w, x[e.b] + boxes[e.b].w) + 24;
    const d = back ? `M${x1} ${y1} C${x1} ${y1 + 30} ${side} ${y1 + 30} ${side} ${(y1 + y2) / 2} S${x2} ${y2 - 30} ${x2} ${y2 - 1}`
      : `M${x1} ${y1} C${x1} ${y1 + 24} ${x2} ${y2 - 24} ${x2} ${y2 - 1}`;
    svg.append(shape("path", { d, "marker-end": "url(#tip)", class: e.cover ? "cover" : "" }));
  }
  boxes.forEach((box, i) => {
    const group = shape("g", { transform: `translate(${x[i]} ${y[i]})` });
    group.append(shape("rect", { width: box.w, height: box.h, rx: box.lines.length > 1 || box.lines[0].length > 4 ? 5 : 12, class: `box ${box.kind || ""} ${box.id === chosen ? "chosen" : ""}` }));
    box.lines.forEach((line, n) => group.append(shape("text", { x: 8, y: 17 + n * LINE }, line)));
    if (box.title) group.append(shape("title", {}, box.title));
    svg.append(group);
  });
  return svg;
}
// A list at the left, what is chosen of it at the right.
function chooser(entries, show) {
  const right = make("div", { class: "panel drawing" }, empty("Choose an entry of the list."));
  const list = make("div", { class: "list" });
  const fill = filter => {
    const found = entries.filter(e => e.name.toLowerCase().includes(filter.toLowerCase()));
    list.replaceChildren(...found.slice(0, MOST_ROWS).map(entry => {
      const button = make("button", { onclick: () => {
        list.querySelectorAll("button").forEach(b => b.setAttribute("aria-selected", b === button));
        right.replaceChildren(...[show(entry)].flat());
        const svg = right.querySelector("svg");
        right.scrollLeft = svg ? svg.dataset.first - right.clientWidth / 2 : 0;
      } }, make("span", {}, entry.name), make("span", { class: "soft" }, String(entry.count)));
      return button;
    }), found.length > MOST_ROWS ? empty(`${found.length - MOST_ROWS} more: narrow the search`) : "");
  };
  fill("");
  const whole = make("div", { class: "split" }, make("div", { class: "panel" }, make("input", { type: "search", placeholder: "search", "aria-label": "search", oninput: event => fill(event.target.value) }), list), right);
  if (entries.length) whole.first = () => list.querySelector("button").click();
  return whole;
}
function drawn(boxes, edges, chosen) {
  if (boxes.length <= MOST_BOXES) return draw(boxes, edges, chosen);
  const holder = make("div", {}, draw(boxes.slice(0, MOST_BOXES), edges, chosen));
  holder.prepend(more(`the first ${MOST_BOXES} of ${boxes.length} boxes are shown; show all`, () => holder.lastChild.replaceWith(draw(boxes, edges, chosen))));
  return holder;
}

// ---- automata ----
function automata() {
  const entries = views.functions.map(f => ({ name: f.name, count: f.boxes.length, f }));
  return chooser(entries, ({ f }) => [make("h2", {}, f.name), f.boxes.length ? drawn(f.boxes.map(b => ({ ...b })), f.edges) : empty("This function has no locations.")]);
}

// ---- abstract states ----
function states() {
  const arg = views.arg;
  if (!arg || !arg.states.length) return [panel("Abstract states", empty("There is no abstract reachability graph: explicit values decided, or the run ended before."))];
  const next = new Map(), before = new Map();
  const add = (map, a, b) => map.set(a, [...(map.get(a) || []), b]);
  arg.edges.forEach(([a, b]) => { add(next, a, b); add(before, b, a); });
  const groups = new Map();
  arg.states.forEach((s, i) => { const key = `${s.function}`; if (!groups.has(key)) groups.set(key, []); groups.get(key).push(i); });
  const box = i => { const s = arg.states[i];
    return { id: i, kind: s.target ? "target" : s.covered_by !== undefined ? "covered" : s.head ? "head" : "",
      lines: [`${i}: ${s.function}:${s.line}${s.target ? "  VIOLATION" : ""}`, ...(s.region === "1" || s.target ? [] : [cut(s.region, 46)])], title: s.region }; };
  const cut = (text, n) => text.length > n ? text.slice(0, n) + " ..." : text;
  const around = (i, steps) => { const found = new Set([i]); let rim = [i];
    for (let n = 0; n < steps; n++) { rim = rim.flatMap(j => [...(next.get(j) || []), ...(before.get(j) || [])]).filter(j => !found.has(j)); rim.forEach(j => found.add(j)); if (found.size > 60) break; }
    return [...found].sort((a, b) => a - b).slice(0, 60); };
  const part = (list, chosen) => { const inside = new Set(list);
    const edges = arg.edges.filter(([a, b]) => inside.has(a) && inside.has(b)).map(([from, to]) => ({ from, to }));
    list.forEach(i => { const by = arg.states[i].covered_by; if (by !== undefined && inside.has(by)) edges.push({ from: i, to: by, cover: true }); });
    return draw(list.map(box), edges, chosen); };
  const one = i => { const s = arg.states[i];
    const details = make("details", { ontoggle: event => { if (event.target.open && !details.dataset.done) { details.dataset.done = 1;
      details.append(make("pre", {}, s.region), make("p", { class: "soft" }, `stack: ${s.stack.join(" > ") || "-"}; successors: ${(next.get(i) || []).join(", ") || "none"}` + (s.covered_by === undefined ? "" : `; covered by ${s.covered_by}`)), part(around(i, 2), i)); } } },
      make("summary", {}, `state ${i} at line ${s.line}${s.target ? " (violation)" : ""}${s.covered_by === undefined ? "" : ` (covered by ${s.covered_by})`}: `, code(cut(s.region, 90))));
    return details; };
  const entries = [];
  const said = `${arg.states.length} states at abstraction points of ${arg.total} in all` + (arg.complete ? ", explored to the end" : ", exploration not finished") + (arg.omitted ? `; ${arg.omitted} left out here` : "");
  if (arg.states.length <= 120) entries.push({ name: "(whole graph)", count: arg.states.length, whole: true });
  groups.forEach((list, name) => entries.push({ name, count: list.length, list }));
  return [make("p", { class: "soft" }, said), chooser(entries, entry => {
    if (entry.whole) return part(arg.states.map((_, i) => i));
    const holder = make("div", {}, make("h2", {}, entry.name), entry.list.slice(0, MOST_ROWS).map(one));
    if (entry.list.length > MOST_ROWS) holder.append(more(`show all ${entry.list.length}`, () => holder.append(...entry.list.slice(MOST_ROWS).map(one))));
    return holder;
  })];
}

// ---- the rest ----
function refinement() {
  const rows = views.rounds.map(r => [String(r.round), String(r.states), String(r.targets), String(r.predicates)]);
  return panel("Explorations", rows.length ? table(["round", "abstract states", "target states", "predicates before"], rows, [0, 1, 2, 3]) : empty("No refinement loop was needed."));
}
function predicates() {
  const groups = new Map();
  report.precision.forEach(line => { const cut = line.indexOf(": "); const key = line.slice(0, cut); if (!groups.has(key)) groups.set(key, []); groups.get(key).push(line.slice(cut + 2)); });
  const invariants = report.invariants.map(i => [code(place(i)), i.function, make("pre", {}, i.any_of.join("\n|| "))]);
  return [panel("Invariants at loop heads", invariants.length ? table(["place", "function", "what holds"], invariants) : empty("None: either nothing was explored to the end, or explicit values decided.")),
    panel("Predicates by scope", groups.size ? [...groups].map(([scope, list]) => make("details", { open: groups.size < 12 || undefined }, make("summary", {}, `${scope} (${list.length})`), make("pre", {}, list.join("\n")))) : empty("No predicates."))];
}
function numbers() {
  const rows = Object.entries(report.statistics).map(([name, value]) => [name, value.toLocaleString("en")]);
  const used = [["processor seconds", report.resources.cpu_s.toFixed(2)], ["seconds", report.resources.wall_s.toFixed(2)], ["memory in MiB", String(report.resources.memory_mb)]];
  return [panel("Work", rows.length ? table(["counter", "value"], rows, [1]) : empty("Nothing was counted.")), panel("Resources", table(["resource", "used"], used, [1])),
    panel("Options", report.options.length ? table(["option"], report.options.map(o => [code(o)])) : empty("All options have their defaults."))];
}

const tabs = [["Summary", summary]];
if (report.properties.some(p => p.trace)) tabs.push(["Error path", errorPaths]);
tabs.push(["Abstract states", states], ["Automata", automata], ["Refinement", refinement], ["Predicates", predicates], ["Statistics and options", numbers]);
const navigation = document.querySelector("nav"), main = document.querySelector("main");
document.querySelector("h1").textContent = report.inputs.join(", ");
const badge = document.getElementById("verdict");
badge.textContent = report.verdict; badge.className = "badge " + report.verdict;
document.getElementById("reason").textContent = report.reason || "";
document.querySelector("footer").textContent = report.provident;
document.title = `${report.verdict}: ${report.inputs.map(i => i.split("/").pop()).join(", ")}`;
const pages = tabs.map(([title, fill]) => {
  const section = make("section", { id: title.toLowerCase().replaceAll(" ", "-"), hidden: true });
  const button = make("button", { role: "tab", onclick: () => open(button, section, fill) }, title);
  navigation.append(button); main.append(section);
  return [button, section, fill];
});
function open(button, section, fill) {
  pages.forEach(([b, s]) => { b.setAttribute("aria-selected", b === button); s.hidden = s !== section; });
  if (!section.childElementCount) { section.append(...[fill()].flat()); section.querySelectorAll(".split").forEach(split => split.first && split.first()); }
  history.replaceState(null, "", "#" + section.id);
}
const wanted = pages.find(([, s]) => "#" + s.id === location.hash) || pages[report.properties.some(p => p.trace) && !location.hash ? 1 : 0];
open(...wanted);
document.body.dataset.ready = "true";
