import { describe, expect, it } from "vitest";
import { toolCallMachine } from "../../machines/index.ts";
import { toEventName } from "../../machines/tool-call-events.ts";
import { EVENT_PHRASES, explain, GUARD_PHRASES } from "../../src/trace/explain.ts";
import { hostileRecord, RECORDS } from "../support/records.ts";

/** Events that may cause an entry of a state, by their names in traces. */
function eventsOfChart(): readonly string[] {
  const states = Object.values(toolCallMachine.config.states ?? {});
  const names = states.flatMap(({ on = {}, after = {} }) => [
    ...Object.keys(on).map(toEventName),
    ...Object.keys(after).map((delay) => `after.${delay}`),
  ]);
  // Progress is passed on without a transition.
  const entering = names.filter((name) => name !== "attempt.progress");
  return [...new Set([toEventName("xstate.init"), ...entering])].sort();
}

describe("The words of an explanation", () => {
  it("are there for each guard of the chart, and for no others", () => {
    const guards = Object.keys(toolCallMachine.implementations.guards).sort();
    expect([...GUARD_PHRASES.keys()].sort()).toEqual(guards);
  });

  it("are there for each event that can move a call, and for no others", () => {
    expect([...EVENT_PHRASES.keys()].sort()).toEqual(eventsOfChart());
  });
});

describe("An explanation", () => {
  it("of a trace has a line for each state", () => {
    expect(explain(RECORDS.succeeded.result.metadata.trace).split("\n")).toEqual([
      "     +0.000 ms  validating: the call arrived",
      "     +0.412 ms  validating → authorizing: the tool is known and the arguments fit its schema",
      "     +0.530 ms  authorizing → queued: nothing forbids it",
      "     +0.561 ms  queued → executing (attempt 1): there is a free slot",
      "   +182.961 ms  executing → normalizing: the tool returned",
      "   +183.055 ms  normalizing → tracing: the result is made",
      "   +183.096 ms  tracing → succeeded: the call succeeded",
    ]);
  });

  it("of a record begins with the call and ends with the outcome", () => {
    const lines = explain(RECORDS.denied).split("\n");
    expect(lines[0]).toBe("delete_account (call delete, execution execution-delete)");
    expect(lines.slice(-2)).toEqual([
      "It failed with permission_denied (executed: no; to be mended by: human) after 0.665 ms, in 0 attempts.",
      "The caller lacks the permission accounts.delete.",
    ]);
  });

  it.each<[name: keyof typeof RECORDS, line: string]>([
    [
      "denied",
      "authorizing → normalizing: permission was denied (rule permissions: lacks accounts.delete)",
    ],
    [
      "approvedEdited",
      "authorizing → awaitingApproval: the policy asks for a person (rule money: It sends money.)",
    ],
    [
      "approvedEdited",
      "awaitingApproval → validating: a person approved it; it was approved with other arguments, which are checked again (by mira: Wrong list.)",
    ],
    [
      "approvedEdited",
      "It succeeded after 74724.076 ms, of which 74310.2 ms for a person, in 1 attempt.",
    ],
    ["approvalExpired", "awaitingApproval → normalizing: nobody answered in time"],
    ["overloaded", "queued → normalizing: no slot became free in time"],
    [
      "retried",
      "executing → backingOff: the attempt failed in a way that may pass, and may be made again (The connection was reset.)",
    ],
    ["retried", "backingOff → executing (attempt 3): the backoff is over; there is a free slot"],
    ["toolError", "executing → normalizing: the attempt ended without success"],
    ["timedOut", "executing → interrupting: the tool did not finish in time"],
    ["timedOut", "interrupting → normalizing: the tool did not stop when it was told to"],
    ["cancelled", "executing → interrupting: it was cancelled"],
    ["cancelled", "interrupting → normalizing: the tool ended when it was told to stop"],
    ["cancelled", "tracing → failed: the call did not succeed"],
    [
      "restored",
      "executing → queued: the call was restored; the process was lost while the tool ran, and the tool may be run again",
    ],
    ["invalid", "validating → normalizing: the call cannot be used as it is"],
  ])("of the call %s says why: %s", (name, line) => {
    expect(explain(RECORDS[name])).toContain(line);
  });

  it.each(["constructor", "__proto__", "toString", "a\nb"])(
    "tells the unknown name %j as it is",
    (name) => {
      expect(explain(hostileRecord(name).result.metadata.trace)).toContain(`${name}; ${name}`);
    },
  );

  it("keeps the reasons of others short and on their line", () => {
    const { metadata } = RECORDS.denied.result;
    const reason = `a\nb ${"x".repeat(1000)}`;
    const record = {
      ...RECORDS.denied,
      result: {
        ...RECORDS.denied.result,
        metadata: { ...metadata, decision: { decision: "deny", reason } },
      },
    } as const;
    const line = explain(record)
      .split("\n")
      .find((text) => text.includes("permission was denied"));
    expect(line).toMatch(/\(a b x+…\)$/);
    expect(line?.length).toBeLessThan(300);
  });
});
