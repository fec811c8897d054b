import { TYPES, typeMeant } from "./type-words.ts";
import { DROP, dropped, type Rule, show } from "./values.ts";
import { change, fault, type Place, type Scope } from "./walk.ts";

const KNOWN: ReadonlySet<unknown> = new Set(TYPES);

/** `type`: words of other languages become those of JSON Schema; what names no type is a fault. */
export const type: Rule = (value, place, scope) => {
  if (KNOWN.has(value)) return value;
  if (value === null) return dropped(scope, place, "null is no type");
  if (!Array.isArray(value)) return oneType(value, place, scope);
  if (value.every((each) => KNOWN.has(each)) && new Set(value).size === value.length) {
    return value.length > 0 ? value : dropped(scope, place, "it names no type");
  }
  return manyTypes(value, place, scope);
};

function oneType(value: unknown, place: Place, scope: Scope): unknown {
  const meant = typeof value === "string" ? typeMeant(value) : undefined;
  if (meant === undefined) return unknownType(value, place, scope);
  if (meant === "any") return dropped(scope, place, `${show(value)} restricts nothing`);
  change(scope, place, `is ${show(meant)}, given as ${show(value)}`);
  return meant;
}

function manyTypes(values: readonly unknown[], place: Place, scope: Scope): unknown {
  // In a list of types, null can only be the type.
  const meant = values.map((each) =>
    each === null ? "null" : typeof each === "string" ? typeMeant(each) : undefined,
  );
  const wrong = meant.indexOf(undefined);
  if (wrong >= 0) return unknownType(values[wrong], place, scope);
  if (meant.includes("any")) return dropped(scope, place, "one of its types is any");
  const distinct = [...new Set(meant)];
  change(scope, place, `is ${show(distinct)}, given as ${show(values)}`);
  return distinct;
}

function unknownType(value: unknown, place: Place, scope: Scope): typeof DROP {
  const types = TYPES.map((each) => `"${each}"`).join(", ");
  fault(scope, place, `must be one of ${types} (or a list of them), not ${show(value)}`);
  return DROP;
}
