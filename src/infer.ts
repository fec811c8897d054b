/**
 * The type of the data that a literal JSON Schema describes: what `defineTool` infers for `execute`.
 *
 * It follows type, properties, required, additionalProperties, items, prefixItems, enum, const, anyOf, oneOf, allOf and
 * `nullable`. What it does not follow (`$ref`, conditions, schemas that are not literals) is `unknown`: never wrong, only wide.
 */
export type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? Plain<C>
  : S extends { readonly enum: readonly (infer E)[] }
    ? Plain<E>
    : S extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromBranch<Branch>
      : S extends { readonly oneOf: readonly (infer Branch)[] }
        ? FromBranch<Branch>
        : S extends { readonly allOf: infer Parts extends readonly unknown[] }
          ? FromAll<Parts>
          : S extends { readonly type: infer T }
            ? FromType<S, T> | (S extends { readonly nullable: true } ? null : never)
            : S extends { readonly properties: object }
              ? FromObject<S>
              : S extends false
                ? never
                : unknown;

/** The arguments of a tool with the JSON Schema `S`. They are always an object. */
export type ArgumentsFromJsonSchema<S> =
  unknown extends FromJsonSchema<S> ? { [name: string]: unknown } : FromJsonSchema<S>;

/** Distributes over the branches of a choice. */
type FromBranch<Branch> = Branch extends unknown ? FromJsonSchema<Branch> : never;

type FromAll<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? FromJsonSchema<First> & FromAll<Rest>
  : unknown;

type FromType<S, T> = T extends readonly (infer One)[]
  ? FromType<S, One>
  : T extends "string"
    ? string
    : T extends "number" | "integer"
      ? number
      : T extends "boolean"
        ? boolean
        : T extends "null"
          ? null
          : T extends "array"
            ? FromArray<S>
            : T extends "object"
              ? FromObject<S>
              : unknown;

type FromArray<S> = S extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? [...FromTuple<Items>, ...(S extends { readonly items: false } ? [] : unknown[])]
  : S extends { readonly items: infer Item }
    ? FromJsonSchema<Item>[]
    : unknown[];

/** Without `minItems`, fewer items than described are allowed. */
type FromTuple<Items extends readonly unknown[]> = Items extends readonly [
  infer First,
  ...infer Rest,
]
  ? [FromJsonSchema<First>?, ...FromTuple<Rest>]
  : [];

type FromObject<S> = S extends { readonly properties: infer P extends object }
  ? FromProperties<P, RequiredOf<S>>
  : S extends { readonly additionalProperties: infer Value extends object }
    ? { [name: string]: FromJsonSchema<Value> }
    : S extends { readonly additionalProperties: false }
      ? Record<string, never>
      : { [name: string]: unknown };

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Flattened, so that an editor shows one object type. */
type FromProperties<P extends object, Name> = Flat<
  { -readonly [K in keyof P as K extends Name ? K : never]: FromJsonSchema<P[K]> } & {
    -readonly [K in keyof P as K extends Name ? never : K]?: FromJsonSchema<P[K]>;
  } & { [K in Exclude<Name, keyof P> & string]: unknown }
>;

type Flat<T> = { [K in keyof T]: T[K] };

/** A literal as data: what `as const` made readonly is the tool's own, and writable. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;
