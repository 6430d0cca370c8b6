"use strict";
// The page of an experiment. All that is shown comes from the data in the page; text is only ever set as text.
const DATA = JSON.parse(document.getElementById("data").textContent), D = DATA.rest;
const byId = (id) => document.getElementById(id);
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const drawn = (tag, attributes = {}, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
const colour = (i) => `var(--c${i % 8})`;
// A formatter is expensive to make and cheap to use.
const FORMATS = [0, 1, 2, 3, 4].map((digits) => new Intl.NumberFormat("en", { maximumFractionDigits: digits, minimumFractionDigits: digits }));
const round = (value, digits = 2) => FORMATS[digits].format(value);
const tickLabel = (value) => (value >= 1 ? FORMATS[0].format(value) : String(Number(value.toPrecision(3))));
const short = (value) => (value === 0 ? "0" : Math.abs(value) >= 1000 ? round(value, 0) : Math.abs(value) >= 10 ? round(value, 1) : Math.abs(value) >= 0.001 ? String(Number(value.toPrecision(3))) : value.toExponential(1));

// Runs become objects once; rows are subjects with the run of each configuration.
const WORDS = { T: ["true", "good"], F: ["false", "good"], t: ["true", "bad"], f: ["false", "bad"], a: ["true", ""], b: ["false", ""], u: ["unknown", "open"], n: ["no verdict", "bad"] };
const runs = DATA.runs.map(([task, property, configuration, results, names, cpu, wall, memory, ticks, code, text, report, ...counters]) => ({
  task: D.tasks[task], property: D.subjects[property], configuration, results, names: D.names[names], code: D.codes[code], text: D.texts[text], report, values: [cpu, wall, memory, ticks, ...counters],
}));
const MEASURES = ["CPU time (s)", "wall time (s)", "memory (MB)", "solver ticks", ...D.counters.filter((name) => name !== "solver ticks")];
const KEPT = [0, 1, 2, 3, ...D.counters.map((name, i) => [name, i + 4]).filter(([name]) => name !== "solver ticks").map(([, i]) => i)];
const valueOf = (run, measure) => run.values[KEPT[measure]];
const decided = (run) => run.results !== "n" && !/[un]/.test(run.results);
const rows = [];
{
  const known = new Map();
  for (const run of runs) {
    const key = run.task + "\0" + run.property;
    let row = known.get(key);
    if (!row) known.set(key, (row = { task: run.task, property: run.property, name: run.property ? `${run.task} · ${run.property}` : run.task, runs: new Array(D.configurations.length).fill(null) })), rows.push(row);
    row.runs[run.configuration] = run;
  }
  for (const row of rows) row.lower = row.name.toLowerCase();
}
const describe = (run) => {
  const answers = run.names.length === run.results.length ? run.names.map((name, i) => `${name}: ${WORDS[run.results[i]][0]}`).join("\n") : WORDS[run.results[0]][0];
  return `${run.property ? `${run.task} · ${run.property}` : run.task}\n${D.configurations[run.configuration]}: ${round(run.values[0], 3)} s CPU, ${round(run.values[2], 0)} MB\n${answers}${run.code ? `\n(${run.code}) ${run.text}` : ""}`;
};

// Filters.
const RESULTS = [["", "any"], ["TF", "correct"], ["tf", "wrong"], ["Tta", "true"], ["Ffb", "false"], ["u", "unknown"], ["n", "no verdict"], ["differ", "configurations differ"]];
const fill = (select, pairs, chosen) => {
  select.replaceChildren(...pairs.map(([value, text]) => make("option", { value }, text)));
  if (chosen !== undefined) select.value = chosen;
};
let shown = rows;
const refilter = () => {
  const words = byId("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const property = byId("property").value, result = byId("result").value, of = byId("of").value;
  const fits = (run) => run !== null && [...run.results].some((letter) => result.includes(letter));
  shown = rows.filter((row) => {
    if (!words.every((word) => row.lower.includes(word))) return false;
    if (property !== "*" && row.property !== property) return false;
    if (result === "") return true;
    if (result === "differ") {
      const there = row.runs.filter((run) => run !== null).map((run) => [...run.results].map((letter) => WORDS[letter][0]).join());
      return new Set(there).size > 1;
    }
    return of === "*" ? row.runs.some(fits) : fits(row.runs[of]);
  });
  byId("count").textContent = `${shown.length} of ${rows.length} rows`;
  statistics();
  sort();
  redraw();
};

// Statistics.
const sum = (values) => values.reduce((a, b) => a + b, 0);
const quantileOf = (sorted, share) => {
  const at = share * (sorted.length - 1), below = Math.floor(at);
  return sorted.length === 0 ? 0 : sorted[below] + (at - below) * (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]);
};
const statistics = () => {
  const lines = [["runs"], ["results"], ["correct TRUE", "T"], ["correct FALSE", "F"], ["wrong TRUE", "t"], ["wrong FALSE", "f"], ["answers without expectation", "ab"], ["unknown", "u"], ["no verdict", "n"], ["score"], ["CPU time (s): sum"], ["mean"], ["median"], ["greatest"], ["wall time (s): sum"], ["memory (MB): mean"], ["greatest"], ["solver ticks: sum"]];
  const columns = D.configurations.map((_, c) => {
    const own = shown.map((row) => row.runs[c]).filter((run) => run !== null);
    const count = {};
    for (const run of own) for (const letter of run.results) count[letter] = (count[letter] ?? 0) + 1;
    const n = (letters) => sum([...letters].map((letter) => count[letter] ?? 0));
    const cpu = own.map((run) => run.values[0]).sort((a, b) => a - b), memory = own.map((run) => run.values[2]);
    const mean = (values) => (values.length ? sum(values) / values.length : 0);
    const whole = (value) => FORMATS[0].format(value);
    return [whole(own.length), whole(n("TFtfabun")), ...lines.slice(2, 9).map(([, letters]) => whole(n(letters))), whole(2 * n("T") + n("F") - 32 * n("t") - 16 * n("f")), round(sum(cpu)), round(mean(cpu), 3), round(quantileOf(cpu, 0.5), 3), round(cpu.at(-1) ?? 0), round(sum(own.map((run) => run.values[1]))), round(mean(memory), 1), round(memory.reduce((a, b) => Math.max(a, b), 0), 1), whole(sum(own.map((run) => run.values[3])))];
  });
  const table = make("table", {}, make("tr", {}, make("th"), ...D.configurations.map((name) => make("th", {}, name))));
  lines.forEach(([name], i) => {
    const bad = (i === 4 || i === 5) && columns.some((column) => column[i] !== "0");
    table.append(make("tr", {}, make("td", {}, name), ...columns.map((column) => make("td", bad && column[i] !== "0" ? { class: "bad" } : {}, column[i]))));
  });
  byId("statistics-table").replaceChildren(table);
};

// Plots.
const tip = byId("tip");
const pointer = (svg, nearest) => {
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    const text = nearest(((event.clientX - box.left) * view.width) / box.width, ((event.clientY - box.top) * view.height) / box.height);
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  });
  svg.addEventListener("mouseleave", () => (tip.hidden = true));
};
const W = 760, H = 430, LEFT = 66, RIGHT = 30, TOP = 12, BOTTOM = 44;
const logAxis = (values, from, to) => {
  let low = Infinity, high = 0;
  for (const value of values) if (value > 0) (low = Math.min(low, value)), (high = Math.max(high, value));
  if (high === 0) (low = 0.1), (high = 1);
  const first = Math.floor(Math.log10(low) + 1e-9), last = Math.max(first + 1, Math.ceil(Math.log10(high) - 1e-9));
  const at = (value) => from + ((Math.log10(Math.max(value, 10 ** first)) - first) / (last - first)) * (to - from);
  return { at, low: 10 ** first, high: 10 ** last, ticks: Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i)) };
};
const linearAxis = (high, from, to) => {
  high = Math.max(1, high);
  const rough = high / 6, decade = 10 ** Math.floor(Math.log10(rough)), step = Math.max(1, [1, 2, 5, 10].map((m) => m * decade).find((s) => s >= rough));
  return { at: (value) => from + (value / high) * (to - from), ticks: Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step) };
};
const frame = (height, label) => drawn("svg", { viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": label });
const axisX = (svg, axis, bottom, title) => {
  for (const tick of axis.ticks) svg.append(drawn("path", { class: "grid", d: `M${axis.at(tick)} ${TOP}V${bottom}` }), drawn("text", { x: axis.at(tick), y: bottom + 16, "text-anchor": "middle" }, tickLabel(tick)));
  svg.append(drawn("text", { x: (LEFT + W - RIGHT) / 2, y: bottom + 36, "text-anchor": "middle" }, title));
};
const axisY = (svg, axis, title) => {
  for (const tick of axis.ticks) svg.append(drawn("path", { class: "grid", d: `M${LEFT} ${axis.at(tick)}H${W - RIGHT}` }), drawn("text", { x: LEFT - 6, y: axis.at(tick) + 4, "text-anchor": "end" }, tickLabel(tick)));
  svg.append(drawn("text", { transform: `translate(15 ${(TOP + H - BOTTOM) / 2}) rotate(-90)`, "text-anchor": "middle" }, title));
};
const nearestPoint = (points, describePoint) => (x, y) => {
  let best = null, least = 400;
  for (const point of points) {
    const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (distance < least) (least = distance), (best = point);
  }
  return best && describePoint(best);
};
const dots = (points) => points.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
const legend = (names) => make("div", { class: "legend" }, ...names.map((name, i) => make("span", { style: `--dot: ${colour(i)}` }, name)));

const compared = () => [Number(byId("before").value), Number(byId("after").value)];
const comparison = () => {
  const [before, after] = compared(), [first, second] = [D.configurations[before], D.configurations[after]];
  const known = D.comparisons.find((c) => c.before === first && c.after === second), mirrored = D.comparisons.find((c) => c.before === second && c.after === first);
  const panel = byId("comparison-table");
  if (before === after || !(known || mirrored)) panel.replaceChildren(D.configurations.length < 2 ? "There is one configuration only." : "No task was run by both.");
  else {
    const c = known ?? mirrored, inverse = known === undefined;
    const estimate = ({ value, low, high }, flip) => (flip ? `${round(1 / value)} [${round(1 / high)} to ${round(1 / low)}]` : `${round(value)} [${round(low)} to ${round(high)}]`);
    const cells = [["tasks that both ran", c.subjects], ["compared (both decide alike)", c.compared], ["second faster", inverse ? c.slower : c.faster], ["second slower", inverse ? c.faster : c.slower], ["sign test p", c.p < 0.0001 ? c.p.toExponential(1) : round(c.p, 4)],
      ["speed-up, geometric mean", estimate(c.geometric, inverse)], ...(inverse ? [] : [["speed-up, mean", estimate(c.mean)]]), ["speed-up, median", estimate(c.median, inverse)], ["all time by all time", round(inverse ? 1 / c.overall : c.overall)], ["answers gained", inverse ? c.lost : c.gained], ["answers lost", inverse ? c.gained : c.lost], ["answers that differ", c.changed]];
    panel.replaceChildren(make("table", {}, make("caption", {}, `${second} against ${first}, in CPU time, over all tasks (filters do not count here)`), ...cells.map(([name, value]) => make("tr", {}, make("td", {}, name), make("td", name === "answers that differ" && value > 0 ? { class: "bad" } : {}, String(value))))));
  }
};

const scatter = () => {
  const [before, after] = compared(), measure = Number(byId("measure").value), [first, second] = [D.configurations[before], D.configurations[after]];
  const points = shown.filter(({ runs }) => runs[before] && runs[after] && decided(runs[before]) && decided(runs[after]) && runs[before].results === runs[after].results);
  const pairs = points.map((row) => [valueOf(row.runs[before], measure), valueOf(row.runs[after], measure), row]);
  const svg = frame(H, `scatter plot of ${second} against ${first}`), bottom = H - BOTTOM, size = bottom - TOP;
  const all = pairs.flatMap(([a, b]) => [a, b]), x = logAxis(all, LEFT, W - RIGHT), y = logAxis(all, bottom, bottom - size);
  axisX(svg, x, bottom, `${first}: ${MEASURES[measure]}`);
  axisY(svg, y, `${second}: ${MEASURES[measure]}`);
  for (const factor of [1, 2, 10, 0.5, 0.1]) {
    const from = Math.max(x.low, x.low / factor), to = Math.min(x.high, x.high / factor);
    if (from < to) svg.append(drawn("path", { class: factor === 1 ? "even" : "guide", d: `M${x.at(from)} ${y.at(from * factor)}L${x.at(to)} ${y.at(to * factor)}` }));
  }
  const placed = pairs.map(([a, b, row]) => ({ x: x.at(a), y: y.at(b), row, a, b }));
  svg.append(drawn("path", { d: dots(placed), stroke: colour(0), "stroke-width": 5.5, "stroke-linecap": "round", "stroke-opacity": 0.55 }));
  pointer(svg, nearestPoint(placed, (point) => `${point.row.name}\n${first}: ${short(point.a)}\n${second}: ${short(point.b)}`));
  byId("scatter").replaceChildren(svg, make("p", { class: "soft" }, `${placed.length} points.`));
};

const quantile = () => {
  const measure = Number(byId("measure").value), bottom = H - BOTTOM;
  const series = D.configurations.map((_, c) => shown.map((row) => row.runs[c]).filter((run) => run && decided(run)).map((run) => [valueOf(run, measure), run]).sort((a, b) => a[0] - b[0]));
  const svg = frame(H, "quantile plot"), x = linearAxis(Math.max(...series.map((s) => s.length)), LEFT, W - RIGHT), y = logAxis(series.flat().map(([value]) => value), bottom, TOP);
  axisX(svg, x, bottom, "tasks decided");
  axisY(svg, y, MEASURES[measure]);
  const placed = [];
  series.forEach((values, c) => {
    const points = values.map(([value, run], i) => ({ x: x.at(i + 1), y: y.at(value), run, n: i + 1, value }));
    placed.push(...points);
    if (points.length) svg.append(drawn("path", { fill: "none", stroke: colour(c), "stroke-width": 2, d: "M" + points.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L") }));
    if (points.length === 1) svg.append(drawn("circle", { cx: points[0].x, cy: points[0].y, r: 3, fill: colour(c) }));
  });
  pointer(svg, nearestPoint(placed, (point) => `${D.configurations[point.run.configuration]}: ${point.n} tasks with at most ${short(point.value)}\n${describe(point.run)}`));
  byId("quantile").replaceChildren(svg, legend(D.configurations));
};

const boxes = () => {
  const measure = Number(byId("measure").value), step = 30, height = TOP + step * D.configurations.length + BOTTOM, bottom = height - BOTTOM;
  const samples = D.configurations.map((_, c) => shown.map((row) => row.runs[c]).filter(Boolean).map((run) => valueOf(run, measure)).sort((a, b) => a - b));
  const svg = frame(height, "box plot"), x = logAxis(samples.flat(), LEFT + 90, W - RIGHT);
  axisX(svg, x, bottom, MEASURES[measure]);
  samples.forEach((sorted, c) => {
    const y = TOP + step * (c + 0.5), [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => quantileOf(sorted, share));
    svg.append(drawn("text", { x: LEFT + 80, y: y + 4, "text-anchor": "end" }, D.configurations[c]));
    if (!sorted.length) return;
    svg.append(drawn("path", { d: `M${x.at(sorted[0])} ${y}H${x.at(sorted.at(-1))}`, stroke: colour(c) }), drawn("rect", { x: x.at(q1), y: y - 9, width: Math.max(1, x.at(q3) - x.at(q1)), height: 18, fill: colour(c), "fill-opacity": 0.3, stroke: colour(c) }), drawn("path", { d: `M${x.at(q2)} ${y - 9}v18`, stroke: colour(c), "stroke-width": 3 }));
  });
  pointer(svg, (_, y) => {
    const c = Math.floor((y - TOP) / step), sorted = samples[c];
    return sorted?.length ? `${D.configurations[c]}, ${sorted.length} runs\nleast ${short(sorted[0])}, quarter ${short(quantileOf(sorted, 0.25))}, median ${short(quantileOf(sorted, 0.5))}, three quarters ${short(quantileOf(sorted, 0.75))}, greatest ${short(sorted.at(-1))}` : "";
  });
  byId("boxes").replaceChildren(svg);
};

// A plot is drawn when it comes near the window, and again when it is there and its runs change.
const PLOTS = { scatter, quantile, boxes };
const near = new Set(), stale = new Set(Object.keys(PLOTS));
const draw = () => {
  for (const id of near) if (stale.delete(id)) PLOTS[id]();
};
let drawing = 0;
const redraw = () => {
  Object.keys(PLOTS).forEach((id) => stale.add(id));
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
};
const nearness = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) isIntersecting ? near.add(target.id) : near.delete(target.id);
  draw();
}, { rootMargin: "400px" });
addEventListener("beforeprint", () => Object.keys(PLOTS).forEach((id) => stale.delete(id) && PLOTS[id]()));

// The table shows only the rows that can be seen.
const ROW = 28;
let order = { column: "name", measure: 0, up: true }, sorted = rows;
const columns = new Set(D.configurations.map((_, i) => i).slice(0, 4)), measures = new Set([0, 1, 2]);
const sort = () => {
  const key = (row) => {
    if (order.column === "name") return row.lower;
    const run = row.runs[order.column];
    if (!run) return order.measure === "status" ? "" : -1;
    return order.measure === "status" ? run.results + run.code : valueOf(run, order.measure);
  };
  const keyed = shown.map((row) => [key(row), row]);
  if (!(order.column === "name" && order.up)) keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (order.up ? 1 : -1));
  sorted = keyed.map(([, row]) => row);
  head();
  byId("body").style.height = sorted.length * ROW + "px";
  visible();
};
const by = (column, measure) => () => {
  order = { column, measure, up: order.column === column && order.measure === measure ? !order.up : true };
  sort();
};
const head = () => {
  const arrow = (column, measure) => (order.column === column && order.measure === measure ? (order.up ? " ▲" : " ▼") : "");
  const button = (text, column, measure) => {
    const element = make("button", { type: "button" }, text + arrow(column, measure));
    element.addEventListener("click", by(column, measure));
    return element;
  };
  const groups = make("div", { class: "line" }, make("span", { class: "name" }, ""));
  const line = make("div", { class: "line" }, make("span", { class: "name" }, button("task", "name", 0)));
  groups.style.background = line.style.background = "var(--code)";
  for (const c of columns) {
    groups.append(make("span", { class: "status group" }, D.configurations[c]), ...[...measures].map(() => make("span")));
    line.append(make("span", { class: "status" }, button("result", c, "status")), ...[...measures].map((m) => make("span", {}, button(MEASURES[m], c, m))));
  }
  byId("head").replaceChildren(groups, line);
};
const status = (run) => {
  const count = new Map();
  for (const letter of run.results) count.set(letter, (count.get(letter) ?? 0) + 1);
  const parts = [...count].map(([letter, n]) => make("span", { class: WORDS[letter][1] }, (run.results.length > 1 ? `${n} ` : "") + WORDS[letter][0] + ("tf".includes(letter) ? " ✗" : "")));
  const cell = run.report ? make("a", { href: encodeURI(run.report) }) : make("span");
  parts.forEach((part, i) => cell.append(i ? ", " : "", part));
  if (run.code) cell.append(make("span", { class: "soft" }, ` ${run.code}`));
  return cell;
};
const line = (row) => {
  const element = make("div", { class: "line" }, make("span", { class: "name", title: row.name }, row.name));
  for (const c of columns) {
    const run = row.runs[c];
    if (!run) element.append(make("span", { class: "status soft" }, "–"), ...[...measures].map(() => make("span")));
    else element.append(make("span", { class: "status", title: describe(run) }, status(run)), ...[...measures].map((m) => make("span", {}, short(valueOf(run, m) ?? 0))));
  }
  return element;
};
const visible = () => {
  const table = byId("table"), from = Math.max(0, Math.floor(table.scrollTop / ROW) - 5), to = Math.min(sorted.length, from + Math.ceil(table.clientHeight / ROW) + 10);
  byId("body").replaceChildren(...sorted.slice(from, to).map((row, i) => {
    const element = line(row);
    element.style.top = (from + i) * ROW + "px";
    return element;
  }));
  byId("body").style.minWidth = byId("head").scrollWidth + "px";
};
const toggles = (names, set, label) => [make("span", { class: "soft" }, label), ...names.map((name, i) => {
  const box = make("input", { type: "checkbox" });
  box.checked = set.has(i);
  box.addEventListener("change", () => {
    box.checked ? set.add(i) : set.delete(i);
    const ordered = [...set].sort((a, b) => a - b);
    set.clear();
    ordered.forEach((i) => set.add(i));
    sort();
  });
  return make("label", {}, box, name);
})];

// Start.
byId("about").textContent = D.about;
byId("words").textContent = D.setting;
fill(byId("property"), [["*", "all"], ...D.subjects.map((name) => [name, name || "all together"])]);
fill(byId("result"), RESULTS);
const named = D.configurations.map((name, i) => [String(i), name]);
fill(byId("of"), [["*", "any configuration"], ...named]);
fill(byId("before"), named, "0");
fill(byId("after"), named, D.configurations.length > 1 ? "1" : "0");
fill(byId("measure"), MEASURES.map((name, i) => [String(i), name]));
byId("shown").append(...toggles(D.configurations, columns, "Configurations"), ...toggles(MEASURES, measures, "Values"));
let waiting = 0;
const soon = () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(refilter);
};
byId("filters").addEventListener("input", soon);
byId("filters").addEventListener("reset", () => setTimeout(refilter));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["before", "after"]) byId(id).addEventListener("change", () => (comparison(), redraw()));
byId("measure").addEventListener("change", redraw);
byId("table").addEventListener("scroll", () => requestAnimationFrame(visible));
addEventListener("resize", visible);
comparison();
refilter();
Object.keys(PLOTS).forEach((id) => nearness.observe(byId(id)));
