// Looks at the page of a verification in a real browser: it opens each tab, steps through the error path with keys and slider, clicks on boxes, lines and states, measures the crossings of
// the drawings, and takes pictures (wide and narrow, light and dark).
//
//     npm install playwright-core     (in some folder; then run it from there)
//     node report_page.mjs report.html PICTURES [CHROMIUM]
import { check, look, told } from "./browser.mjs";
const [page, pictures, executablePath = "/usr/bin/chromium"] = process.argv.slice(2);
// Pairs of edges that cross, and edges that pass through a box that is not theirs, from the drawn paths alone, so that any layout can be measured.
const tangles = () => {
  const svg = document.querySelector("section:not([hidden]) svg");
  if (!svg) return undefined;
  const lines = [...svg.querySelectorAll(":scope > path")].map((path) => {
    const length = path.getTotalLength(), steps = Math.max(8, Math.min(200, Math.ceil(length / 12)));
    return Array.from({ length: steps + 1 }, (_, i) => path.getPointAtLength((length * i) / steps));
  });
  const ends = (line) => [line[0], line.at(-1)];
  const touch = (a, b) => ends(a).some((p) => ends(b).some((q) => Math.hypot(p.x - q.x, p.y - q.y) < 18));
  const turn = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const meet = (a, b, c, d) => turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
  const area = (line) => [Math.min(...line.map((p) => p.x)), Math.min(...line.map((p) => p.y)), Math.max(...line.map((p) => p.x)), Math.max(...line.map((p) => p.y))];
  const areas = lines.map(area);
  let crossings = 0, through = 0;
  for (let i = 0; i < lines.length; i++) for (let j = i + 1; j < lines.length; j++) {
    const [a, b] = [areas[i], areas[j]];
    if (a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3] || touch(lines[i], lines[j])) continue;
    let found = 0;
    for (let m = 1; m < lines[i].length; m++) for (let n = 1; n < lines[j].length; n++) found += meet(lines[i][m - 1], lines[i][m], lines[j][n - 1], lines[j][n]);
    crossings += found;
  }
  const boxes = [...svg.querySelectorAll(":scope > g")].map((group) => {
    const [x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(group.getAttribute("transform")).slice(1).map(Number);
    const rect = group.querySelector("rect");
    return [x + 2, y + 2, x + Number(rect.getAttribute("width")) - 2, y + Number(rect.getAttribute("height")) - 2];
  });
  for (const line of lines) for (const [left, top, right, bottom] of boxes) {
    const inside = (p) => left < p.x && p.x < right && top < p.y && p.y < bottom;
    if (line.some(inside) && !inside(line[0]) && !inside(line.at(-1)) && !ends(line).some((p) => p.x >= left - 4 && p.x <= right + 4 && p.y >= top - 4 && p.y <= bottom + 4)) through++;
  }
  return { boxes: boxes.length, edges: lines.length, crossings, through };
};
await look(page, "body[data-ready]", executablePath, async ({ name, tab, opened, opening, fits }) => {
  console.log(`${name}: ${told(opened, opening)}`);
  await tab.screenshot({ path: `${pictures}/${name}-first.png` });
  const tabs = tab.locator("nav [role=tab]");
  const seen = () => tab.locator("section:not([hidden])");
  for (const title of await tabs.allTextContents()) {
    const start = performance.now();
    await tabs.getByText(title, { exact: true }).click();
    check((await seen().innerText()).trim().length > 20, `${name}: the tab ${title} is empty`);
    await tab.waitForTimeout(200);
    await fits(title);
    await tab.screenshot({ path: `${pictures}/${name}-${title.toLowerCase().replaceAll(" ", "-")}.png` });
    const texts = await seen().evaluate((section) => { const all = []; const walk = document.createTreeWalker(section, NodeFilter.SHOW_TEXT); while (walk.nextNode()) if (walk.currentNode.parentElement.tagName !== "CODE") all.push(walk.currentNode.data.trim()); return all; });
    check(!texts.some((text) => /^(null|undefined|NaN|\[object .*)+$/.test(text)), `${name}: ${title} shows a value that is none`);
    if (title === "Automata" || title === "Abstract states") {
      const all = [];
      const entries = seen().locator(".list button");
      for (let at = 0; at < Math.min(title === "Automata" ? await entries.count() : 1, 60); at++) {
        if (await entries.count()) await entries.nth(at).click();
        const found = await tab.evaluate(tangles);
        if (found) all.push(found);
        if (name !== "wide-light") break;
      }
      const sum = (key) => all.reduce((total, one) => total + one[key], 0);
      console.log(`  ${title}: ${all.length} drawings, ${sum("boxes")} boxes, ${sum("edges")} edges, ${sum("crossings")} crossings, ${sum("through")} edges through boxes (${(performance.now() - start).toFixed(0)} ms)`);
      const view = await seen().locator("svg").first().getAttribute("viewBox");
      await seen().getByRole("button", { name: "+", exact: true }).first().click();
      check(view !== (await seen().locator("svg").first().getAttribute("viewBox")), `${name}: + makes the drawing bigger`);
      await seen().getByRole("button", { name: "all", exact: true }).first().click();
      await seen().locator("svg g.node").first().dispatchEvent("click");
      check((await seen().locator("svg g.chosen").count()) === 1, `${name}: a click chooses a box`);
      await tab.screenshot({ path: `${pictures}/${name}-${title.toLowerCase().replaceAll(" ", "-")}-clicked.png` });
    }
    if (title === "Source") {
      const row = seen().locator(".row").first();
      await row.click();
      check((await seen().locator(".row.now").count()) > 0, `${name}: a click marks a line`);
    }
    if (title === "Error path") {
      const at = () => seen().locator(".at").first().innerText();
      const all = Number(/of (\d+)/.exec(await at())[1]);
      check((await at()).startsWith(`${all} of`), `${name}: the violation comes first`);
      await tab.keyboard.press("Home");
      check((await at()).startsWith("1 of"), `${name}: Home leads to the first line`);
      const times = [];
      for (let i = 2; i <= Math.min(all, 40); i++) {
        const begin = performance.now();
        await tab.keyboard.press("ArrowRight");
        check((await at()).startsWith(`${i} of`), `${name}: a step with a key`);
        times.push(performance.now() - begin);
        check((await seen().locator(".steps .row.now").count()) === 1, `${name}: the line is marked in the path`);
        await fits(`step ${i}`);
      }
      console.log(`  Error path: ${all} lines, a step takes at most ${Math.max(0, ...times).toFixed(0)} ms`);
      const middle = Math.ceil(all / 2);
      await seen().locator("input[type=range]").fill(String(middle - 1));
      check((await at()).startsWith(`${middle} of`), `${name}: the slider leads to a line`);
      await tab.screenshot({ path: `${pictures}/${name}-error-path-middle.png`, fullPage: true });
      const isSeen = await tab.evaluate(() => [...document.querySelectorAll("section:not([hidden]) .row.now")].every((row) => {
        const [inner, outer] = [row.getBoundingClientRect(), row.closest(".scroll").getBoundingClientRect()];
        return row !== row.parentElement.querySelector(".row.now") || (inner.top >= outer.top - 1 && inner.top < outer.bottom);
      }));
      check(isSeen, `${name}: the marked lines are seen`);
      await tab.evaluate(() => document.activeElement.blur());
      await tab.keyboard.press("End");
      check((await at()).startsWith(`${all} of`), `${name}: End leads to the violation`);
    }
  }
});
