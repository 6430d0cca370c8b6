"use strict";
// Everything that is shown comes from the data in the page and is put in as text, never as markup. What is big is rendered when it is asked for.
const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report, views = data.views;
const MOST_ROWS = 500;

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== undefined && child !== null) element.append(child);
  return element;
}
const panel = (title, ...children) => make("div", { class: "panel" }, title ? make("h2", {}, title) : null, ...children);
const code = text => make("code", {}, text);
const soft = text => make("p", { class: "soft" }, text);
const button = (text, onclick, more) => make("button", { class: "plain", type: "button", onclick, ...more }, text);
function more(text, act) {
  const element = button(text, () => { element.remove(); act(); }, { class: "plain more" });
  return element;
}
// Rows, of which the first ones are shown until all are asked for.
function table(heads, rows, numbers = []) {
  const body = make("tbody");
  const show = (from, to) => rows.slice(from, to).forEach(row =>
    body.append(make("tr", {}, row.map((cell, i) => make("td", { class: numbers.includes(i) ? "number" : undefined }, cell)))));
  show(0, MOST_ROWS);
  const head = heads.length ? make("thead", {}, make("tr", {}, heads.map((h, i) => make("th", { class: numbers.includes(i) ? "number" : undefined }, h)))) : null;
  const whole = make("div", {}, make("table", {}, head, body));
  if (rows.length > MOST_ROWS) whole.append(more(`show all ${rows.length}`, () => show(MOST_ROWS, rows.length)));
  return whole;
}
const short = file => file.split("/").pop();
const cut = (text, most) => text.length > most ? text.slice(0, most) + " ..." : text;
const count = (number, one, several = one + "s") => `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
function grouped(items, key) {
  const groups = new Map();
  items.forEach((item, at) => { const k = key(item); if (!groups.has(k)) groups.set(k, []); groups.get(k).push(at); });
  return groups;
}
// Scrolls a box so that a child of it is in its upper part, without moving the page.
function reveal(box, child) {
  const [outer, inner] = [box.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.top < outer.top + 20 || inner.bottom > outer.bottom - 40) box.scrollTop += inner.top - outer.top - box.clientHeight * 0.4;
}
const fill = (element, ...children) => element.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined));
const spell = text => text.replaceAll("`", "");
// A list with a search at the left. `choose` is called with the entry; the entries have a name and a count.
function chooser(entries, choose, isMarked = () => false) {
  const list = make("div", { class: "list scroll tall" });
  let chosen;
  const select = entry => { chosen = entry; list.querySelectorAll("button").forEach(b => b.setAttribute("aria-selected", b.entry === entry)); choose(entry); };
  const search = filter => {
    const found = entries.filter(e => e.name.toLowerCase().includes(filter.toLowerCase()));
    list.replaceChildren(...found.slice(0, MOST_ROWS).map(entry => {
      const element = make("button", { type: "button", class: isMarked(entry) ? "passed" : undefined, "aria-selected": entry === chosen, onclick: () => select(entry) },
        make("span", {}, entry.name), make("span", { class: "soft" }, String(entry.count)));
      element.entry = entry;
      return element;
    }), found.length > MOST_ROWS ? soft(`${found.length - MOST_ROWS} more: narrow the search`) : "");
  };
  search("");
  const field = entries.length > 8 ? make("input", { type: "search", placeholder: "search", "aria-label": "search", oninput: event => search(event.target.value) }) : null;
  return { element: make("div", { class: "panel" }, field, list), select };
}
