import { describe, expect, it } from "vitest";
import { type ResolvedName, resolveName } from "../../src/validate/resolve/index.ts";
import { CASES, readCases } from "../support/cases.ts";

const meant = (resolved: ResolvedName): string | undefined =>
  resolved.kind === "tool" ? resolved.name : undefined;

describe("A name that a model wrote", () => {
  it.each<[given: string, names: readonly string[], meant: string]>([
    ["search", ["search", "Search"], "search"],
    ["Search", ["search"], "search"],
    ["SEARCH", ["search", "fetch"], "search"],
    ["search-web", ["search_web"], "search_web"],
    ["searchWeb", ["search_web"], "search_web"],
    ["search.web", ["search_web"], "search_web"],
    ["search web", ["search_web"], "search_web"],
    ["functions.search", ["search"], "search"],
    ["function.search", ["search"], "search"],
    ["functions.SearchWeb", ["search_web"], "search_web"],
    ["functions/search", ["search"], "search"],
    ["functions:search", ["search"], "search"],
    ["tools.search", ["search"], "search"],
    ["tool.search", ["search"], "search"],
    ["tools::search", ["search"], "search"],
    ["default_api.search", ["search"], "search"],
    ["default_api:search", ["search"], "search"],
    ["functions.search:3", ["search"], "search"],
    ["search:0", ["search"], "search"],
    ["SearchTool", ["search"], "search"],
    ["search_tool", ["search", "fetch_tool"], "search"],
    ["SearchTool", ["search", "search_tool"], "search_tool"],
    ["functions.search_tool", ["search"], "search"],
    [" search\n", ["search"], "search"],
    ["`search`", ["search"], "search"],
    ["search( )", ["search"], "search"],
    ["functions.functions", ["functions"], "functions"],
    ["tool", ["tool"], "tool"],
    ["functions.read", ["read", "Read"], "read"],
    ["github.create_issue", ["github__create_issue"], "github__create_issue"],
  ])("%j among %j means %j", (given, names, name) => {
    expect(resolveName(given, names)).toEqual({ kind: "tool", name });
  });

  it.each<[given: string, names: readonly string[], could: readonly string[]]>([
    ["READ", ["Read", "read"], ["Read", "read"]],
    [
      "SERVER_get-by_id",
      ["server_get-by-id", "server_get_by_id"],
      ["server_get-by-id", "server_get_by_id"],
    ],
    ["functions.Search-Web", ["search_web", "searchWeb", "x"], ["search_web", "searchWeb"]],
  ])("%j among %j is not guessed", (given, names, could) => {
    expect(resolveName(given, names)).toEqual({ kind: "ambiguous", names: could });
  });

  it.each<[given: string, names: readonly string[]]>([
    ["searchh", ["search"]],
    ["serch", ["search"]],
    ["functions.exec2", ["exec"]],
    ["functionswrite3", ["write"]],
    ["functions.", ["search"]],
    ["functions", ["search"]],
    ["tool", ["search"]],
    ["", ["search"]],
    ["___", ["search"]],
    ["search\u200b", ["search"]],
    ["se\u0430rch", ["search"]],
    ["multi_tool_use.parallel", ["parallel_search"]],
    ["shell", ["developer__shell"]],
    ["__proto__", ["proto_x"]],
    ["constructor", ["a"]],
    ["search(query)", ["search"]],
    ["web_search", ["search_web"]],
    ["x".repeat(1_000_000), ["search"]],
    ["_".repeat(1_000_000), ["search"]],
  ])("%j among %j means no tool", (given, names) => {
    expect(resolveName(given, names).kind).toBe("unknown");
  });

  it(`means what was intended, or nothing, in every case that was reported (${CASES})`, () => {
    const rows = readCases("malformed-arguments/tool-names.jsonl") as readonly {
      readonly raw: string;
      readonly registered: readonly string[];
      readonly intended: string | null;
    }[];
    expect(rows.length).toBeGreaterThan(20);
    for (const { raw, registered, intended } of rows) {
      expect(meant(resolveName(raw, registered)), raw.slice(0, 80)).toBe(intended ?? undefined);
    }
  });
});
