import { describe, expect, it } from "vitest";
import { STATES } from "../../machines/index.ts";
import { createExecutor, createMemorySink, createRegistry, forModel } from "../../src/index.ts";
import { renderPage } from "../../visualizer/index.ts";
import { findTaken, toPageCalls, visitsOf } from "../../visualizer/page/calls.ts";
import { CHART } from "../../visualizer/page/chart-data.ts";
import { EVERYTHING, findCalls, type Query } from "../../visualizer/page/find-calls.ts";
import { formatMs, visible } from "../../visualizer/page/format.ts";
import { modelText } from "../../visualizer/page/model-text.ts";
import { keepReadable } from "../../visualizer/page/readable.ts";
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

describe("records that are damaged", () => {
  const sound = { title: "", records, lates: [LATE], problems: ["line 3: torn"] };
  const damage = (path: readonly string[], value: unknown): unknown => {
    const copy: unknown = structuredClone(RECORDS.timedOut);
    const holder = path
      .slice(0, -1)
      .reduce((at: unknown, key) => Reflect.get(Object(at), key), copy);
    Reflect.set(Object(holder), path.at(-1) ?? "", value);
    return copy;
  };
  const keep = (record: unknown) =>
    // As a page is given them: read from JSON, of whatever origin.
    keepReadable(JSON.parse(JSON.stringify({ ...sound, records: [RECORDS.denied, record] })));

  it("leave sound recordings as they are", () => {
    expect(keepReadable(sound)).toEqual(sound);
  });

  it.each<[path: string, value: unknown, fault: string]>([
    ["executionId", 5, "executionId is no text"],
    ["call", null, "call is no object"],
    ["call.id", undefined, "call.id is no text"],
    ["call.name", {}, "call.name is no text"],
    ["result", [], "result is no object"],
    ["result.failure", null, "result.failure has no code"],
    ["result.failure.code", 7, "result.failure has no code"],
    ["result.metadata", "x", "result.metadata is no object"],
    ["result.metadata.trace", {}, "result.metadata.trace is no list"],
    ["result.metadata.trace.1", null, "result.metadata.trace[1] is no step"],
    ["result.metadata.trace.2.state", 1, "result.metadata.trace[2] is no step"],
    ["result.metadata.trace.0.event", null, "result.metadata.trace[0] is no step"],
  ])("are left out when %s is %j, which is told", (path, value, fault) => {
    const kept = keep(damage(path.split("."), value));
    expect(kept.records).toEqual([RECORDS.denied]);
    expect(kept.problems).toEqual(["line 3: torn", `record 2 cannot be shown: ${fault}`]);
  });

  it("are left out when they are no records at all, as are such late outcomes", () => {
    expect(keep(null).problems).toContain("record 2 cannot be shown: it is no object");
    const late = keepReadable(JSON.parse(JSON.stringify({ ...sound, lates: [null, LATE] })));
    expect(late.lates).toEqual([LATE]);
  });
});

describe("a call's path on the chart", () => {
  it("is found transition by transition for calls that were really made", async () => {
    const sink = createMemorySink();
    const base = { inputSchema: { type: "object" } } as const;
    const executor = createExecutor({
      sinks: [sink],
      policy: ({ call }) => (call.name === "asked" ? "ask" : "allow"),
      registry: createRegistry(
        [
          { ...base, name: "plain", execute: () => 1 },
          { ...base, name: "asked", execute: () => 1 },
          {
            ...base,
            name: "waiting",
            executionTimeoutMs: 5,
            graceMs: 5,
            execute: () => new Promise(() => {}),
          },
          {
            ...base,
            name: "flaky",
            annotations: { idempotentHint: true },
            retry: { maxAttempts: 2, baseMs: 1 },
            execute: () => Promise.reject(Object.assign(new Error("busy"), { retryable: true })),
          },
        ],
        { strict: true },
      ),
    });
    const asked = executor.start({ id: "1", name: "asked", arguments: {} });
    const denied = executor.start({ id: "2", name: "asked", arguments: {} });
    const cancelled = executor.start({ id: "3", name: "waiting", arguments: {} });
    executor.approve("1", { arguments: { edited: true } });
    executor.deny("2", { reason: "no" });
    executor.cancel("3", { reason: "no more" });
    const others = ["plain", "waiting", "flaky", "unheard_of"];
    await Promise.all([
      asked.result,
      denied.result,
      cancelled.result,
      executor.executeAll(others.map((name) => ({ id: name, name, arguments: {} }))),
    ]);
    await executor.close();
    const made = sink.records.filter((record) => record.type === "call");
    expect(made).toHaveLength(7);
    const visited = new Set<string>();
    for (const { call, result } of made) {
      const { trace } = result.metadata;
      for (const [index, step] of trace.entries()) {
        visited.add(step.state);
        const from = trace[index - 1];
        if (from === undefined) continue;
        const taken = findTaken(CHART.edges, from, step);
        expect(taken, `${call.name}: ${from.state} to ${step.state}`).toBeDefined();
      }
    }
    expect([...visited].sort()).toEqual([...STATES].sort());
  });

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
