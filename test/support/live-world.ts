/** A live call in the world of a scenario, moved by the events of the model. */
import { type Actor, createActor, SimulatedClock } from "xstate";
import type { PolicyDecision, ToolCallContext } from "../../machines/index.ts";
import {
  createExecutor,
  createRegistry,
  type Executor,
  type TraceRecord,
} from "../../src/index.ts";
import { createDeferredTool, type DeferredTool, settle } from "../../src/testing/index.ts";
import type { ToolCallLogic } from "../../src/tool-call-logic.ts";
import { OUTCOMES, type Scenario, situationOf } from "./chart-model.ts";

const SCHEMA = {
  type: "object",
  properties: { edited: { type: "boolean" } },
  additionalProperties: false,
} as const;

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}

/** One process: an executor and what its surroundings have been asked. */
interface Process {
  readonly executor: Executor;
  readonly tool: DeferredTool;
  readonly blocker: DeferredTool;
  readonly decision: () => Deferred<PolicyDecision>;
  readonly normalized: () => Deferred<string>;
  readonly records: TraceRecord[];
}

function startProcess(scenario: Scenario, clock: SimulatedClock): Process {
  const decisions: Deferred<PolicyDecision>[] = [];
  const normalizations: Deferred<string>[] = [];
  const records: TraceRecord[] = [];
  const tool = createDeferredTool({
    name: "t",
    inputSchema: SCHEMA,
    deaf: true,
    executionTimeoutMs: 1000,
    graceMs: 100,
    annotations: { idempotentHint: scenario.idempotent },
    retry: { maxAttempts: scenario.maxAttempts, baseMs: 40 },
    ...(scenario.normalizer === "plain"
      ? {}
      : {
          normalize() {
            const next = deferred<string>();
            normalizations.push(next);
            return next.promise;
          },
        }),
  });
  const blocker = createDeferredTool({ name: "blocker", deaf: true });
  const executor = createExecutor({
    registry: createRegistry([tool.tool, blocker.tool], { strict: true }),
    clock,
    limits: {
      concurrency: 1,
      maxQueued: scenario.slot === "full" ? 0 : 10,
      executionTimeoutMs: 1e8,
      queueTimeoutMs: 500,
      approvalTimeoutMs: 5000,
      policyTimeoutMs: 300,
      normalizerTimeoutMs: 200,
      deadlineMs: 1e9,
    },
    sinks: [{ name: "list", write: (record) => void records.push(record) }],
    policy(request) {
      if (request.tool.name === "blocker") return "allow";
      if (scenario.policy !== "asynchronous") return scenario.policy;
      const next = deferred<PolicyDecision>();
      decisions.push(next);
      return next.promise;
    },
  });
  if (scenario.slot !== "free") {
    void executor.execute({ id: "blocker", name: "blocker", arguments: {} });
  }
  return {
    executor,
    tool,
    blocker,
    records,
    decision: () => newest(decisions),
    normalized: () => newest(normalizations),
  };
}

function newest<T>(list: readonly T[]): T {
  const last = list.at(-1);
  if (last === undefined) throw new Error("nothing was asked");
  return last;
}

/** A live call, and a way to make happen to it what the model says. */
export interface LiveWorld {
  readonly apply: (event: { readonly type: string }) => Promise<void>;
  readonly situation: () => string;
  readonly snapshot: () => ReturnType<Actor<ToolCallLogic>["getSnapshot"]>;
  /** The records of the process that the call lives in now. */
  readonly records: () => readonly TraceRecord[];
  readonly end: () => void;
}

/** A call that has been created and not started. */
export function createLiveWorld(scenario: Scenario): LiveWorld {
  const clock = new SimulatedClock();
  let process = startProcess(scenario, clock);
  let actor: Actor<ToolCallLogic> = createActor(process.executor.toolCallLogic, {
    clock,
    input: {
      call: { id: "c", name: "t", arguments: scenario.arguments === "valid" ? {} : { bad: true } },
    },
  });
  let started = false;
  const context = (): ToolCallContext => actor.getSnapshot().context;
  const start = (): void => {
    started = true;
    actor.start();
  };

  /** The process dies; another one takes the call up from what was persisted. */
  const resume = (): void => {
    const persisted = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    actor.stop();
    process = startProcess(scenario, clock);
    actor = process.executor.restore(persisted).actor as Actor<ToolCallLogic>;
    started = true;
  };

  const attempt = (output: unknown): void => {
    const run = process.tool.last();
    if (output === OUTCOMES.returned) run.resolve("R");
    else if (output === OUTCOMES.transient) {
      run.reject(Object.assign(new Error("busy"), { retryable: true }));
    } else run.reject(new Error("broken"));
  };

  const moves: Record<string, (event: Record<string, unknown>) => void> = {
    "call.start": start,
    "call.resume": resume,
    "slot.granted": () => process.blocker.last().resolve("done"),
    "xstate.done.actor.attempt": ({ output }) => attempt(output),
    "xstate.done.actor.decision": ({ output }) =>
      process.decision().resolve((output as { value: PolicyDecision }).value),
    "xstate.done.actor.normalizer": () => process.normalized().resolve("N"),
  };
  const command = (event: Record<string, unknown>): void => {
    const edited = event["arguments"] === undefined ? {} : { arguments: { edited: true } };
    actor.send({ ...event, ...edited } as never);
    // What is sent to an actor that was not started waits for its start.
    if (!started) start();
  };
  const passTime = (): void => {
    const left = (context().stateDeadlineAt ?? 0) - clock.now();
    if (left > 1) {
      const before = situationOf(actor.getSnapshot());
      clock.increment(left - 1);
      if (situationOf(actor.getSnapshot()) !== before) throw new Error("the deadline came early");
    }
    clock.increment(1);
  };

  return {
    async apply(event) {
      const isTime = event.type.startsWith("xstate.after.") || event.type.endsWith(".timeout");
      if (isTime) passTime();
      else (moves[event.type] ?? command)(event as unknown as Record<string, unknown>);
      await settle();
    },
    situation: () => situationOf(actor.getSnapshot()),
    snapshot: () => actor.getSnapshot(),
    records: () => process.records,
    end: () => actor.stop(),
  };
}
