import type { ErrorObject } from "ajv";
import { resolvePointer } from "../pointer.ts";

/** Schemas looked at for one branch. Larger ones are cut: their errors are told as those of the whole choice. */
const MAX_REACHED = 2_000;

/**
 * A failed anyOf or oneOf brings along the errors of all its branches. Where one branch was evidently meant, its errors are
 * kept and the rest goes; else the choice itself is told, and the errors inside of it go. `if` says nothing of its own.
 * `root` is the whole schema, in which `$ref`s point.
 */
export function condense(errors: readonly ErrorObject[], root: unknown): readonly ErrorObject[] {
  let kept: readonly ErrorObject[] = errors.filter(({ keyword }) => keyword !== "if");
  // Inner choices come before outer ones: each is settled when its outer one is looked at.
  for (const choice of errors) {
    if (choice.keyword === "anyOf" || choice.keyword === "oneOf") kept = settle(kept, choice, root);
  }
  return kept;
}

function settle(
  errors: readonly ErrorObject[],
  choice: ErrorObject,
  root: unknown,
): readonly ErrorObject[] {
  const before = errors.slice(0, errors.indexOf(choice));
  const branches = branchesOf(before, choice, root);
  const inside = new Set(branches.flat());
  const told = meant(branches, choice) ?? [choice];
  return errors.flatMap((error) => {
    if (error === choice) return told;
    return inside.has(error) ? [] : [error];
  });
}

/** The errors of each branch. By the identity of their schemas: the paths of schemas behind a `$ref` tell nothing. */
function branchesOf(
  errors: readonly ErrorObject[],
  choice: ErrorObject,
  root: unknown,
): readonly (readonly ErrorObject[])[] {
  const schemas: readonly unknown[] = Array.isArray(choice.schema) ? choice.schema : [];
  const left = new Set(errors.filter((error) => isAtOrBelow(error, choice)));
  return schemas.map((schema) => {
    const reached = reach(schema, root);
    const own = [...left].filter(({ parentSchema }) => reached.has(parentSchema));
    for (const error of own) left.delete(error);
    return own;
  });
}

function isAtOrBelow({ instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`);
}

/** All schemas within a schema, through `$ref`s into the same document. */
function reach(schema: unknown, root: unknown): ReadonlySet<unknown> {
  const reached = new Set<unknown>();
  const open: unknown[] = [schema];
  while (open.length > 0 && reached.size < MAX_REACHED) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || reached.has(next)) continue;
    reached.add(next);
    open.push(...Object.values(next));
    if ("$ref" in next && typeof next.$ref === "string") open.push(resolvePointer(root, next.$ref));
  }
  return reached;
}

/** The errors to tell instead of the choice, when it is clear enough which branch was meant. */
function meant(
  branches: readonly (readonly ErrorObject[])[],
  choice: ErrorObject,
): readonly ErrorObject[] | undefined {
  // With oneOf, a branch without errors fits; then several do.
  const failed = branches.filter((branch) => branch.length > 0);
  const typed = failed.filter((branch) => !branch.some((error) => isOtherKind(error, choice)));
  const chosen = typed.filter((branch) => !branch.some((error) => isTag(error, choice)));
  if (chosen.length === 1) return chosen[0];
  if (chosen.length === 0) return wrongTag(typed, choice);
  return clearlyNearest(chosen);
}

/** The value is of another type than the branch, or no constant of it: that branch was not meant. */
function isOtherKind({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return instancePath === choice.instancePath && ["type", "const", "enum"].includes(keyword);
}

/** A property that tells the branches apart (`kind: "circle"`) has another value. */
function isTag(error: ErrorObject, choice: ErrorObject): boolean {
  return error.instancePath !== choice.instancePath && tagValue(error) !== undefined;
}

function tagValue({ keyword, params }: ErrorObject): { readonly value: unknown } | undefined {
  if (keyword === "const") return { value: params["allowedValue"] };
  const allowed: unknown = keyword === "enum" ? params["allowedValues"] : undefined;
  return Array.isArray(allowed) && allowed.length === 1 ? { value: allowed[0] } : undefined;
}

/** No branch has the tag that was given: the tags there are, at the tag. */
function wrongTag(
  typed: readonly (readonly ErrorObject[])[],
  choice: ErrorObject,
): readonly ErrorObject[] | undefined {
  const tags = typed.map((branch) => branch.find((error) => isTag(error, choice)));
  const [first] = tags;
  if (first === undefined || tags.some((tag) => tag?.instancePath !== first.instancePath))
    return undefined;
  const values = tags.flatMap((tag) => (tag === undefined ? [] : [tagValue(tag)?.value]));
  return [{ ...first, keyword: "enum", params: { allowedValues: [...new Set(values)] } }];
}

/** The branch with one error, when each other one has at least three. */
function clearlyNearest(
  chosen: readonly (readonly ErrorObject[])[],
): readonly ErrorObject[] | undefined {
  const [best, second] = chosen.toSorted((a, b) => a.length - b.length);
  return best !== undefined && best.length === 1 && (second?.length ?? 0) >= 3 ? best : undefined;
}
