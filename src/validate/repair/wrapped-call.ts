import type { ErrorObject } from "ajv";
import type { Json } from "../../../machines/index.ts";
import { isList } from "../../plain.ts";
import { parseArguments } from "../parse/index.ts";
import { propertyOf } from "../pointer.ts";
import { type Candidate, keywordOf } from "./candidates.ts";

/** Keys under which providers and models put the arguments of a call. */
const INNER_KEYS = ["arguments", "parameters", "input", "args"];

/** Faulty arguments, and how they are named. */
interface Wrapped {
  readonly root: string;
  readonly isTool: (name: string) => boolean;
}

/** The arguments inside of a whole call that was given for them. `undefined`: these are none. */
export function unwrapCall(
  { data, errors }: { readonly data: Json; readonly errors: readonly ErrorObject[] },
  { root, isTool }: Wrapped,
): Candidate | undefined {
  if (typeof data !== "object" || data === null || isList(data)) return undefined;
  const name = propertyOf(data, "name");
  const others = Object.keys(data).filter((key) => key !== "name");
  const [key = ""] = others;
  if (others.length !== 1 || !INNER_KEYS.includes(key)) return undefined;
  if (typeof name !== "string" || !isTool(name) || declares(errors, ["name", key]))
    return undefined;
  const inner = toObject(propertyOf(data, key));
  if (inner === undefined) return undefined;
  const message = `${root} were a whole call of the tool: its "${key}" were taken`;
  return { rule: "wrapped-call", path: "", message, data: inner };
}

/** Does the schema have an argument of such a name? Then these may be the arguments themselves. */
function declares(errors: readonly ErrorObject[], keys: readonly string[]): boolean {
  return errors.some(({ instancePath, parentSchema }) => {
    const properties = instancePath === "" ? keywordOf(parentSchema, "properties") : undefined;
    return (
      typeof properties === "object" &&
      properties !== null &&
      keys.some((key) => Object.hasOwn(properties, key))
    );
  });
}

function toObject(value: Json | undefined): Json | undefined {
  const parsed =
    typeof value === "string" ? parseArguments(value, { repair: "none" }) : { kind: "", value };
  const inner = "value" in parsed ? parsed.value : undefined;
  return typeof inner === "object" && inner !== null && !isList(inner) ? inner : undefined;
}
