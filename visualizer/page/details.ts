import type {
  ArgumentRepair,
  ErrorFacts,
  LateRecord,
  ToolFailure,
} from "../../machines/contract.ts";
import type { PageCall } from "./calls.ts";
import { h } from "./dom.ts";
import { formatMs, formatTime, plural } from "./format.ts";
import { modelText } from "./model-text.ts";
import { facts, section, textBlock } from "./texts.ts";

/** Everything about a call but its path, most wanted first. Parts that a call does not have are left out. */
export function detailsOf(call: PageCall): readonly HTMLElement[] {
  const { record, lates } = call;
  const { result } = record;
  const { failure, metadata } = result;
  const parts: (HTMLElement | undefined)[] = [
    section("What the model reads", () => [textBlock(modelText(result))]),
    ...argumentParts(call),
    failure && section("Failure", () => failureFacts(failure, result.error)),
    metadata.retried && section("Attempts that were retried", () => retriedFacts(metadata.retried)),
    lates.length > 0 ? section("What came late", () => lates.flatMap(lateFacts)) : undefined,
    permissionPart(call),
    channelPart(call),
    metadata.structured === undefined
      ? undefined
      : section("Structured value", () => [textBlock(metadata.structured)]),
    metadata.stderr === undefined
      ? undefined
      : section("stderr", () => [textBlock(metadata.stderr)]),
    metadata.tool && section("Facts of the tool", () => [textBlock(metadata.tool)]),
    Object.keys(record.context ?? {}).length > 0
      ? section("Caller", () => [textBlock(record.context)])
      : undefined,
    wholeRecord(call),
  ];
  return parts.filter((part) => part !== undefined);
}

function argumentParts({ record }: PageCall): readonly HTMLElement[] {
  const asked = record.call.arguments;
  const got = record.arguments;
  const { repairs = [], calledAs } = record.result.metadata;
  const named =
    calledAs === undefined ? [] : [section("The model called it", () => [textBlock(calledAs)])];
  const mended =
    repairs.length === 0
      ? named
      : [
          ...named,
          section("Mended in the arguments", () => repairs.map((each) => facts(toFacts(each)))),
        ];
  if (got === undefined) return [...mended, section("Arguments", () => [textBlock(asked)])];
  return [
    ...mended,
    section("Arguments that the tool got", () => [textBlock(got)]),
    section("Arguments as the model wrote them", () => [textBlock(asked)]),
  ];
}

function toFacts({ path, rule, message }: ArgumentRepair): readonly (readonly [string, string])[] {
  return [
    ["where", path === "" ? "the whole" : path],
    ["rule", rule],
    ["what", message],
  ];
}

/** The message is left out where it is what the model reads: that stands above already. */
function failureFacts(failure: ToolFailure, told: string | undefined): readonly Node[] {
  const { faults = [], nearest, cause } = failure;
  const nodes: Node[] = [
    facts([
      ["code", failure.code],
      ["stage", failure.stage],
      ["did the tool run?", failure.executed],
      ["to be mended by", failure.handledBy],
      [
        "may pass by itself",
        failure.retryable === undefined ? undefined : yesNo(failure.retryable),
      ],
      [
        "come back after",
        failure.retryAfterMs === undefined ? undefined : formatMs(failure.retryAfterMs),
      ],
      ["nearest names", nearest?.join(", ")],
    ]),
    ...(failure.message === told ? [] : [textBlock(failure.message)]),
  ];
  for (const fault of faults) {
    nodes.push(
      facts([
        ["where", fault.path === "" ? "the whole" : fault.path],
        ["keyword", fault.keyword],
        ["fault", fault.message],
      ]),
    );
  }
  if (cause !== undefined) nodes.push(...causeFacts(cause));
  return nodes;
}

function causeFacts(cause: ErrorFacts): readonly Node[] {
  const { stack, cause: further, ...facts } = cause;
  const summary = `${cause.name}: ${cause.message}`;
  const parts =
    stack === undefined ? [toFolded("What was thrown", facts)] : [toFolded(summary, stack)];
  return further === undefined ? parts : [...parts, ...causeFacts(further)];
}

function toFolded(title: string, value: unknown): HTMLElement {
  const folded = h("details", {}, h("summary", {}, title));
  const open = (): void => folded.append(textBlock(value));
  folded.addEventListener("toggle", open, { once: true });
  return folded;
}

function retriedFacts(retried: readonly ToolFailure[] = []): readonly Node[] {
  return retried.map((failure, index) =>
    h(
      "div",
      { class: "attempt" },
      h("h4", {}, `Attempt ${index + 1}`),
      facts([
        ["code", failure.code],
        ["did the tool run?", failure.executed],
        ["message", failure.message],
      ]),
    ),
  );
}

function lateFacts({ attempt, at, outcome }: LateRecord): readonly Node[] {
  const came = `Attempt ${attempt} ended ${formatMs(at)} after the call began, when the call was already over.`;
  return [h("p", {}, came), textBlock(outcome)];
}

function permissionPart({ record }: PageCall): HTMLElement | undefined {
  const { decision, approval, humanWaitMs } = record.result.metadata;
  if (decision === undefined && approval === undefined) return undefined;
  return section("Permission", () => [
    facts([
      ["policy", decision?.decision],
      ["rule", decision?.rule],
      ["reason", decision?.reason],
      ["person", approval?.decision],
      ["by", approval?.by],
      ["said", approval?.reason],
      ["at", approval === undefined ? undefined : formatTime(approval.decidedAt)],
      ["arguments", approval?.edited ? "changed by the person" : undefined],
      ["waited", humanWaitMs > 0 ? formatMs(humanWaitMs) : undefined],
    ]),
  ]);
}

function channelPart({ record }: PageCall): HTMLElement | undefined {
  const { exitCode, signal, truncated, losses, progressDropped } = record.result.metadata;
  const rows: readonly (readonly [string, unknown])[] = [
    ["exit code", exitCode ?? undefined],
    ["signal", signal ?? undefined],
    [
      "output was cut",
      truncated && `${truncated.keptChars} of ${plural(truncated.totalChars, "character")} kept`,
    ],
    ["left out", losses?.join("\n")],
    ["progress dropped", progressDropped && plural(progressDropped, "event")],
  ];
  if (rows.every(([, value]) => value === undefined)) return undefined;
  return section("Run", () => [facts(rows)]);
}

function wholeRecord({ record }: PageCall): HTMLElement {
  return section("Record", () => [
    facts([
      ["call", record.call.id],
      ["execution", record.executionId],
    ]),
    toFolded("The whole record as JSON", record),
  ]);
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
