// What an author sees who has the editor on the left and the browser on the right.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const rule = "guidelines/product.common.001";
const states = "registries/fraud-states";
const path = { [rule]: "/api/v1/guidelines/product.common.001", [states]: "/api/v1/fraud/states" };

let browser, server, dir;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), "rulestore-"));
  execFileSync(process.env.RULESTORE, ["init", join(dir, "rules")], { stdio: "ignore" });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  server = await serve("--repo", join(dir, "rules"), "--drafts");
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(dir, { recursive: true });
});

// edit replaces text in a file, and returns what mends it, at the latest when the
// test ends.
function edit(t, name, old, text) {
  const file = join(dir, "rules", `${name}.yaml`);
  const before = readFileSync(file, "utf8");
  assert.ok(before.includes(old), `${name} has no ${old}`);
  writeFileSync(file, before.replace(old, text));
  const mend = () => writeFileSync(file, before);
  t.after(mend);
  return mend;
}

// look opens a page of its own. What the browser complains of fails the test.
async function look(t, at, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "ru-RU", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (e) => wrong.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/status of 4\d\d/.test(m.text()) && wrong.push(m.text()));
  t.after(async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  });
  await page.goto(server.url + at);
  return page;
}

const gone = (page) => page.waitForFunction(() => !document.querySelector(".found, .remark"));

test("a draft is seen as it is saved", async (t) => {
  const page = await look(t, path[rule]);
  const mend = edit(t, rule, "\ntitle: ", "\ntitle: Набирается на глазах # ");
  await page.getByRole("heading", { level: 1, name: "Набирается на глазах" }).waitFor();
  assert.equal(await page.locator(".marks .status.draft").innerText(), "черновик");
  mend();
  await page.getByRole("heading", { level: 1, name: "Общие правила" }).waitFor();
});

test("a finding appears at its field, and goes when it is mended", async (t) => {
  const page = await look(t, path[rule]);
  assert.equal(await page.locator(".found").count(), 0);
  const mend = edit(t, rule, "\n    severity: ", "\n    severity: urgent # ");
  const remark = page.locator(".meta:has-text('urgent') + [role=note]");
  await remark.waitFor();
  assert.match(await remark.innerText(), /ошибка[^]*Значения "urgent" нет среди допустимых[^]*product\.common\.001\.yaml:\d+:\d+[^]*severity: urgent[^]*\^/);
  await page.locator(".found").getByRole("link").click();
  await page.waitForURL(/#f-1$/);
  await page.waitForFunction(() => {
    const { top } = document.querySelector(".remark:target").getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });
  mend();
  await gone(page);
});

test("a file that cannot be read is shown as it is written", async (t) => {
  const page = await look(t, path[rule]);
  const mend = edit(t, rule, "\ntitle: ", "\ntitle: [");
  await page.locator("pre mark").waitFor();
  assert.match(await page.locator(".found").innerText(), /Это не YAML/);
  await page.getByRole("link", { name: /^версия \d/ }).first().click();
  await page.getByRole("heading", { level: 1, name: "Общие правила" }).waitFor();
  await page.goBack();
  mend();
  await gone(page);
});

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const validator = new HtmlValidate(new FileSystemConfigLoader());

test("pages with findings are for everybody", async (t) => {
  edit(t, rule, "\n    severity: ", "\n    severity: urgent # "); // beside the title of a rule
  edit(t, "guidelines/product.deposit.analysis.001", "\ntitle: ", "\ntitle: ["); // cannot be read
  edit(t, "guidelines/product.kasko.analysis.001", "\ntitle: ", "\ntitle: Motor insurance # "); // in the heading
  edit(t, "guidelines/product.credit-card.analysis.001", "\nvalid_from: ", "\nvalid_from: 2099-01-01 # "); // in the facts
  edit(t, states, "\n    irreversible_harm_possible: ", "\n    irreversible_harm_possible: maybe # "); // in a record of a registry
  edit(t, "rulestore", "\nservice: ", "\nservce: "); // on the first page
  const shown = ["/", path[rule], "/api/v1/guidelines/product.deposit.analysis.001", "/api/v1/guidelines/product.kasko.analysis.001", "/api/v1/guidelines/product.credit-card.analysis.001", path[states]];
  const waiting = await look(t, "/");
  await waiting.getByText("servce").first().waitFor();
  for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
    const page = await look(t, "/", { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    for (const at of shown) {
      await page.goto(server.url + at);
      assert.ok(await page.locator(".found").count() > 0, `${at} shows no findings`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], at);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${at} is wider than the screen`);
    }
  }
  for (const at of shown) {
    const body = await (await fetch(server.url + at, { headers: { Accept: "text/html" } })).text();
    const { results } = await validator.validateString(body, join(import.meta.dirname, "page.html"));
    assert.deepEqual(results.flatMap((r) => r.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`)), [], at);
  }
});

test("going Back to an answer sends nothing again, without script", async (t) => {
  const page = await look(t, "/api/v1/math/tools/loan_payment", { javaScriptEnabled: false });
  const arrived = async (act) => { const loaded = page.waitForEvent("load"); await act(); await loaded; };
  await arrived(() => page.getByRole("button", { name: "Рассчитать" }).click());
  const answer = await page.locator("table.figures").first().innerText();
  await arrived(() => page.locator(".crumbs a").first().click());
  await page.goBack();
  assert.equal(await page.locator("table.figures").first().innerText(), answer);
});
