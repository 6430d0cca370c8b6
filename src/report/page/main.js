// ---- tabs: only those that have something to show ----
const isTraced = report.properties.some(p => p.trace);
const tabs = [["Summary", summary, true], ["Error path", errorPaths, isTraced], ["Source", source, views.files.length > 0], ["Automata", automata, views.functions.length > 0],
  ["Abstract states", states, views.arg.states.length > 0], ["Refinement", refinement, views.rounds.length > 0], ["Predicates", predicates, report.precision.length + report.invariants.length > 0],
  ["Statistics and options", numbers, true]].filter(tab => tab[2]);
const navigation = document.querySelector("nav"), main = document.querySelector("main");
const [firstInput, ...otherInputs] = report.inputs;
document.querySelector("h1").append(make("span", { title: report.inputs.join("\n") }, report.inputs.length ? short(firstInput) + (otherInputs.length ? ` and ${count(otherInputs.length, "other file")}` : "") : "no input"));
const badge = document.getElementById("verdict");
badge.textContent = report.verdict; badge.className = "badge " + report.verdict;
document.getElementById("reason").textContent = report.reason || "";
document.getElementById("work").textContent = `${data.course ? arrows(data.course) + "; " : ""}${report.resources.cpu_s.toFixed(2)} s of processor time, ${report.resources.memory_mb} MiB`;
document.querySelector("footer").textContent = report.provident;
document.title = `${report.verdict}: ${report.inputs.map(short).join(", ")}`;
let active;
const pages = tabs.map(([title, fill]) => {
  const section = make("section", { role: "tabpanel", hidden: true });
  const tab = make("button", { role: "tab", type: "button", onclick: () => open(page) }, title);
  const page = { id: title.toLowerCase().replaceAll(" ", "-"), tab, section, fill, whole: undefined };
  navigation.append(tab); main.append(section);
  return page;
});
function open(page, ...to) {
  pages.forEach(other => { other.tab.setAttribute("aria-selected", other === page); other.section.hidden = other !== page; });
  if (!page.whole) { page.whole = [page.fill()].flat(); page.section.append(...page.whole); }
  active = page.whole[0];
  if (active.enter) active.enter(...to);
  navigation.scrollLeft = page.tab.offsetLeft - navigation.clientWidth / 2 + page.tab.offsetWidth / 2;
  history.replaceState(null, "", "#" + page.id);
}
function go(id, ...to) {
  const page = pages.find(p => p.id === id);
  if (page) { open(page, ...to); scrollTo(0, 0); }
}
addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (active && active.key && active.key(event.key)) event.preventDefault();
});
const start = isTraced && report.properties.length === 1 ? "error-path" : "summary";
open(pages.find(p => "#" + p.id === location.hash) || pages.find(p => p.id === start));
document.body.dataset.ready = "true";
