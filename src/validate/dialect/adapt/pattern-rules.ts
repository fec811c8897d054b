import { readPattern } from "../patterns/pattern.ts";
import { schemaMap } from "./schema-rules.ts";
import { DROP, dropped, type Rule, show } from "./values.ts";
import { change, fault, type Place, type Scope, step } from "./walk.ts";

/** `pattern`: the text stays as it is; the change says how it is read. */
export const pattern: Rule = (value, place, scope) => {
  if (value === null) return dropped(scope, place, "null is no pattern");
  if (typeof value === "string") return isRead(value, place, scope) ? value : DROP;
  fault(scope, place, `must be a regular expression, as text, not ${show(value)}`);
  return DROP;
};

/** `patternProperties`: its keys are patterns. */
export const patternProperties: Rule = (value, place, scope) => {
  const read = schemaMap(value, place, scope);
  if (typeof read === "object" && read !== null) {
    for (const key of Object.keys(read)) isRead(key, step(place, key), scope);
  }
  return read;
};

function isRead(source: string, place: Place, scope: Scope): boolean {
  const read = readPattern(source);
  if ("reason" in read) {
    fault(
      scope,
      place,
      `must be a regular expression, but ${show(source)} is none: ${read.reason}`,
    );
    return false;
  }
  if (read.change !== undefined) change(scope, place, read.change);
  return true;
}
