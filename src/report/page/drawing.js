// ---- drawings: the places come with the data; here they are shown, moved and made bigger ----
const SVG = "http://www.w3.org/2000/svg";
function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
// Pairs of points are vertical lines, and from one pair to the next leads a curve.
function way(points) {
  const [x, y] = points;
  if (points.length === 4) return `M${x} ${y}C${x + 26} ${y} ${x + 26} ${points[3]} ${points[2]} ${points[3]}`;
  let d = `M${x} ${y}`;
  for (let at = 2; at < points.length; at += 4) {
    const [x1, y1, x2, y2] = points.slice(at, at + 4);
    // A line without length would turn the arrow.
    if (y1 !== points[at - 1]) d += `L${x1} ${y1}`;
    if (x2 !== undefined) { const middle = (y1 + y2) / 2; d += `C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`; }
  }
  return d;
}
let tips = 0;
// Boxes have lines, a kind and an area; `passed` holds positions of boxes and of edges on an error path; `choose` is called with the position of a box.
function drawing({ boxes, edges, size }, { passed, choose, high } = {}) {
  const [width, height] = [size[0] + 20, size[1] + 20];
  const svg = shape("svg", { role: "img", tabindex: "0", "aria-label": "a graph: drag to move, hold Ctrl and turn the wheel to zoom" });
  const tip = "tip" + tips++;
  for (const name of ["", "hot"]) {
    const marker = shape("marker", { id: tip + name, class: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" });
    marker.append(shape("path", { d: "M0 0 L8 4 L0 8 z" }));
    svg.append(marker);
  }
  const hot = edge => passed && passed.edges.has(edge);
  const order = edges.map((_, at) => at).sort((a, b) => hot(a) - hot(b));
  for (const at of order) {
    const e = edges[at];
    svg.append(shape("path", { d: way(e.points), "marker-end": `url(#${tip}${hot(at) ? "hot" : ""})`, class: `${e.kind} ${hot(at) ? "passed" : ""}`.trim() }));
  }
  const groups = boxes.map((box, at) => {
    const [x, y, w, h] = box.area;
    const group = shape("g", { transform: `translate(${x} ${y})`, class: `node ${box.kind} ${passed && passed.boxes.has(at) ? "passed" : ""}` });
    group.append(shape("rect", { width: w, height: h, rx: box.lines.length > 1 || box.lines[0].length > 5 ? 5 : 13, class: "box" }));
    box.lines.forEach((line, n) => group.append(shape("text", { x: 8, y: 17 + n * 16 }, line)));
    if (box.title) group.append(shape("title", {}, box.title));
    group.box = at;
    svg.append(group);
    return group;
  });
  const outer = make("div", { class: "drawing" + (high ? " high" : "") }, svg);
  // The part of the drawing that is seen: its upper left corner, and pixels of the screen per pixel of the drawing.
  const eye = { x: -10, y: -10, scale: 1 };
  const show = () => {
    const [w, h] = [outer.clientWidth || 800, outer.clientHeight || 400];
    svg.setAttribute("viewBox", `${eye.x} ${eye.y} ${w / eye.scale} ${h / eye.scale}`);
  };
  const zoom = (factor, px = outer.clientWidth / 2, py = outer.clientHeight / 2) => {
    const scale = Math.min(3, Math.max(0.05, eye.scale * factor));
    eye.x += px / eye.scale - px / scale; eye.y += py / eye.scale - py / scale; eye.scale = scale;
    show();
  };
  const fit = () => {
    eye.scale = Math.min(1.2, outer.clientWidth / width, outer.clientHeight / height);
    eye.x = -10 - (outer.clientWidth / eye.scale - width) / 2; eye.y = -10 - Math.max(0, (outer.clientHeight / eye.scale - height) / 2);
    show();
  };
  const focus = at => {
    const [x, y, w, h] = boxes[at].area;
    eye.scale = Math.max(eye.scale, 0.75);
    eye.x = x + w / 2 - outer.clientWidth / eye.scale / 2;
    eye.y = y + Math.min(h, 200) / 2 - outer.clientHeight / eye.scale / 2;
    show();
  };
  // Everything if it can be read then, else the beginning.
  const begin = () => {
    fit();
    if (eye.scale < 0.6 && boxes.length) { eye.scale = 0.85; focus(0); eye.y = -10; show(); }
  };
  const mark = list => { groups.forEach((group, at) => group.classList.toggle("chosen", list.includes(at))); };
  const fingers = new Map();
  let moved = 0;
  svg.onpointerdown = event => { fingers.set(event.pointerId, [event.clientX, event.clientY]); moved = 0; };
  svg.onpointermove = event => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    const apart = fingers.size === 2 && spread();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    // Without capture a click goes to the box; a drag needs it.
    if (moved > 4 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    eye.x -= dx / eye.scale / fingers.size; eye.y -= dy / eye.scale / fingers.size;
    if (apart) zoom(spread() / apart); else show();
  };
  svg.onpointerup = svg.onpointercancel = svg.onpointerleave = event => fingers.delete(event.pointerId);
  svg.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const edge = outer.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - edge.left, event.clientY - edge.top);
  }, { passive: false });
  svg.onclick = event => { const group = event.target.closest("g.node"); if (group && moved < 5 && choose) choose(group.box); };
  svg.onkeydown = event => {
    const act = { "+": () => zoom(1.25), "-": () => zoom(0.8), "0": fit }[event.key];
    if (act) { act(); event.preventDefault(); }
  };
  outer.append(make("div", { class: "buttons" }, button("+", () => zoom(1.25), { title: "bigger (+)" }), button("−", () => zoom(0.8), { title: "smaller (-)" }), button("all", fit, { title: "the whole drawing (0)" })));
  new ResizeObserver(show).observe(outer);
  return { element: outer, focus, mark, begin, fit };
}
