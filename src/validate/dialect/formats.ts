import { fullFormats } from "ajv-formats/dist/formats.js";
import { guardedTest } from "./patterns/guarded.ts";

const FORMATS: ReadonlyMap<string, unknown> = new Map(Object.entries(fullFormats));

/** Some of the formats take time that grows with the square of the text's length, or faster: longer texts are watched. */
const MAX_CHARS = 2_000;

/** Checks of one format. */
export interface Format {
  /** Values of other types fit. */
  readonly type: "number" | "string";
  /** @throws UncheckableError when a text takes more than 100 ms */
  readonly validate: (data: unknown) => boolean;
}

/** The formats that are known. */
export function formatNames(): readonly string[] {
  return [...FORMATS.keys()];
}

/** A format by its name; `undefined` when it is not known, or restricts nothing. */
export function readFormat(name: string): Format | undefined {
  const format = FORMATS.get(name);
  if ((typeof format !== "object" || format === null) && typeof format !== "function")
    return undefined;
  const type = "type" in format && format.type === "number" ? "number" : "string";
  const validate = "validate" in format ? format.validate : format;
  return { type, validate: (data) => typeof data !== type || fits(validate, data) };
}

function fits(validate: unknown, data: unknown): boolean {
  if (validate instanceof RegExp) {
    const text = String(data);
    return text.length <= MAX_CHARS ? validate.test(text) : guardedTest(validate, text);
  }
  return typeof validate !== "function" || validate(data) === true;
}
