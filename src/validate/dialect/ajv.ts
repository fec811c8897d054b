import { createRequire } from "node:module";
import type { AnySchema, Options, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { formatNames, readFormat } from "./formats.ts";
import { OWN_KEYWORDS } from "./keywords.ts";
import { readPattern } from "./patterns/pattern.ts";

const require = createRequire(import.meta.url);

/** ajv's engine for patterns. ajv asks for its code as well, which it would need only to print functions. */
const regExp = Object.assign(
  (source: string) => {
    const read = readPattern(source);
    return {
      // A pattern that is none was told when the schema was read.
      test: "reason" in read ? () => true : read.test,
      // ajv keeps equal ones once.
      toString: () => source,
    };
  },
  { code: "readPattern" },
);

const OPTIONS: Options = {
  // Schemas in the wild carry unknown keywords and formats: they are ignored, as the specification asks.
  strict: false,
  // What strict mode would refuse as a number.
  strictNumbers: true,
  // It only says whether data is valid.
  messages: false,
  logger: false,
  // Schemas were read keyword by keyword before.
  validateSchema: false,
  meta: false,
  // Half of the time of a compilation, for code that V8 optimizes itself.
  code: { optimize: false, regExp },
};

/** A compiler keeps a trace of all that it compiled: it is replaced after that many. */
const MAX_COMPILED = 200;

const compilers = new Map<string, { readonly ajv: Ajv2020; compiled: number }>();

/** How a compiler is set. */
interface Setting {
  readonly formats: boolean;
  /** Are inherited properties told from own ones? That costs a third of validating. */
  readonly ownProperties: boolean;
}

/** Names that every object inherits. `toString` is no property that a model gave. */
const INHERITED =
  /"(?:constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|__\w+__)"/;

/** ajv takes 50 ms to load: programs that never need it do not. It is shared: no schema that comes here has an id. */
function compilerFor(setting: Setting): Ajv2020 {
  const { formats, ownProperties } = setting;
  const key = `${formats} ${ownProperties}`;
  const shared = compilers.get(key);
  if (shared !== undefined && shared.compiled < MAX_COMPILED) {
    shared.compiled += 1;
    return shared.ajv;
  }
  const { Ajv2020: Compiler }: { Ajv2020: typeof Ajv2020 } = require("ajv/dist/2020.js");
  const ajv = new Compiler({ ...OPTIONS, ownProperties, validateFormats: formats });
  for (const name of formatNames()) {
    const format = readFormat(name);
    if (format === undefined) continue;
    const { type, validate } = format;
    ajv.addFormat(name, type === "number" ? { type, validate } : validate);
  }
  for (const keyword of OWN_KEYWORDS) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  compilers.set(key, { ajv, compiled: 1 });
  return ajv;
}

/**
 * Compiles an adapted schema without ids and without dialect (see `isForAjv`).
 *
 * @throws Error when ajv cannot compile it; RangeError when its code would be too deep
 */
export function compileByAjv(schema: AnySchema, formats: boolean): ValidateFunction {
  const ownProperties = INHERITED.test(JSON.stringify(schema));
  const ajv = compilerFor({ formats, ownProperties });
  try {
    return ajv.compile(schema);
  } finally {
    // The function lives in its closure; the compiler's cache would keep each schema, also a broken one.
    if (typeof schema === "object") ajv.removeSchema(schema);
  }
}
