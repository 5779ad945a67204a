import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const tools = "/api/v1/math/tools/";

let browser, server;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  server = await serve("--admin-addr", "off");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function visit(t, path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "ru-RU", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (e) => wrong.push(e.message));
  t.after(async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  });
  await page.goto(server.url + path);
  return page;
}

const calculate = async (page) => {
  await page.getByRole("button", { name: "Рассчитать" }).click();
  await page.waitForSelector("[data-result], .faults");
};

const wider = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const javaScriptEnabled of [true, false]) {
  test(`one of several ways is chosen by radio buttons, ${javaScriptEnabled ? "with" : "without"} script`, async (t) => {
    const page = await visit(t, tools + "mortgage_early_repayment", { javaScriptEnabled });
    assert.ok(await page.getByLabel("Сумма кредита", { exact: true }).isVisible());
    assert.ok(await page.getByLabel("Остаток долга", { exact: true }).isHidden());
    await page.getByLabel("Сумма кредита", { exact: true }).fill("3 млн");
    await page.getByRole("radio", { name: /Остаток долга/ }).check();
    assert.ok(await page.getByLabel("Сумма кредита", { exact: true }).isHidden());
    await page.getByLabel("Осталось месяцев", { exact: true }).fill("96");
    await page.getByLabel("Ежемесячный платёж", { exact: true }).fill("43 041,28 ₽");
    await page.getByLabel("Ставка, процентов годовых").fill("12 %");
    await page.getByLabel(/Сумма досрочного погашения/).fill("500 тыс.");
    await calculate(page);
    const fault = page.getByRole("alert").getByRole("link");
    assert.deepEqual(await fault.allInnerTexts(), ["Остаток долга: заполните это поле."]);
    await fault.click();
    await page.waitForFunction(() => document.activeElement.id === "i-inputs-current_balance").catch(() => {});
    await page.getByLabel("Остаток долга", { exact: true }).fill("2 648 231,47");
    await page.getByRole("button", { name: "Рассчитать" }).click();
    await page.waitForSelector("[data-result]");
    assert.match(await page.locator(".answer .big").innerText(), /^641\s320,5\d\s₽$/);
    const heads = page.locator(".variants thead th");
    assert.deepEqual(await heads.allInnerTexts(), ["Показатель", "Уменьшить платёж", "Уменьшить срок"]);
  });
}

test("a row that is added has a choice of its own, and Back returns to it", async (t) => {
  const page = await visit(t, tools + "deposit_comparison?example=1");
  await page.getByRole("group", { name: "Варианты вклада" }).getByRole("button", { name: "Добавить строку" }).last().click();
  const third = page.locator("[data-rows='inputs.variants'] > .row").nth(2);
  await third.getByRole("radio", { name: "Дата окончания" }).check();
  assert.ok(await third.getByLabel("Дата окончания").last().isVisible());
  assert.ok(await page.locator("[name='inputs.variants.1.term_months']").isVisible(), "the choice of another row changed");
  await third.locator("[name$='.id']").fill("third");
  await third.locator("[name='inputs.variants.2.start_date']").fill("15.01.2026");
  await third.locator("[name$='.end_date']").fill("15 июля 2026");
  await third.locator("[name='inputs.variants.2.annual_rate_pct']").fill("19,5 %");
  await third.locator("[name$='.capitalization']").selectOption("none");
  await calculate(page);
  assert.deepEqual(await page.locator(".variants").first().locator("thead th").allInnerTexts(), ["Идентификатор варианта", "cap", "end", "third"]);
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector("[data-result]"));
  await page.goForward();
  await page.waitForSelector("[data-result]");
  assert.equal(await page.locator("[name='inputs.variants.2.end_date']").inputValue(), "15.07.2026");
});

test("what is printed is whole: the answer, what it was made from, and every step", async (t) => {
  for (const [tool, charts] of [["loan_payment", 2], ["pfm_debt_payoff_plan", 2], ["deposit_capitalized_interest", 2], ["compare_loan_variants", 1]]) {
    const page = await visit(t, `${tools}${tool}?example=1`);
    await calculate(page);
    const text = await page.locator("[data-result]").evaluate((e) => [...e.querySelectorAll(".folded")].map((d) => d.textContent.trim().length));
    assert.ok(text.every((n) => n > 0));
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 718, height: 1000 }); // A4 between its margins
    for (const part of ["#inputs", "#trace"]) {
      const box = await page.locator(`${part} > :not(summary)`).first().boundingBox();
      assert.ok(box?.height > 20, `${tool}: ${part} is not printed`);
    }
    assert.equal(await page.locator("figure.chart > svg").count(), charts, tool);
    const cut = await page.evaluate(() => [...document.querySelectorAll("[data-result] :is(table, svg, p, li, td)")]
      .filter((e) => e.checkVisibility?.() && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(cut, [], tool);
    assert.equal(await page.locator("form.calculation").isVisible(), false);
    const pdf = await page.pdf({ format: "A4" });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages >= (tool === "loan_payment" ? 6 : 2), `${tool}: ${pages} pages are not all of it`);
  }
});

test("an answer can be read on a phone, at 200 % and by keyboard", async (t) => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 640, height: 450 }]) {
    for (const tool of ["loan_payment", "pfm_debt_payoff_plan", "deposit_comparison", "consumer_rights_deadline_date", "mortgage_early_repayment"]) {
      const page = await visit(t, `${tools}${tool}?example=1`, { viewport });
      await calculate(page);
      assert.ok(await wider(page) <= 0, `${tool} at ${viewport.width}`);
      for (const label of await page.locator(".chart text").all()) {
        const size = await label.evaluate((e) => parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a);
        assert.ok(size >= 11, `${tool}: a label of ${size} px`);
      }
    }
  }
  const page = await visit(t, tools + "card_grace_period_end");
  await page.getByRole("radio", { name: "дни от первой задолженности" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1 июня 2026");
  await page.keyboard.press("Tab");
  await page.keyboard.type("120 дней");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-result]");
  assert.match(await page.locator(".answer .big").innerText(), /^29\sсентября\s2026$/);
});

test("a long schedule goes on at a click", async (t) => {
  const page = await visit(t, tools + "loan_payment");
  await page.getByLabel("Сумма кредита").fill("5 000 000 ₽");
  await page.getByLabel("Ставка, процентов годовых").fill("18,5 %");
  await page.getByLabel("Срок, месяцев").fill("600");
  await calculate(page);
  await page.locator("#schedule > summary").click();
  await page.getByRole("button", { name: "Строки 401–600" }).click();
  await page.waitForFunction(() => document.querySelector("#schedule tbody td").textContent === "401");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
});
