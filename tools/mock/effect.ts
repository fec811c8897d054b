// biome-ignore-start lint/style/noRestrictedImports: the mock plays a tool that returns an Effect; it runs none
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
// biome-ignore-end lint/style/noRestrictedImports: see above
import type { MockBehaviour } from "./behaviour.ts";
import type { OpenRun } from "./run.ts";

type EffectBehaviour = Extract<MockBehaviour, { kind: "effect" }>;

/** The Effect that a run returns: it notes in the run's log how it ended, and that it cleaned up. */
export function makeEffect(
  behaviour: EffectBehaviour,
  run: OpenRun,
  result: () => unknown,
): Effect.Effect<unknown, unknown> {
  return Effect.onExit(core(behaviour, result), (exit) =>
    Effect.sync(() => {
      run.cleanUps += 1;
      if (exit._tag === "Success") run.state = "returned";
      else run.state = Cause.hasInterruptsOnly(exit.cause) ? "stopped" : "threw";
    }),
  );
}

function core(behaviour: EffectBehaviour, result: () => unknown): Effect.Effect<unknown, unknown> {
  if (Object.hasOwn(behaviour, "failure")) return Effect.fail(behaviour.failure);
  if (Object.hasOwn(behaviour, "defect")) return Effect.die(behaviour.defect);
  return behaviour.hang === true ? Effect.never : Effect.sync(result);
}
