import type { CallContext, Json, TakenCall, ToolFailure } from "../machines/index.ts";
import { failureOf } from "../machines/index.ts";
import { toPlain } from "./plain.ts";

/** A call as it was taken in: an own plain copy, and why it cannot be used, if so. */
export interface Taken {
  readonly call: TakenCall;
  readonly caller: CallContext;
  readonly refused?: ToolFailure;
  readonly signal?: AbortSignal;
}

const WANTED = 'a tool call is { id: "…", name: "…", arguments: {…} or JSON text }';

/** Takes in whatever the caller handed over. Total: hostile values become a refusal, never an exception. */
export function takeCall(input: unknown): Taken {
  const { call: given, context, signal } = readInput(input);
  const fields = readFields(given);
  const args = toPlain(fields.arguments);
  const caller = toPlain(context ?? {});
  const call: TakenCall = {
    id: typeof fields.id === "string" ? fields.id : "",
    name: typeof fields.name === "string" ? fields.name : "",
    arguments: args.value ?? null,
  };
  const refused =
    refuseShape(fields) ??
    refuseArguments(args.losses) ??
    refuseContext(caller.value, caller.losses) ??
    refuseSignal(signal);
  return {
    call,
    caller: isContext(caller.value) ? Object.freeze(caller.value) : {},
    ...(refused === undefined ? {} : { refused }),
    ...(signal instanceof AbortSignal ? { signal } : {}),
  };
}

function readInput(input: unknown): { call?: unknown; context?: unknown; signal?: unknown } {
  try {
    const { call, context, signal } = input as {
      call?: unknown;
      context?: unknown;
      signal?: unknown;
    };
    return { call, context, signal };
  } catch {
    return {};
  }
}

function refuseSignal(signal: unknown): ToolFailure | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return undefined;
  return failureOf("invalid_call", "The signal of the call is not an AbortSignal.", {
    handledBy: "nobody",
  });
}

interface Fields {
  readonly isObject: boolean;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** Reads each field once: a getter may throw, or answer differently the next time. */
function readFields(given: unknown): Fields {
  if (typeof given !== "object" || given === null) return { isObject: false };
  try {
    const { id, name, arguments: args } = given as Partial<Record<keyof TakenCall, unknown>>;
    return { isObject: true, id, name, arguments: args };
  } catch {
    return { isObject: false };
  }
}

function refuseShape({ isObject, id, name }: Fields): ToolFailure | undefined {
  if (!isObject) return failureOf("invalid_call", `This is not a tool call: ${WANTED}.`);
  if (typeof id !== "string" || id === "") {
    return failureOf("invalid_call", `The call has no id (a text that is not empty): ${WANTED}.`);
  }
  if (typeof name !== "string" || name === "") {
    return failureOf(
      "invalid_call",
      `The call names no tool (a text that is not empty): ${WANTED}.`,
    );
  }
  return undefined;
}

function refuseArguments(losses: readonly string[]): ToolFailure | undefined {
  if (losses.length === 0) return undefined;
  return failureOf(
    "invalid_arguments",
    `The arguments are not plain JSON: ${losses.slice(0, 5).join("; ")}. Give an object of texts, numbers, ` +
      "booleans, nulls, lists and objects, or JSON text.",
    { faults: losses.slice(0, 5).map((message) => ({ path: "", keyword: "json", message })) },
  );
}

function refuseContext(
  value: Json | undefined,
  losses: readonly string[],
): ToolFailure | undefined {
  if (isContext(value) && losses.length === 0) return undefined;
  const why = losses.length === 0 ? "it is not an object" : losses.slice(0, 5).join("; ");
  return failureOf(
    "invalid_call",
    `The context of the call is not a plain JSON object: ${why}. It says who calls (user, roles, permissions, ids); ` +
      "give live handles to the tool itself when it is made.",
    { handledBy: "nobody" },
  );
}

function isContext(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
