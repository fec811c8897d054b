import { reasonOf, UnusableError } from "./exit.ts";
import { isRecord, kindOf, own, type UnknownRecord } from "./record.ts";

/** A tool as a list of tools declares it: a name and a schema, nothing to run. */
export interface DeclaredTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}

/** What a list of tools holds. */
export interface DeclaredTools {
  readonly tools: readonly DeclaredTool[];
  /** Entries that cannot be used, by name (`#3` where they have none), and why. */
  readonly broken: ReadonlyMap<string, string>;
}

/**
 * Reads a list of tools: an array of `{ name, inputSchema | parameters_jsonschema | parameters }`, the answer to MCP's
 * `tools/list` (with or without its JSON-RPC envelope), OpenAI's `tools`, or such objects one a line. Throws
 * {@link UnusableError} when the text is none of them.
 */
export function readTools(text: string): DeclaredTools {
  const broken = new Map<string, string>();
  const tools = new Map<string, DeclaredTool>();
  for (const [index, entry] of listOf(text).entries()) {
    const tool = toDeclared(entry, index);
    if (tool instanceof Broken) broken.set(tool.name, tool.reason);
    else keep(tool, tools, broken);
  }
  for (const name of broken.keys()) tools.delete(name);
  return { tools: [...tools.values()], broken };
}

class Broken {
  readonly name: string;
  readonly reason: string;
  constructor(name: string, reason: string) {
    this.name = name;
    this.reason = reason;
  }
}

/** The same tool twice is one tool; two tools of one name cannot be told apart by a call. */
function keep(
  tool: DeclaredTool,
  tools: Map<string, DeclaredTool>,
  broken: Map<string, string>,
): void {
  const known = tools.get(tool.name);
  if (known === undefined) {
    tools.set(tool.name, tool);
  } else if (JSON.stringify(known.inputSchema) !== JSON.stringify(tool.inputSchema)) {
    broken.set(tool.name, "is declared more than once, with different schemas");
  }
}

function toDeclared(entry: unknown, index: number): DeclaredTool | Broken {
  if (!isRecord(entry)) return new Broken(`#${index + 1}`, `is ${kindOf(entry)}, not an object`);
  const nested = own(entry, "function");
  const source = isRecord(nested) ? nested : entry;
  const name = own(source, "name");
  if (typeof name !== "string" || name === "") return new Broken(`#${index + 1}`, "has no name");
  const schema = schemaOf(source, own(entry, "type") === "function");
  if (schema === undefined) return new Broken(name, "has neither inputSchema nor parameters");
  const description = own(source, "description");
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: schema,
  };
}

/** OpenAI leaves `parameters` out for a function without any; elsewhere a missing schema is a mistake. */
function schemaOf(source: UnknownRecord, isFunction: boolean): unknown {
  return (
    own(source, "inputSchema") ??
    own(source, "parameters_jsonschema") ??
    own(source, "parameters") ??
    (isFunction ? { type: "object", properties: {} } : undefined)
  );
}

function listOf(text: string): readonly unknown[] {
  if (text.trim() === "") throw new UnusableError("is empty");
  const whole = parse(text);
  const list = whole.ok ? listIn(whole.value) : parseLines(text, whole.reason);
  if (list === undefined) {
    throw new UnusableError(
      "has no list of tools: an array, {tools: […]} or {result: {tools: […]}}",
    );
  }
  if (list.length === 0) throw new UnusableError("lists no tools");
  return list;
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const tools = own(value, "tools");
  if (Array.isArray(tools)) return tools;
  const result = own(value, "result");
  if (isRecord(result)) return listIn(result);
  return own(value, "name") === undefined && own(value, "function") === undefined
    ? undefined
    : [value];
}

function parseLines(text: string, reason: string): readonly unknown[] {
  const lines = text.split("\n").map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines.flatMap(({ line, number }) => {
    if (line === "") return [];
    const parsed = parse(line);
    if (parsed.ok) return [parsed.value];
    throw new UnusableError(
      number === 1 ? `is not JSON (${reason})` : `has no JSON in line ${number} (${parsed.reason})`,
    );
  });
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}
