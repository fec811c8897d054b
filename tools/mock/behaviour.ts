import type { Executed } from "../../machines/index.ts";
import type { JsonSchema, ToolErrorOptions, ToolOutput } from "../../src/tool.ts";
import { ODD_SHAPES, type OddShape } from "./odd-shapes.ts";

/** Wait this many ms on the mock's clock first; abort ends the wait. Default: not at all, not even a microtask. */
interface Delayed {
  readonly delayMs?: number;
}

/** An error to make: a `ToolError` of these. */
interface ErrorSpec extends Pick<ToolErrorOptions, "code" | "retryable" | "retryAfterMs"> {
  readonly message?: string;
  readonly executed?: Executed;
}

/** What one run of the mock tool does. All but `any` values can be written as JSON, so a call can ask for them. */
export type MockBehaviour =
  /** Returns `value`; the arguments when there is none. */
  | ({ readonly kind: "return"; readonly value?: unknown } & Delayed)
  /** Throws `value` as it is when that key is there, else a `ToolError`. */
  | ({ readonly kind: "throw"; readonly value?: unknown } & ErrorSpec & Delayed)
  /** Ends only when told to stop (it rejects with the reason), or when its run is settled by hand. */
  | { readonly kind: "hang" }
  /** Deaf to its signal: it ends only when its run is settled by hand, before or after its call has ended. */
  | { readonly kind: "ignoreAbort" }
  /** Returns a text of `chars` UTF-16 code units (default 1 000 000), after `events` progress events (default 0). */
  | {
      readonly kind: "flood";
      readonly chars?: number;
      readonly stderrChars?: number;
      readonly events?: number;
    }
  /** Returns a value that is hard to make JSON of. */
  | { readonly kind: "shape"; readonly shape: OddShape }
  /**
   * Fails `failures` times (default 1), then returns `value`. `of: "call"` (default) counts the attempts of the call,
   * `"tool"` the flaky runs of this mock, which is for failures that are not retried. Retryable by default.
   */
  | ({
      readonly kind: "flaky";
      readonly failures?: number;
      readonly of?: "call" | "tool";
      readonly value?: unknown;
    } & ErrorSpec &
      Delayed)
  /** Reports each of `events` as progress, `everyMs` apart (default: at once), then returns `value`. */
  | {
      readonly kind: "progress";
      readonly events?: readonly unknown[];
      readonly everyMs?: number;
      readonly value?: unknown;
    }
  /** Fills the channels of a tool as a process does: stdout in `output`, `stderr`, `exitCode`, `signal`, … */
  | ({ readonly kind: "channels" } & ToolOutput & Delayed)
  /** Returns an Effect: it succeeds with `value`, fails with `failure`, dies of `defect`, or never ends (`hang`). */
  | {
      readonly kind: "effect";
      readonly value?: unknown;
      readonly failure?: unknown;
      readonly defect?: unknown;
      readonly hang?: boolean;
    }
  /** Is an async generator: yields each of `events`, then returns `value`, or throws a `ToolError` of `message`. */
  | {
      readonly kind: "generator";
      readonly events?: readonly unknown[];
      readonly everyMs?: number;
      readonly value?: unknown;
      readonly message?: string;
    };

/** Every kind of {@link MockBehaviour}. */
export const MOCK_KINDS = [
  "return",
  "throw",
  "hang",
  "ignoreAbort",
  "flood",
  "shape",
  "flaky",
  "progress",
  "channels",
  "effect",
  "generator",
] as const satisfies readonly MockBehaviour["kind"][];

const count = { type: "integer", minimum: 0, maximum: 50_000_000 };
const delay = { type: "number", minimum: 0, maximum: 2_147_483_647 };

/** The arguments of the mock tool: `behaviour` says what this run does; anything else is returned as it came. */
export const mockInputSchema: JsonSchema = {
  type: "object",
  properties: {
    behaviour: {
      type: "object",
      description: "What this run does. Left out: it returns its arguments.",
      properties: {
        kind: {
          enum: MOCK_KINDS,
          description:
            "return a value; throw an error; hang until stopped; ignoreAbort: hang though stopped; flood: return a long text; shape: return a value that JSON cannot hold; flaky: fail some times first; progress: report progress first; channels: fill stdout, stderr, exit code; effect: return an Effect; generator: be an async generator.",
        },
        value: {
          description:
            "return, flaky, progress, effect, generator: what to return. throw: what to throw.",
        },
        delayMs: {
          ...delay,
          description: "return, throw, flaky, channels: milliseconds to wait first.",
        },
        everyMs: { ...delay, description: "progress, generator: milliseconds between two events." },
        message: { type: "string", description: "throw, flaky, generator: the error's text." },
        code: { type: "string", description: "throw, flaky: the error's code." },
        retryable: { type: "boolean", description: "throw, flaky: may the call succeed later?" },
        retryAfterMs: {
          ...delay,
          description: "throw, flaky: when to come back, in milliseconds.",
        },
        executed: {
          enum: ["no", "yes", "unknown"],
          description: "throw, flaky: did it take effect?",
        },
        chars: { ...count, description: "flood: the length of the text. Default 1000000." },
        stderrChars: {
          ...count,
          description: "flood: the length of the text in stderr. Default 0.",
        },
        events: {
          description:
            "progress, generator: a list of what to report. flood: how many events to report.",
          anyOf: [{ type: "array" }, count],
        },
        shape: { enum: ODD_SHAPES, description: "shape: which value." },
        failures: { ...count, description: "flaky: how many times to fail. Default 1." },
        of: {
          enum: ["call", "tool"],
          description: "flaky: count attempts of this call, or all flaky runs.",
        },
        output: { type: "string", description: "channels: the text for the model (stdout)." },
        structured: { description: "channels: the structured value." },
        stderr: { type: "string", description: "channels: stderr." },
        exitCode: { type: ["integer", "null"], description: "channels: the exit code." },
        signal: {
          type: ["string", "null"],
          description: "channels: the signal that ended the process.",
        },
        success: { type: "boolean", description: "channels: the tool's own verdict." },
        error: { type: "string", description: "channels: what went wrong." },
        metadata: { type: "object", description: "channels: facts for the system." },
        shownMetadata: {
          type: "array",
          items: { type: "string" },
          description: "channels: fields of metadata that the model sees.",
        },
        failure: { description: "effect: what it fails with." },
        defect: { description: "effect: what it dies of." },
        hang: { type: "boolean", description: "effect: never end." },
      },
      required: ["kind"],
      additionalProperties: false,
      if: { properties: { kind: { const: "shape" } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { shape: true }, required: ["shape"] },
    },
  },
};
