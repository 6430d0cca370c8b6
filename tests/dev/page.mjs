// Looks at the page of an experiment in a real browser: it opens it, measures how long that takes and how long a filter takes, clicks on what can be clicked, and takes pictures (wide and narrow, light and dark).
//
//     npm install playwright-core     (in some folder; then run it from there)
//     node page.mjs PAGE.html PICTURES [CHROMIUM]
import { check, look, told } from "./browser.mjs";
const [page, pictures, executablePath = "/usr/bin/chromium"] = process.argv.slice(2);
await look(page, "#body .line", executablePath, async ({ name, tab, opened, opening, work }) => {
  const total = await tab.evaluate(() => rows.length);
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
  console.log(`${name}: ${total} rows, ${told(opened, opening)}, the slowest filter ${filtering.toFixed(0)} ms (processor: ${(filters / texts.length).toFixed(0)} ms each, with drawing)`);
});
