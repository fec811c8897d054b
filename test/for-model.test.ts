import { describe, expect, it } from "vitest";
import { failureOf } from "../machines/index.ts";
import { forModel } from "../src/for-model.ts";
import { normalizeNow, normalizeReturned, toResult } from "./support/normalized.ts";

describe("What the model reads", () => {
  it("is the output of a call that succeeded", () => {
    expect(forModel(toResult(normalizeReturned({ value: { a: 1 } })))).toBe('{"a":1}');
  });

  it.each(["", " \n"])("is never empty, also for an output of %j", (value) => {
    expect(forModel(toResult(normalizeReturned({ value })))).toBe("(The output is an empty text.)");
  });

  it("is the error of a call that failed, and what output there was", () => {
    const failed = normalizeReturned({ output: "3 of 5", success: false, errorText: "disk full" });
    expect(forModel(toResult(failed))).toBe('"t" failed: disk full.\nOutput:\n3 of 5');
    expect(forModel(toResult(normalizeNow({ failure: failureOf("cancelled", "Stopped.") })))).toBe(
      "Stopped.",
    );
  });

  it("is never empty for a failure without words", () => {
    const { error: _, ...wordless } = normalizeNow({ failure: failureOf("internal", "") });
    expect(forModel(toResult(wordless))).toBe("The call failed.");
  });

  it("holds the fields of metadata that the tool names, and no others", () => {
    const result = normalizeReturned({
      value: "page",
      metadata: { next: "p2", token: "secret", n: null },
      shownMetadata: ["next", "n", "missing", "toString"],
    });
    expect(forModel(toResult(result))).toBe('page\nnext: "p2"\nn: null');
  });

  it("says when the approver changed the arguments", () => {
    const approval = { decision: "approved", decidedAt: 0, edited: true } as const;
    expect(forModel(toResult(normalizeReturned({ value: "sent" }), { approval }))).toBe(
      "sent\n(The arguments were changed by the person who approved the call.)",
    );
    expect(
      forModel(
        toResult(normalizeReturned({ value: "sent" }), {
          approval: { ...approval, edited: false },
        }),
      ),
    ).toBe("sent");
  });
});
