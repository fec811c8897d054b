import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CallRecord } from "../../machines/index.ts";
import { type PageRecording, renderPage } from "../../visualizer/index.ts";
import { buildRecord, hostileRecord, LATE, manyRecords, RECORDS } from "../support/records.ts";
import { launchBrowser, type PageFile, watchPage, withoutBrowser, writePage } from "./browser.ts";

const everything = { records: Object.values(RECORDS), lates: [LATE] };

interface Opened {
  readonly page: Page;
  readonly seen: string[];
}

describe.skipIf(withoutBrowser)("the page, opened from disk in Chromium", () => {
  let browser: Browser;
  const open: { page: Page; file: PageFile; seen: readonly string[] }[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const { page, file, seen } of open.splice(0)) {
      await page.context().close();
      file.remove();
      // Whatever else was tested: nothing asked for anything, complained, or ran that should not.
      expect(seen).toEqual([]);
    }
  });
  afterAll(async () => {
    await browser.close();
  });

  async function show(
    recording: PageRecording,
    { hash = "", width = 1440, scheme = "light" as "light" | "dark" } = {},
  ): Promise<Opened> {
    const file = writePage(renderPage(recording));
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      timezoneId: "Europe/Lisbon",
    });
    const page = await context.newPage();
    const seen = watchPage(page);
    open.push({ page, file, seen });
    await page.goto(file.url + hash);
    return { page, seen };
  }

  const hrefOf = ({ executionId }: CallRecord): string => `#/c/${executionId}`;

  it("lists every call with tool, outcome, code, stages, tries, latency and start", async () => {
    const { page } = await show(everything);
    const rows = page.locator("tbody tr[data-id]");
    expect(await rows.count()).toBe(everything.records.length);
    expect(await rows.nth(1).locator("td").allInnerTexts()).toEqual([
      "stock_level\nstock",
      "succeeded",
      "11 stages",
      "3",
      "690 ms",
      expect.stringMatching(/^09:30:00\n\+\d+ ms$/),
    ]);
    const row = rows.filter({ hasText: "export_all" });
    expect(await row.locator("td").nth(1).innerText()).toBe("failed\ntimed_out");
    expect(await page.locator("#summary").innerText()).toMatch(
      /12\s*calls\s*4\s*succeeded\s*8\s*failed/,
    );
  });

  it("draws a clicked call's path: states in order with numbers and times, the taken transitions, the rest faint", async () => {
    const { page } = await show(everything);
    await page.getByRole("row", { name: /stock_level stock/ }).click();
    expect(new URL(page.url()).hash).toBe(hrefOf(RECORDS.retried));
    const state = (name: string) => page.locator(`.chart [data-state=${name}]`);
    expect(await state("executing").locator("text").allTextContents()).toEqual([
      "executing",
      "93.6 ms in 3 visits",
      "4 · 6 · 8",
    ]);
    expect(await state("backingOff").locator("text").allTextContents()).toEqual([
      "backingOff",
      "596 ms in 2 visits",
      "5 · 7",
    ]);
    expect(await state("interrupting").getAttribute("class")).toContain("idle");
    const taken = await page.locator(".chart .label:is(.taken, .now)").allTextContents();
    expect(taken.sort()).toEqual(
      [
        "[argumentsAreValid]",
        "[hasSlot]",
        "[hasSlot]",
        "[isAuthorized]",
        "[isNormalized]",
        "[isSuccess]",
        "[attemptReturned]",
        "[mayRetry]",
        "after.backoff",
        "attempt.done",
        "attempt.done",
      ].sort(),
    );
    expect(await page.locator(".chart .edge:is(.taken, .now)").count()).toBe(8);
  });

  it("tells time, transition, guard and event of each step, and goes through them with the scrubber", async () => {
    const { page } = await show(everything, { hash: hrefOf(RECORDS.retried) });
    const steps = page.locator(".steps .step");
    expect(await steps.count()).toBe(11);
    expect((await steps.nth(4).innerText()).split(/\n+/)).toEqual([
      "5",
      "backingOff",
      "204 ms",
      "attempt.done [mayRetry]",
    ]);
    await page.getByRole("slider", { name: "Step of the path" }).fill("4");
    expect(await page.locator(".place").innerText()).toBe("Step 4 of 11");
    expect(await page.locator(".move").innerText()).toBe("queued → executing");
    expect(await page.locator(".now dd").allInnerTexts()).toEqual([
      "always",
      "hasSlot",
      "call.start",
      "+561 µs",
      "31.2 ms",
    ]);
    expect(await page.locator(".chart .node.current").getAttribute("data-state")).toBe("executing");
    expect(await page.locator(".chart .label.now").allTextContents()).toEqual(["[hasSlot]"]);
    expect(await page.locator(".chart .label.ahead").allTextContents()).toContain("after.backoff");
    await page.getByRole("button", { name: "Step forward" }).click();
    expect(await page.locator(".move").innerText()).toBe("executing → backingOff");
    await steps.first().click();
    expect(await page.locator(".move").innerText()).toBe("validating");
  });

  it("shows the wait for a person apart from the active time", async () => {
    const { page } = await show(everything, { hash: hrefOf(RECORDS.approvedEdited) });
    const note = await page.locator(".time-note").innerText();
    expect(note).toMatch(/active\s*414 ms/);
    expect(note).toMatch(/waited for a person\s*1m 14s/);
    expect(await page.locator(".chart [data-state=awaitingApproval] .person").count()).toBe(1);
    expect(await page.locator(".chart [data-state=awaitingApproval] .heat").count()).toBe(0);
    const told = await page.locator(".told").innerText();
    expect(told).toContain("changed by the person");
    expect(told).toContain('"amount": 1200');
    expect(told).toContain('"amount": 12000');
    expect(told).toContain('messageId: "m-1"');
  });

  it("tells of a failed call what failed, who can mend it, what was retried and what came late", async () => {
    const { page } = await show(everything, { hash: hrefOf(RECORDS.timedOut) });
    expect(await page.locator(".failure-note").innerText()).toContain("did not stop when told to");
    const told = await page.locator(".told").innerText();
    expect(told).toMatch(/did the tool run\?\s*unknown/);
    expect(told).toMatch(/to be mended by\s*system/);
    expect(told).toContain("Attempt 1 ended 9.12 s after the call began");
    expect(told).toContain('"rows": 1204');
    await page.goto(page.url().replace(/#.*/, hrefOf(RECORDS.retried)));
    expect(await page.locator(".attempt").allInnerTexts()).toEqual([
      expect.stringContaining("The warehouse answered 503."),
      expect.stringContaining("The connection was reset."),
    ]);
    await page.goto(page.url().replace(/#.*/, hrefOf(RECORDS.invalid)));
    expect(await page.locator(".time-note").innerText()).toMatch(/attempts\s*never ran/);
    expect(await page.locator(".told").innerText()).toMatch(/where\s*\/divisor/);
  });

  it("filters by text, tool and outcome, and sorts by a click on a column", async () => {
    const { page } = await show(everything);
    const names = page.locator("tbody tr[data-id] .column-tool .second");
    await page.keyboard.press("/");
    await page.keyboard.type("LISBON");
    expect(await names.allInnerTexts()).toEqual(["weather"]);
    expect(await page.locator(".count").innerText()).toBe("1 of 12 calls");
    await page.getByRole("searchbox").fill("nothing is like this");
    expect(await page.locator("#none").innerText()).toBe("No call is like that.");
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Tool", { exact: true }).selectOption("send_invoice");
    await page.getByLabel("Outcome", { exact: true }).selectOption("failed");
    expect(await names.allInnerTexts()).toEqual(["nobody"]);
    await page.getByLabel("Tool", { exact: true }).selectOption("All tools");
    await page.getByRole("button", { name: "Latency" }).click();
    expect((await names.allInnerTexts()).at(-1)).toBe("nobody");
    await page.getByRole("button", { name: "Latency" }).click();
    expect((await names.allInnerTexts())[0]).toBe("nobody");
    expect(
      await page.getByRole("columnheader", { name: "Latency" }).getAttribute("aria-sort"),
    ).toBe("descending");
  });

  it("is led by the keyboard: j, k and arrows choose, Enter opens, arrows step, whoever types is left alone", async () => {
    const { page } = await show(everything);
    const chosen = () => page.locator("tr.chosen .column-tool .second").innerText();
    expect(await chosen()).toBe("weather");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await chosen()).toBe("invoice");
    await page.keyboard.press("k");
    expect(await chosen()).toBe("stock");
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator(".place").innerText()).toBe("Step 10 of 11");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H2");
    await page.keyboard.press("/");
    await page.keyboard.type("jk");
    expect(await page.getByRole("searchbox").inputValue()).toBe("jk");
    expect(await page.locator("tbody tr[data-id]").count()).toBe(0);
    expect(await page.locator("h2").innerText()).toBe("stock_level");
  });

  it("opens the call that its address names, and says so when there is none", async () => {
    const { page } = await show(everything, { hash: hrefOf(RECORDS.cancelled) });
    expect(await page.locator("h2").innerText()).toBe("watch_queue");
    const other = await show(everything, { hash: "#/c/nothing" });
    expect(await other.page.locator("#detail").innerText()).toContain(
      "There is no call nothing in this recording.",
    );
  });

  it("shows texts that look like markup as texts, and runs none of them", async () => {
    for (const text of [
      "</script><img src=x onerror=alert(1)>",
      "<svg onload=alert(2)>",
      "'\"><script>alert(3)</script>",
      "javascript:alert(4)",
    ]) {
      const record = hostileRecord(text);
      const { page } = await show({ records: [record], problems: [text] });
      expect(await page.locator("h2").innerText()).toBe(text);
      expect(await page.locator("img, iframe, object, [onload], [onerror]").count()).toBe(0);
      expect(await page.locator("script").count()).toBe(2);
      expect(await page.locator(".told").innerText()).toContain(text);
      expect(await page.locator(".strangers").innerText()).toBe(`Not in this chart: ${text}`);
    }
  }, 60_000);

  it("lets no script or style run that is put into it", async () => {
    const { page, seen } = await show(everything);
    const put = (what: string): Promise<string> =>
      page.evaluate<string>(
        `try { ${what}; String(globalThis.ran) } catch (error) { String(error) }`,
      );
    const script =
      'const s = document.createElement("script"); s.append("ran = 1"); document.body.append(s)';
    expect(await put(script)).toBe("undefined");
    expect(await put('document.body.innerHTML = "<img onerror=ran=1 src=x>"')).toContain(
      "TrustedHTML",
    );
    const style =
      'const s = document.createElement("style"); s.append("* { color: red }"); document.body.append(s); ran = getComputedStyle(s).color';
    expect(await put(style)).not.toBe("rgb(255, 0, 0)");
    // The browser says that it refused: that is what is wanted here.
    expect(seen.splice(0).length).toBeGreaterThan(0);
  });

  it("works without any call, with one call, and with a call that has no path", async () => {
    const empty = await show({ records: [] });
    expect(await empty.page.locator("#none").innerText()).toBe("This recording holds no call.");
    expect(await empty.page.locator(".chart .node").count()).toBe(11);
    const one = await show({ records: [RECORDS.succeeded] });
    expect(await one.page.locator("h2").innerText()).toBe("weather");
    const pathless = await show({ records: [buildRecord({ id: "p", tool: "p", steps: [] })] });
    expect(await pathless.page.locator(".move").innerText()).toBe("This record has no path.");
  });

  it("shows what of a damaged record can be shown, and says what cannot", async () => {
    const damaged = structuredClone(RECORDS.timedOut) as CallRecord;
    Object.assign(damaged.result.failure ?? {}, { faults: 5, nearest: "x" });
    const { page } = await show({ records: [damaged], problems: ["line 3: it is not whole"] });
    expect(await page.locator(".broken").innerText()).toContain("cannot be shown");
    expect(await page.locator(".told").innerText()).toContain("What the model reads");
    expect(await page.locator("#problems").innerText()).toContain(
      "1 of the recording's lines could not be read",
    );
  });

  it("leaves out a record that cannot be shown, says so, and shows the others", async () => {
    const torn = JSON.parse(JSON.stringify(RECORDS.denied));
    delete torn.result.metadata;
    const { page } = await show({ records: [torn, null as never, RECORDS.succeeded] });
    expect(await page.locator("tbody tr[data-id]").count()).toBe(1);
    expect(await page.locator("h2").innerText()).toBe("weather");
    const problems = page.locator("#problems");
    await problems.locator("summary").click();
    expect(await problems.locator("li").allInnerTexts()).toEqual([
      "record 1 cannot be shown: result.metadata is no object",
      "record 2 cannot be shown: it is no object",
    ]);
  });

  it("keeps few rows in the document for 10,000 calls, and finds and reaches all of them", async () => {
    const { page } = await show({ records: manyRecords(10_000) });
    const rows = page.locator("tbody tr[data-id]");
    expect(await rows.count()).toBeLessThan(60);
    expect(await page.locator("table").getAttribute("aria-rowcount")).toBe("10001");
    await page.locator("#rows").evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText("call-9999", { exact: true }).waitFor();
    await page.getByRole("searchbox").fill("call-5432");
    await page.getByText("call-5432", { exact: true }).first().click();
    expect(new URL(page.url()).hash).toBe("#/c/execution-5432");
    await page.getByRole("searchbox").fill("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    expect(new URL(page.url()).hash).toBe("#/c/execution-5433");
    expect(await page.locator("tr.chosen").innerText()).toContain("call-5433");
  }, 60_000);

  it("cuts very long texts and shows all of one that is asked for", async () => {
    const long = buildRecord({ id: "long", tool: "long", steps: [], output: "x".repeat(300_000) });
    const { page } = await show({ records: [long] });
    const text = page.locator(".told .text").first();
    expect((await text.innerText()).length).toBeLessThan(2_100);
    await page.getByRole("button", { name: "Show all 300,000 characters" }).click();
    expect((await text.innerText()).length).toBe(300_000);
  });

  it("takes turns between list and call on a narrow screen, without scrolling sideways", async () => {
    const { page } = await show(everything, { width: 420 });
    expect(await page.locator("#detail").isVisible()).toBe(false);
    await page.getByRole("row", { name: /watch_queue/ }).click();
    expect(await page.locator("#rows").isVisible()).toBe(false);
    expect(await page.locator("h2").innerText()).toBe("watch_queue");
    const wide = await page.locator("#detail").evaluate((element) => element.scrollWidth);
    expect(wide).toBeLessThanOrEqual(420);
    await page.getByRole("button", { name: "All calls" }).click();
    expect(await page.locator("#rows").isVisible()).toBe(true);
  });

  it("brings the state of a step into view on any screen, and keeps the scrubber there", async () => {
    for (const width of [1440, 420]) {
      const { page } = await show(everything, { width, hash: hrefOf(RECORDS.timedOut) });
      const box = async (selector: string) => {
        const found = await page.locator(selector).boundingBox();
        if (found === null) throw new Error(`${selector} is not there`);
        return found;
      };
      for (const key of ["ArrowLeft", "ArrowRight"]) {
        for (let step = 0; step < 7; step += 1) {
          await page.keyboard.press(key);
          const [at, node] = [await box(".at"), await box(".node.current .box")];
          expect(at.y).toBeGreaterThanOrEqual(0);
          expect(node.y).toBeGreaterThanOrEqual(at.y + at.height);
          expect(node.y + node.height).toBeLessThanOrEqual(900);
          expect(node.x).toBeGreaterThanOrEqual(0);
          expect(node.x + node.width).toBeLessThanOrEqual(width);
        }
      }
      expect(await page.locator(".place").innerText()).toBe("Step 8 of 8");
    }
  });

  it("goes back from a clicked call to where it was opened", async () => {
    const { page } = await show(everything, { width: 420 });
    await page.getByRole("row", { name: /watch_queue/ }).click();
    expect(await page.locator("#detail").isVisible()).toBe(true);
    await page.goBack();
    expect(await page.locator("#rows").isVisible()).toBe(true);
    expect(await page.locator("tr.chosen").innerText()).toContain("watch_queue");
    await page.goForward();
    expect(await page.locator("h2").innerText()).toBe("watch_queue");
  });

  it("changes between light, dark and the system's choice, and remembers", async () => {
    const { page } = await show(everything, { scheme: "dark" });
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const dark = await ground();
    const button = page.getByRole("button", { name: /^Theme/ });
    await button.click();
    expect(await button.innerText()).toBe("Theme: light");
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await ground()).toBe(light);
    await button.click();
    expect(await ground()).toBe(dark);
  });

  it.each(["light", "dark"] as const)(
    "has no fault of accessibility that axe knows, in %s, wide and narrow",
    async (scheme) => {
      const recording = { ...everything, problems: ["line 9: it is not whole"] };
      const views = [
        { hash: hrefOf(RECORDS.timedOut), width: 1440 },
        { hash: hrefOf(RECORDS.approvedEdited), width: 1440 },
        { hash: hrefOf(RECORDS.timedOut), width: 420 },
        { hash: "", width: 420 },
      ];
      for (const view of views) {
        const { page } = await show(recording, { ...view, scheme });
        expect(await violations(page)).toEqual([]);
      }
    },
    60_000,
  );
});

/** What axe complains about. It is evaluated from outside of the page, whose own policy would refuse it. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe };
    const results = await engine.run();
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
  return found;
}
