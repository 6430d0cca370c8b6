// What the scripts that look at pages share: a headless Chromium that opens a page wide and narrow, light and dark, and measures the work of its process.
// Where other programs work on the machine, the times on the clock say more about them than about the page; the processor times of the page's process stand beside them.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const looks = [["wide-light", 1400, 1000, "light"], ["wide-dark", 1400, 1000, "dark"], ["narrow-light", 390, 840, "light"], ["narrow-dark", 390, 840, "dark"]];
export const check = (truth, what) => {
  if (!truth) throw new Error(what);
};
// Opens a file in each look, waits for `ready` (a selector), and calls `visit` with what a look has: `name`, `tab`, `opened` (milliseconds), `opening` (the work of that), `work`, `fits`.
// The page must raise no error, ask for nothing, and not be wider than its window.
export async function look(file, ready, executablePath, visit) {
  const { chromium } = createRequire(process.cwd() + "/")("playwright-core");
  const browser = await chromium.launch({ executablePath, args: flags });
  const problems = [];
  for (const [name, width, height, colorScheme] of looks) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const tab = await context.newPage();
    tab.on("pageerror", (error) => problems.push(`${name}: ${error.stack}`));
    tab.on("request", (request) => !request.url().startsWith("file:") && problems.push("it asks for " + request.url()));
    const session = await context.newCDPSession(tab);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const work = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return { script: 1000 * of("ScriptDuration"), layout: 1000 * (of("LayoutDuration") + of("RecalcStyleDuration")), all: 1000 * of("TaskDuration"), nodes: of("Nodes") };
    };
    const fits = async (what) => check(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${name}: ${what} is wider than its window`);
    const start = performance.now();
    await tab.goto(pathToFileURL(resolve(file)).href);
    await tab.waitForSelector(ready);
    const opened = performance.now() - start;
    // What is drawn later counts as well.
    await tab.waitForTimeout(500);
    const opening = await work();
    await fits("the page");
    await visit({ name, tab, opened, opening, work, fits });
    await context.close();
  }
  await browser.close();
  check(problems.length === 0, problems.join("\n"));
  console.log("all is well");
}
export const told = (opened, opening) => `open after ${opened.toFixed(0)} ms (processor: ${opening.all.toFixed(0)} ms, of which script ${opening.script.toFixed(0)} and layout ${opening.layout.toFixed(0)}; ${opening.nodes} nodes)`;
