import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const loan = "/api/v1/math/tools/loan_payment";
const rule = "/api/v1/guidelines/product.common.001";

// One path of every kind of page.
const kinds = [
  "/", "/api/v1/guidelines", rule, `${rule}/versions`, `${rule}/versions/1.0.0`, "/api/v1/instructions",
  "/api/v1/instructions/consumer-rights-response", "/api/v1/fraud/signals", "/api/v1/fraud/signals?category=certificate",
  "/api/v1/fraud/signals/REMOTE_ACCESS_REQUESTED", "/api/v1/fraud/routes", "/api/v1/glossary", "/api/v1/taxonomy",
  "/api/v1/external-parameters/consumer-rights.ombudsman-amount-limit", "/api/v1/calendars/ru-2026", "/api/v1/schemas/fraud-response-output",
  "/api/v1/scenarios/fraud_risk", "/api/v1/changelog", "/api/v1/search", "/api/v1/search?q=вклад", "/api/v1/search?q=ыъыъ",
  "/api/v1/search?q=код&kind=signal", "/api/v1/external-parameters", "/api/v1/math?family=kasko", "/api/v1/external-parameters/rate.key-series", "/api/v1/upcoming",
  "/api/v1/health", "/compare/guidelines/product.common.001", "/api/v1/math", loan,
  "/api/v1/math/tools/compare_loan_variants", "/connect", "/nowhere", "/api/v1/guidelines?stauts=x",
  "/compare/guidelines/product.common.001?section=nowhere",
  "/api/v1/guidelines/product.comon.001",
];

let browser, server;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  server = await serve();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// visit opens a page of its own. What the browser complains of, and any request
// that goes elsewhere or carries what was filled in, fails the test.
async function visit(t, path, options = {}, url = server.url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "ru-RU", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (e) => wrong.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/status of 4\d\d/.test(m.text()) && wrong.push(m.text()));
  page.on("request", (r) => {
    if (!r.url().startsWith(url)) wrong.push(`a request to ${r.url()}`);
    if (/inputs/.test(new URL(r.url()).search)) wrong.push(`inputs in ${r.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  });
  await page.goto(url + path);
  return page;
}

// follow does what leads to another page and waits until all of that is there: what
// is counted before may be of the page that is left, or of half a page.
async function follow(page, act) {
  const loaded = page.waitForEvent("load");
  await act();
  await loaded;
}

test("a reader searches, follows a hit, and looks at what changed", async (t) => {
  const page = await visit(t, "/");
  await page.getByRole("main").getByRole("searchbox").fill("сколько платить по ипотеке");
  await follow(page, () => page.keyboard.press("Enter"));
  assert.match(await page.locator("h1").innerText(), /Поиск/);
  assert.ok(await page.locator("mark").count() > 0, "nothing is marked");
  const hit = page.locator(".results h2 a").first();
  const title = await hit.innerText();
  await follow(page, () => hit.click());
  assert.equal(await page.locator("h1").innerText(), title);

  await page.goto(server.url + rule);
  await follow(page, () => page.getByRole("link", { name: "Сравнить с предыдущей" }).click());
  assert.match(await page.locator("h1").innerText(), /Что изменилось/);
  assert.ok(await page.locator("ins").count() > 0);
  await page.goto(`${server.url}/compare/${rule.slice("/api/v1/".length)}?from=1.0.0&to=1.1.0`);
  assert.ok(await page.locator("ins").count() > 0 && await page.locator("del").count() > 0);
  await page.goto(server.url + rule);
  const heading = await page.locator("h1").innerText();
  await follow(page, () => page.getByRole("link", { name: "Markdown" }).click());
  assert.ok((await page.locator("body").innerText()).startsWith(`# ${heading}\n`));
});

test("a table is filtered", async (t) => {
  const page = await visit(t, "/api/v1/fraud/signals");
  assert.equal(await page.locator(".records .tally").innerText(), "Всего: 121");
  await page.getByText("Отбор", { exact: true }).click();
  await page.getByLabel("Достаточен для остановки").selectOption({ label: "да" });
  await follow(page, () => page.getByRole("button", { name: "Показать" }).click());
  assert.equal(await page.locator("tbody tr").count(), 31);
  assert.equal(await page.locator(".records .id").first().isVisible(), false, "codes are there unasked");
  await page.getByLabel("Коды").check();
  assert.equal(await page.locator(".records .id").first().isVisible(), true);
});

test("a question is narrowed down by kind, and leads to the section that answers it", async (t) => {
  const page = await visit(t, rule);
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement.type === "search");
  await page.keyboard.type("досрочное погашение/");
  assert.equal(await page.locator("#find").inputValue(), "досрочное погашение/");
  await follow(page, () => page.keyboard.press("Enter"));
  await page.getByText("Отбор", { exact: true }).click();
  await page.getByLabel("Где искать").selectOption({ label: "Внешние параметры" });
  await follow(page, () => page.getByRole("main").getByRole("button", { name: "Найти" }).click());
  await follow(page, () => page.locator(".results .small a").first().click());
  await page.locator(":target").waitFor();

  await page.goto(server.url + "/api/v1/search?q=ипотика");
  await follow(page, () => page.getByRole("link", { name: "ипотека", exact: true }).click());
  assert.ok(await page.locator(".results > li").count() > 0);
});

test("rows of a list are cards on a phone, by subject, without script", async (t) => {
  const page = await visit(t, "/api/v1/external-parameters", { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  assert.ok(await page.locator("tr.subject").count() > 5);
  const rows = page.locator("tbody tr:not(.subject)");
  const [card, cell] = [await rows.first().boundingBox(), await rows.first().locator("td").last().boundingBox()];
  assert.ok(card.width > 300 && cell.x - card.x < 30 && cell.y > card.y + 40, "the cells are not below each other");
  for (const day of await page.locator("time").all()) assert.ok((await day.boundingBox()).height < 30, "a date wraps");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
});

test("a question and its first result are on the first screen of a phone", async (t) => {
  const page = await visit(t, "/api/v1/search?q=банк приостановил перевод", { viewport: { width: 390, height: 844 } });
  assert.ok((await page.locator("main [name=q]").boundingBox()).width > 300, "the question is cut");
  const first = await page.locator(".results > li").first().boundingBox();
  assert.ok(first.y < 844, `the first result is ${first.y} below the top`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
});

test("an integrator copies what connects", async (t) => {
  const page = await visit(t, "/mcp", { permissions: ["clipboard-read", "clipboard-write"] });
  assert.equal(new URL(page.url()).pathname, "/connect");
  const settings = page.locator("figure", { has: page.locator("#generic") });
  await settings.getByRole("button").click();
  await settings.getByText("Скопировано").waitFor();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(Object.values(copied.mcpServers)[0].url, `${server.url}/mcp`);
  const plain = await visit(t, "/connect", { javaScriptEnabled: false });
  assert.equal(await plain.getByRole("button", { name: "Скопировать" }).count(), 0);
  assert.match(await plain.locator("#mcp-curl").innerText(), /^curl /);
});

for (const javaScriptEnabled of [true, false]) {
  test(`somebody calculates, ${javaScriptEnabled ? "with" : "without"} script`, async (t) => {
    const page = await visit(t, loan, { javaScriptEnabled });
    await page.getByLabel("Сумма кредита").fill("5 000 000");
    await page.getByLabel("Ставка, процентов годовых").fill("18,5");
    await page.getByLabel("Срок, месяцев").fill("360");
    await follow(page, () => page.getByRole("button", { name: "Рассчитать" }).click());
    assert.match(await page.getByRole("row", { name: "Ежемесячный платёж" }).locator("td").innerText(), /^77\s397,23\s₽$/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "answer");
    assert.equal(await page.getByLabel("Срок, месяцев").inputValue(), "360");
    await page.goBack();
    assert.equal(await page.locator("#answer").count(), 0);
  });
}

test("what is filled in wrongly is said beside the form, and leads to its field", async (t) => {
  const page = await visit(t, loan);
  await page.getByLabel("Сумма кредита").fill("много");
  await follow(page, () => page.getByRole("button", { name: "Рассчитать" }).click());
  const fault = page.getByRole("alert").getByRole("link");
  assert.deepEqual(await fault.allInnerTexts(), ["/inputs/principal"]);
  await fault.click();
  await page.waitForFunction(() => location.hash === "#i-principal");
  assert.equal(await page.getByLabel("Сумма кредита").inputValue(), "много");
});

test("an answer can be read on a phone, at 200 % and on paper", async (t) => {
  for (const tool of ["loan_payment", "pfm_debt_payoff_plan", "deposit_comparison", "consumer_rights_deadline_date"]) {
    for (const viewport of [{ width: 390, height: 844 }, { width: 640, height: 450 }]) {
      const page = await visit(t, "/api/v1/math/tools/" + tool, { viewport });
      await follow(page, () => page.getByRole("button", { name: "Рассчитать" }).click());
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${tool} at ${viewport.width}`);
      assert.equal(await page.locator(".paper").isVisible(), false);
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("form.calculation").isVisible(), false);
      assert.equal(await page.locator(".paper").isVisible(), true, "paper does not say what was calculated with");
      assert.ok((await page.locator("table.figures, .wide").first().boundingBox())?.height > 20);
    }
  }
});

test("a long text is found one's way in: contents, anchors, a value under its title", async (t) => {
  const page = await visit(t, rule);
  const contents = page.locator(".contents");
  assert.ok(await contents.getByRole("link", { name: "Правила", exact: true }).isVisible());
  const inner = contents.locator("ul ul a").last();
  await inner.click();
  const address = new URL(page.url()).hash.slice(1);
  assert.match(address, /^[a-z_]+\/[a-z_]+$/);
  assert.equal(await page.locator(":target").evaluate((e) => e.id), address);
  assert.ok(await contents.evaluate((e) => e.getBoundingClientRect().top >= 0), "the contents scroll away");
  assert.equal(await page.locator(":target .here").getAttribute("href"), "#" + address);

  const phone = await visit(t, rule, { viewport: { width: 390, height: 844 } });
  assert.equal(await phone.locator(".contents a").first().isVisible(), false);
  await phone.locator(".contents summary").click();
  assert.ok(await phone.locator(".contents a").first().isVisible());

  await page.goto(server.url + "/api/v1/external-parameters/consumer-rights.ombudsman-amount-limit");
  assert.match(await page.locator(".headline").innerText(), /^500\s000\s₽, включительно, с\s1\sиюня\s2019/);

  await page.goto(server.url + "/api/v1/external-parameters/rate.key-series");
  assert.equal(await page.locator("figure.chart > svg").count(), 1);
});

test("what changed is read in order, by its place and on paper", async (t) => {
  const page = await visit(t, "/compare/guidelines/product.common.001?from=1.0.0&to=1.1.0");
  const change = page.locator(".change").nth(2);
  const id = await change.getAttribute("id");
  await change.locator(".here").first().click();
  assert.equal(decodeURIComponent(new URL(page.url()).hash), "#" + id);
  const other = await visit(t, page.url().slice(server.url.length));
  assert.equal(await other.locator(":target").getAttribute("id"), id);
  await page.goto(server.url + "/compare/guidelines/product.common.001?from=1.0.0&to=1.1.0");
  const paper = await page.pdf({ format: "A4" });
  const sheets = paper.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
  assert.ok(sheets >= 2 && sheets < 20, `${sheets} sheets`);
  await page.emulateMedia({ media: "print" });
  for (const selector of ["form.filters", ".here"]) {
    assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  }
  for (const selector of ["h1", "ins", "del", ".change .status"]) {
    assert.equal(await page.locator(selector).first().isVisible(), true, selector);
  }
});

test("going Back from answers asks for nothing, without script", async (t) => {
  const page = await visit(t, loan, { javaScriptEnabled: false });
  await follow(page, () => page.getByRole("button", { name: "Рассчитать" }).click());
  const answer = await page.locator("table.figures").first().innerText();
  await follow(page, () => page.locator(".crumbs a").first().click());
  await page.goBack();
  assert.equal(await page.locator("table.figures").first().innerText(), answer);
});

test("who runs the service sees at once how it is, and a problem says what to do", async (t) => {
  const page = await visit(t, "/");
  await follow(page, () => page.getByRole("contentinfo").getByRole("link", { name: "Состояние" }).click());
  assert.equal(await page.locator(".lead .status").innerText(), "всё в порядке");
  const numbers = await page.locator(".numbers li").allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, " ")));
  assert.match(numbers[0], /^\d+ публикаци/);
  for (const bad of [/отклонено/, /ошиб/]) assert.match(numbers.find((n) => bad.test(n)), /^0 /);
  await page.locator(".numbers a").first().click();
  await page.locator(":target").waitFor();

  const lost = await visit(t, "/api/v1/guidelines/product.comon.001");
  assert.match(await lost.locator("h1").innerText(), /Не найдено/);
  const near = lost.getByRole("region", { name: "Возможно, вы искали" });
  await follow(lost, () => near.getByRole("link").first().click());
  assert.ok(lost.url().endsWith("/product.common.001"), lost.url());
  await lost.goBack();
  await follow(lost, () => lost.getByRole("main").getByRole("button", { name: "Найти" }).click());
  assert.match(lost.url(), /q=product\.comon\.001/);
  await lost.goto(server.url + "/api/v1/guidelines/product.common.001?section=rules/full_cst");
  assert.match(await lost.getByRole("main").innerText(), /Возможно, rules\/full_cost/);
});

test("the keyboard leads to everything", async (t) => {
  const page = await visit(t, rule);
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement.className === "skip");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#main$/);
  const unreachable = await page.evaluate(() => [...document.querySelectorAll("a, button, input, select, summary")].filter((e) => e.tabIndex < 0).length);
  assert.equal(unreachable, 0);
});

test("paper has the text and nothing around it", async (t) => {
  const page = await visit(t, rule);
  await page.emulateMedia({ media: "print" });
  for (const selector of ["header.top", ".contents", ".crumbs"]) {
    assert.equal(await page.locator(selector).isVisible(), false, selector);
  }
  assert.equal(await page.locator("h1").isVisible(), true);
});

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
  test(`axe finds nothing, and nothing is cut off: ${colorScheme}, ${width} wide`, async (t) => {
    const page = await visit(t, "/", { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    for (const path of kinds) {
      await page.goto(server.url + path);
      await page.evaluate(axe);
      // Without this it describes every element that passes as well, which takes most of the time.
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], path);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${path} is wider than the screen`);
    }
  });
}

test("the HTML is valid", async () => {
  const validator = new HtmlValidate(new FileSystemConfigLoader());
  for (const path of kinds) {
    const body = await (await fetch(server.url + path, { headers: { Accept: "text/html" } })).text();
    const { results } = await validator.validateString(body, join(import.meta.dirname, "page.html"));
    assert.deepEqual(results.flatMap((r) => r.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`)), [], path);
  }
});
