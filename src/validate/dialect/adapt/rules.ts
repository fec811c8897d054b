import { pattern, patternProperties } from "./pattern-rules.ts";
import { dependencies, nameMap, schema, schemaMap, schemas } from "./schema-rules.ts";
import { type } from "./type-rule.ts";
import {
  banned,
  dropped,
  factor,
  flag,
  least,
  most,
  number,
  type Rule,
  required,
  values,
  words,
} from "./values.ts";
import { fault, type Traits } from "./walk.ts";

/** Notes that a schema makes use of something. */
function noting(trait: keyof Traits, rule: Rule): Rule {
  return (value, place, scope) => {
    scope.walk.traits[trait] = true;
    return rule(value, place, scope);
  };
}

const name: Rule = (value, place, scope) =>
  typeof value === "string" && value !== ""
    ? value
    : dropped(scope, place, "it is no name, and nothing can refer to it");

const reference: Rule = (value, place, scope) => {
  if (typeof value === "string") {
    scope.walk.refs.push({ ref: value, place, resource: scope.resource });
    return value;
  }
  if (value !== null) fault(scope, place, "must be a reference to a schema, as text");
  return dropped(scope, place, "it refers to nothing");
};

/** What each keyword of 2020-12 may hold. Keywords that are not here restrict nothing and are left as they are. */
export const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["$anchor", noting("resources", name)],
  ["$async", banned],
  ["$comment", words],
  ["$defs", schemaMap],
  ["$dynamicAnchor", noting("resources", name)],
  ["$dynamicRef", noting("special", noting("resources", reference))],
  ["$recursiveAnchor", noting("resources", flag)],
  ["$recursiveRef", noting("special", noting("resources", reference))],
  ["$ref", noting("conditions", reference)],
  ["additionalProperties", schema],
  ["allOf", schemas],
  ["anyOf", schemas],
  ["contains", schema],
  ["definitions", schemaMap],
  ["dependencies", noting("conditions", dependencies)],
  ["dependentRequired", nameMap],
  ["dependentSchemas", noting("conditions", schemaMap)],
  ["description", words],
  ["else", schema],
  ["enum", values],
  ["exclusiveMaximum", number],
  ["exclusiveMinimum", number],
  ["format", words],
  ["if", noting("conditions", schema)],
  ["items", schema],
  ["maxContains", most],
  ["maxItems", most],
  ["maxLength", most],
  ["maxProperties", most],
  ["maximum", number],
  ["minContains", least],
  ["minItems", least],
  ["minLength", least],
  ["minProperties", least],
  ["minimum", number],
  ["multipleOf", factor],
  ["not", noting("conditions", schema)],
  ["oneOf", schemas],
  ["pattern", pattern],
  ["patternProperties", patternProperties],
  ["prefixItems", schemas],
  ["properties", schemaMap],
  ["propertyNames", schema],
  ["required", required],
  ["then", schema],
  ["title", words],
  ["type", type],
  ["unevaluatedItems", noting("special", schema)],
  ["unevaluatedProperties", noting("unevaluatedProperties", schema)],
  ["uniqueItems", flag],
]);
