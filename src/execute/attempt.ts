import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import type { RawOutcome } from "../../machines/index.ts";
import type { ChildLogic } from "../../machines/tool-call-children.ts";
import type { ToolCallContext } from "../../machines/tool-call-context.ts";
import { toPlain } from "../plain.ts";
import type { RegisteredTool } from "../registry.ts";
import { createSettlingChild } from "../settling-child.ts";
import type { ToolContext } from "../tool.ts";
import { toReturned, toThrew } from "./outcome.ts";
import { type Afterwards, type LazySignal, toolEffect } from "./tool-effect.ts";

/** Progress events of one attempt that are passed on; further ones are counted and dropped. */
const MAX_PROGRESS_EVENTS = 1000;

/** What the attempts of one executor share. */
export interface AttemptOptions {
  readonly toolOf: (context: ToolCallContext) => RegisteredTool | undefined;
  /** An outcome came after its call had ended. */
  readonly onLate: (context: ToolCallContext, outcome: RawOutcome) => void;
}

interface Running {
  readonly fiber: { readonly interruptUnsafe: () => void };
  abandoned: boolean;
}

/** The logic of the child that runs a tool once: one Effect fiber, which ends in one {@link RawOutcome}. */
export function createAttempt(options: AttemptOptions): ChildLogic<RawOutcome> {
  const running = new WeakMap<object, Running>();
  return createSettlingChild<RawOutcome>({
    start({ context, parent, child, settle }) {
      const progress = createProgress((data) => parent.send({ type: "attempt.progress", data }));
      const afterwards: Afterwards = {};
      const effect = toolEffect(
        {
          call: (signal) => callTool(options.toolOf(context), context, signal, progress.report),
          onProgress: progress.report,
          abortReason: () => toAbortReason(parent.getSnapshot().context),
        },
        afterwards,
      );
      const fiber = Effect.runFork(effect);
      const run: Running = { fiber, abandoned: false };
      running.set(child, run);
      fiber.addObserver((exit) => {
        progress.end();
        const outcome = { ...toOutcome(exit, afterwards), ...progress.dropped() };
        if (run.abandoned) options.onLate(context, outcome);
        else settle(outcome);
      });
    },
    interrupt: (child) => running.get(child)?.fiber.interruptUnsafe(),
    stop(child) {
      const run = running.get(child);
      if (run === undefined) return;
      run.abandoned = true;
      run.fiber.interruptUnsafe();
    },
  });
}

function callTool(
  registered: RegisteredTool | undefined,
  context: ToolCallContext,
  { signal }: LazySignal,
  progress: (data: unknown) => void,
): unknown {
  // Only a call that was restored into an executor without its tool gets here.
  if (registered === undefined) throw new Error(`No tool "${context.call.name}" is registered.`);
  const toolContext: ToolContext = {
    callId: context.call.id,
    executionId: context.executionId,
    toolName: registered.tool.name,
    attempt: context.attempt,
    idempotencyKey: context.executionId,
    get signal() {
      return signal();
    },
    deadlineAt: context.stateDeadlineAt ?? context.deadlineAt,
    caller: context.caller,
    progress,
  };
  return registered.tool.execute(registered.toArguments(context.arguments), toolContext);
}

function createProgress(send: (data: unknown) => void) {
  let count = 0;
  let ended = false;
  return {
    report(data: unknown): void {
      if (ended) return;
      count += 1;
      if (count <= MAX_PROGRESS_EVENTS) send(toPlain(data).value ?? null);
    },
    end(): void {
      ended = true;
    },
    dropped: () =>
      count > MAX_PROGRESS_EVENTS ? { progressDropped: count - MAX_PROGRESS_EVENTS } : {},
  };
}

function toOutcome(exit: Exit.Exit<unknown, unknown>, { settled }: Afterwards): RawOutcome {
  if (exit._tag === "Success") return toReturned(exit.value);
  if (!Cause.hasInterruptsOnly(exit.cause)) return toThrew(Cause.squash(exit.cause));
  if (settled === undefined) return { status: "interrupted" };
  return settled.ok ? toReturned(settled.value) : toThrew(settled.error);
}

/** The same names as `AbortSignal.timeout` and `AbortController.abort` give. */
function toAbortReason(context: ToolCallContext | undefined): DOMException {
  const failure = context?.failure;
  return new DOMException(
    failure?.message ?? "The call was stopped.",
    failure?.code === "timed_out" ? "TimeoutError" : "AbortError",
  );
}
