import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { toReturned, toThrew } from "../../src/execute/outcome.ts";
import { forModel } from "../../src/for-model.ts";
import { CASES, readCases } from "../support/cases.ts";
import { normalizeNow, toResult } from "../support/normalized.ts";

interface Shape {
  readonly id: string;
  readonly direction: string;
  readonly value?: unknown;
  /** A JavaScript expression, for what JSON cannot hold. */
  readonly code?: string;
  readonly thrown?: boolean;
  readonly expect?: {
    readonly success?: boolean;
    readonly text?: string;
    readonly output?: unknown;
    readonly error_contains?: string;
  };
}

const shapes = readCases("result-shapes/shapes.jsonl") as readonly Shape[];
const accepted = shapes.filter(({ direction }) => direction === "accept");

const GLOBALS = { Blob, Buffer, ReadableStream, Response };

function evaluate({ code, value }: Shape): unknown {
  return code === undefined ? value : runInNewContext(`(${code})`, GLOBALS);
}

/** Rows whose outcome is decided before their value gets here: the executor awaits it first. */
const AWAITED = new Set(["js-thenable-throws", "js-thenable-never"]);

describe(`What tools and protocols return or throw (${CASES})`, () => {
  it("is there", () => {
    expect(accepted.length).toBeGreaterThan(50);
  });

  it.each(accepted.map((shape) => [shape.id, shape] as const))(
    "%s becomes one result",
    (id, shape) => {
      const given = evaluate(shape);
      const outcome = shape.thrown === true ? toThrew(given) : toReturned(given);
      const normalized = normalizeNow({ outcome });
      const wanted = shape.expect ?? {};
      expect(JSON.parse(JSON.stringify(normalized))).toEqual(normalized);
      if (!AWAITED.has(id) && wanted.success !== undefined)
        expect(normalized.success).toBe(wanted.success);
      if (wanted.text !== undefined) expect(normalized.output).toBe(wanted.text);
      if (wanted.output !== undefined && wanted.output !== null) {
        expect(normalized.metadata.structured).toEqual(wanted.output);
      }
      if (wanted.error_contains !== undefined)
        expect(normalized.error).toContain(wanted.error_contains);
      expect(normalized.failure === undefined).toBe(normalized.success);
      expect(forModel(toResult(normalized)).trim()).not.toBe("");
      expect(`${normalized.output}${normalized.error}`).not.toContain("[object Object]");
      expect(`${normalized.output}${normalized.error}`.length).toBeLessThan(110_000);
    },
  );
});
