/**
 * Embed: an agent as a machine of your own, whose tool calls are actors of callchart in the same actor system.
 *
 * The agent asks a model (a scripted one here), spawns one actor for each call that the model wants, shows their
 * progress, answers an approval, gathers the results, and asks the model again until it answers in words.
 */
import assert from "node:assert/strict";
import {
  createExecutor,
  createRegistry,
  defineTool,
  forModel,
  type ToolCall,
  type ToolCallEmitted,
  type ToolResult,
} from "callchart";
import {
  assign,
  createActor,
  type DoneActorEvent,
  enqueueActions,
  fromPromise,
  setup,
  toPromise,
} from "xstate";

const searchFlights = defineTool({
  name: "search_flights",
  description: "Finds flights between two airports.",
  inputSchema: {
    type: "object",
    properties: { from: { type: "string" }, to: { type: "string" } },
    required: ["from", "to"],
  },
  annotations: { readOnlyHint: true },
  async *execute({ to }: { from: string; to: string }) {
    yield "asked 2 airlines";
    return [{ flight: `CC 100 to ${to}`, euros: 89 }];
  },
});

const bookFlight = defineTool({
  name: "book_flight",
  description: "Books a flight and pays for it.",
  inputSchema: {
    type: "object",
    properties: { flight: { type: "string" } },
    required: ["flight"],
  },
  requiresApproval: true,
  execute: ({ flight }: { flight: string }) => `Booked: ${flight}`,
});

const executor = createExecutor({ registry: createRegistry([searchFlights, bookFlight]) });

/** What a model says: tool calls, or an answer. */
type Reply = { readonly calls: readonly ToolCall[] } | { readonly answer: string };

/** Stands in for a model: two searches at once (one of them wrong), then a booking, then words. */
const askModel = fromPromise<Reply, { readonly results: readonly ToolResult[] }>(
  async ({ input }) => {
    const { results } = input;
    if (results.length === 0) {
      return {
        calls: [
          { id: "call_1", name: "search_flights", arguments: '{"from":"BER","to":"LIS"}' },
          { id: "call_2", name: "search_flights", arguments: { from: "BER" } },
        ],
      };
    }
    if (results.length === 2) {
      return {
        calls: [{ id: "call_3", name: "book_flight", arguments: { flight: "CC 100 to LIS" } }],
      };
    }
    return { answer: results.map((result) => `${result.callId}: ${forModel(result)}`).join("\n") };
  },
);

interface AgentContext {
  readonly wanted: readonly ToolCall[];
  readonly results: readonly ToolResult[];
  readonly answer: string;
  readonly log: readonly string[];
}

const agent = setup({
  types: {
    context: {} as AgentContext,
    events: {} as ToolCallEmitted | DoneActorEvent<ToolResult>,
    output: {} as AgentContext,
  },
  actors: { askModel, toolCall: executor.toolCallLogic },
  guards: {
    isLastResult: ({ context }) => context.results.length + 1 === context.wanted.length,
  },
  actions: {
    spawnCalls: enqueueActions(({ context, enqueue }) => {
      for (const call of context.wanted.slice(context.results.length)) {
        enqueue.spawnChild("toolCall", { id: call.id, input: { call, context: { user: "ada" } } });
      }
    }),
    showProgress: assign({
      log: ({ context, event }) =>
        event.type === "call.progress"
          ? [...context.log, `${event.toolName}: ${event.data}`]
          : context.log,
    }),
    showQuestion: assign({
      log: ({ context, event }) =>
        event.type === "call.approvalRequired"
          ? [...context.log, `${event.toolName} ${JSON.stringify(event.arguments)}: approve? yes`]
          : context.log,
    }),
    // A person's answer would arrive here as an event of the agent's own; this person always says yes.
    answerQuestion: ({ event }) => {
      if (event.type !== "call.approvalRequired") return;
      queueMicrotask(() => executor.approve(event.executionId, { by: "ada" }));
    },
    keepResult: assign({
      results: ({ context, event }) =>
        "output" in event ? [...context.results, event.output] : context.results,
    }),
  },
}).createMachine({
  id: "agent",
  context: { wanted: [], results: [], answer: "", log: [] },
  initial: "thinking",
  states: {
    thinking: {
      invoke: {
        src: "askModel",
        input: ({ context }) => ({ results: context.results }),
        onDone: [
          {
            guard: ({ event }) => "calls" in event.output,
            target: "calling",
            actions: assign({
              wanted: ({ context, event }) =>
                "calls" in event.output
                  ? [...context.wanted, ...event.output.calls]
                  : context.wanted,
            }),
          },
          {
            target: "answered",
            actions: assign({
              answer: ({ event }) => ("answer" in event.output ? event.output.answer : ""),
            }),
          },
        ],
      },
    },
    calling: {
      entry: "spawnCalls",
      on: {
        "call.progress": { actions: "showProgress" },
        "call.approvalRequired": { actions: ["showQuestion", "answerQuestion"] },
        "xstate.done.actor.*": [
          { guard: "isLastResult", target: "thinking", actions: "keepResult" },
          { actions: "keepResult" },
        ],
      },
    },
    answered: { type: "final" },
  },
  output: ({ context }) => context,
});

const actor = createActor(agent);
const done = toPromise(actor);
actor.start();
const { answer, log, results } = await done;
await executor.close();

console.log([...log, answer].join("\n"));
assert.deepEqual(results.map(({ callId, success }) => [callId, success]).sort(), [
  ["call_1", true],
  ["call_2", false],
  ["call_3", true],
]);
assert.equal(results.find(({ callId }) => callId === "call_2")?.failure?.code, "invalid_arguments");
assert.ok(log.includes("search_flights: asked 2 airlines"));
assert.ok(log.includes('book_flight {"flight":"CC 100 to LIS"}: approve? yes'));
assert.match(answer, /call_3: Booked: CC 100 to LIS/);
