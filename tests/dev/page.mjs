// Looks at the page of an experiment in a real browser: it opens it, measures how long that takes and how long a filter takes, clicks on what can be clicked, and takes pictures (wide and narrow, light and dark).
// Where other programs work on the machine, the times on the clock say more about them than about the page; the processor times of the page's process stand beside them.
//
//     npm install playwright-core     (in some folder; then run it from there)
//     NODE_PATH=node_modules node page.mjs PAGE.html PICTURES [CHROMIUM]
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
const { chromium } = createRequire(process.cwd() + "/")("playwright-core");
const [page, pictures, executablePath = "/usr/bin/chromium"] = process.argv.slice(2);
const check = (truth, what) => {
  if (!truth) throw new Error(what);
};
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: flags });
const problems = [];
for (const [name, width, height, colorScheme] of [["wide-light", 1400, 1000, "light"], ["wide-dark", 1400, 1000, "dark"], ["narrow-light", 390, 840, "light"], ["narrow-dark", 390, 840, "dark"]]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const tab = await context.newPage();
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("request", (request) => !request.url().startsWith("file:") && problems.push("it asks for " + request.url()));
  const session = await context.newCDPSession(tab);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { script: 1000 * of("ScriptDuration"), layout: 1000 * (of("LayoutDuration") + of("RecalcStyleDuration")), all: 1000 * of("TaskDuration"), nodes: of("Nodes") };
  };
  const start = performance.now();
  await tab.goto(pathToFileURL(resolve(page)).href);
  await tab.waitForSelector("#body .line");
  const opened = performance.now() - start;
  // What is drawn after the table counts as well.
  await tab.waitForTimeout(500);
  const opening = await work();
  const total = await tab.evaluate(() => rows.length);
  check(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), name + ": the page is wider than its window");
  await tab.screenshot({ path: `${pictures}/${name}.png` });
  for (const id of ["comparison", "plots", "runs"]) {
    await tab.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
    await tab.screenshot({ path: `${pictures}/${name}-${id}.png` });
  }
  const before = await work();
  const texts = ["1", "12", "", "true", ""];
  const filtering = await tab.evaluate(async (texts) => {
    const times = [];
    for (const text of texts) {
      byId("text").value = text;
      const start = performance.now();
      refilter();
      times.push(performance.now() - start);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    return Math.max(...times);
  }, texts);
  const filters = (await work()).all - before.all;
  await tab.fill("#text", "no such task");
  await tab.waitForFunction(() => document.querySelectorAll("#body .line").length === 0);
  await tab.fill("#text", "");
  await tab.waitForFunction((total) => byId("count").textContent.startsWith(String(total)), total);
  await tab.selectOption("#result", "tf");
  await tab.waitForFunction(() => shown.every((row) => row.runs.some((run) => run && /[tf]/.test(run.results))));
  await tab.selectOption("#result", "");
  if (name.startsWith("wide")) {
    await tab.locator("#head button").nth(2).click();
    check(await tab.evaluate(() => sorted.length < 2 || valueOf(sorted[0].runs[0], 0) <= valueOf(sorted.at(-1).runs[0], 0)), "a click sorts");
    const box = await tab.locator("#quantile svg").boundingBox();
    await tab.locator("#quantile svg").scrollIntoViewIfNeeded();
    for (let i = 1; i < 40 && (await tab.evaluate(() => tip.hidden)); i++) await tab.locator("#quantile svg").hover({ position: { x: box.width / 2, y: (box.height * i) / 40 } });
    check(!(await tab.evaluate(() => tip.hidden)), "a point of a plot says what it is");
  }
  console.log(`${name}: ${total} rows, open after ${opened.toFixed(0)} ms (processor: ${opening.all.toFixed(0)} ms, of which script ${opening.script.toFixed(0)} and layout ${opening.layout.toFixed(0)}; ${opening.nodes} nodes), the slowest filter ${filtering.toFixed(0)} ms (processor: ${(filters / texts.length).toFixed(0)} ms each, with drawing)`);
  await context.close();
}
await browser.close();
check(problems.length === 0, problems.join("\n"));
console.log("all is well");
