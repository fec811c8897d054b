import { describe, expect, it } from "vitest";
import { forModel } from "../../src/index.ts";
import { renderPage } from "../../visualizer/index.ts";
import { findTaken, toPageCalls, visitsOf } from "../../visualizer/page/calls.ts";
import { CHART } from "../../visualizer/page/chart-data.ts";
import { EVERYTHING, findCalls, type Query } from "../../visualizer/page/find-calls.ts";
import { formatMs, visible } from "../../visualizer/page/format.ts";
import { modelText } from "../../visualizer/page/model-text.ts";
import { hrefOf, idOf } from "../../visualizer/page/route.ts";
import { hostileRecord, LATE, RECORDS } from "../support/records.ts";

const records = Object.values(RECORDS);
const calls = toPageCalls({ title: "", records, lates: [LATE], problems: [] });
const find = (query: Partial<Query>): readonly string[] =>
  findCalls(calls, { ...EVERYTHING, ...query }).map(({ callId }) => callId);

describe("a page as text", () => {
  const hostile = `</script><img src=x onerror="alert(1)"><!-- \u2028\u2029 &`;
  const page = renderPage({ records: [hostileRecord(hostile)] }, { title: hostile });

  it("holds its data as JSON that cannot leave its element, and that reads back as it was", () => {
    const [, json = ""] =
      /<script type="application\/json" id="recording">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json).records).toEqual(
      [hostileRecord(hostile)].map((record) => ({
        ...record,
        result: expect.objectContaining({ toolName: hostile }),
      })),
    );
    expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    expect(page).not.toContain("<img");
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  it("allows itself no script and no style but its own, and no address at all", () => {
    const [, policy = ""] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-[\w+/]+=';/,
    );
    expect(policy).not.toContain("unsafe");
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });

  it("takes a recording as it was read as well as a list of what a sink got", () => {
    const list = renderPage([...records, LATE]);
    expect(list).toBe(renderPage({ records, lates: [LATE] }));
  });
});

describe("the list of calls", () => {
  it("finds by tool, by outcome, by failure code, and by texts in any case of letters", () => {
    expect(find({})).toEqual(records.map(({ call }) => call.id));
    expect(find({ tool: "send_invoice" })).toEqual(["invoice", "nobody"]);
    expect(find({ outcome: "succeeded" })).toEqual(["weather", "stock", "invoice", "restored"]);
    expect(find({ outcome: "timed_out" })).toEqual(["deaf"]);
    expect(find({ text: " LISBON " })).toEqual(["weather"]);
    expect(find({ text: "exited with code" })).toEqual(["exit"]);
    expect(find({ text: "execution-watch" })).toEqual(["watch"]);
    expect(find({ text: "lisbon", outcome: "failed" })).toEqual([]);
  });

  it("sorts by each column, up and down", () => {
    expect(find({ sort: "latency" }).at(-1)).toBe("nobody");
    expect(find({ sort: "latency", descending: true })[0]).toBe("nobody");
    expect(find({ sort: "tool" })[0]).toBe("delete");
    expect(find({ sort: "attempts", descending: true })[0]).toBe("stock");
    expect(find({ sort: "stages", descending: true })[0]).toBe("stock");
    expect(find({ sort: "outcome" })[0]).toBe("weather");
    expect(find({ sort: "started", descending: true })).toEqual(
      records.map(({ call }) => call.id).reverse(),
    );
  });
});

describe("a call's path on the chart", () => {
  it("is found transition by transition for every kind of ending", () => {
    for (const { call, result } of records) {
      const { trace } = result.metadata;
      for (const [index, step] of trace.entries()) {
        const from = trace[index - 1];
        if (from === undefined) continue;
        const taken = findTaken(CHART.edges, from, step);
        expect(taken, `${call.id}: ${from.state} to ${step.state}`).toBeDefined();
        expect(taken?.transition.guard).toBe(step.guard);
        expect([step.event, "always"]).toContain(taken?.transition.event);
      }
    }
  });

  it("tells visits and time of each state", () => {
    const { trace } = RECORDS.retried.result.metadata;
    const visits = visitsOf(trace);
    expect(visits.get("executing")?.steps).toEqual([4, 6, 8]);
    expect(visits.get("executing")?.ms).toBeCloseTo(31.2 + 28.9 + 33.5, 6);
  });
});

describe("the texts of the page", () => {
  it("say what the model reads exactly as the package does", () => {
    for (const { result } of [...records, hostileRecord("x")]) {
      expect(modelText(result)).toBe(forModel(result));
    }
  });

  it.each([
    [0, "0 ms"],
    [0.067, "67 µs"],
    [0.9996, "1.00 ms"],
    [5.8, "5.80 ms"],
    [23.14, "23.1 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [59_949, "59.9 s"],
    [59_950, "1m 0s"],
    [74_310, "1m 14s"],
    [86_400_000, "24h 0m"],
    [Number.NaN, "–"],
  ])("tell %s milliseconds as %s", (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });

  it("write out what is not seen, or would turn the order of what is", () => {
    expect(visible("a\u202eb\u200bc\u001b[31m\td\ne")).toBe("a⟨U+202E⟩b⟨U+200B⟩c␛[31m\td\ne");
  });

  it("name a call in the address so that it is found again, whatever its id", () => {
    for (const id of ["6cf4281b", "a/b#c?d", "%", "é ü", "<b>"]) expect(idOf(hrefOf(id))).toBe(id);
    expect(idOf("#/c/%zz")).toBeUndefined();
    expect(idOf("#elsewhere")).toBeUndefined();
  });
});
