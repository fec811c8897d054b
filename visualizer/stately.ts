import type { ActorRefLike, InspectionEvent } from "xstate";
import type { Json } from "../machines/contract.ts";
import { toJsonSafe } from "./json-safe.ts";

/** An inspector of `@statelyai/inspect` (0.7): whatever its `create…Inspector` functions return. */
export interface StatelyInspector {
  readonly inspect: { readonly next?: (event: InspectionEvent) => void };
}

/**
 * Makes an inspector of `@statelyai/inspect` see every stage: `createActor(logic, { inspect: toStatelyInspect(inspector) })`,
 * or the executor's `inspect` option. The official one shows only where a call comes to rest, because it drops
 * microsteps; here each of them becomes a snapshot. Everything is copied at once, so that it is shown as it was, and made
 * plain, since the official one serializes in a timer, where a value that throws would end the process.
 *
 * The inspector's own `filter`, `sanitizeEvent` and `sanitizeContext` stay in force. Nothing is redacted here: use them
 * before anything leaves your machine.
 */
export function toStatelyInspect(inspector: StatelyInspector): (event: InspectionEvent) => void {
  const seen = new WeakMap<object, Seen>();
  const tell = (message: object): void => inspector.inspect.next?.(message as InspectionEvent);
  const tellSnapshot = ({ actorRef, rootId, snapshot }: Told, cause: object): void => {
    const plain = toPlainSnapshot(snapshot);
    seen.set(actorRef, { latest: snapshot, first: seen.get(actorRef)?.first ?? plain });
    const event = toJsonSafe(cause);
    tell({
      type: "@xstate.snapshot",
      actorRef: toPlainActor(actorRef),
      rootId,
      event,
      snapshot: plain,
    });
  };
  return (event) => {
    const { type, actorRef, rootId } = event;
    if (type === "@xstate.microstep") tellSnapshot(event, causeOf(event));
    else if (type === "@xstate.snapshot") {
      // What the last microstep led to has been told.
      if (seen.get(actorRef)?.latest !== event.snapshot) tellSnapshot(event, event.event);
    } else if (type === "@xstate.event") {
      const sourceRef = event.sourceRef && toPlainActor(event.sourceRef);
      tell({
        type,
        actorRef: toPlainActor(actorRef),
        rootId,
        event: toJsonSafe(event.event),
        sourceRef,
      });
    } else if (type === "@xstate.actor") {
      // An actor that is being made has no snapshot yet. The inspector asks later: it gets the first that there was.
      const getSnapshot = (): object => seen.get(actorRef)?.first ?? snapshotOf(actorRef);
      tell({ type, actorRef: { ...toPlainActor(actorRef), getSnapshot }, rootId });
    }
  };
}

interface Seen {
  /** The snapshot itself, to know it again. */
  readonly latest: unknown;
  readonly first: object;
}

type Told = Pick<
  Extract<InspectionEvent, { type: "@xstate.snapshot" }>,
  "actorRef" | "rootId" | "snapshot"
>;
type Microstep = Extract<InspectionEvent, { type: "@xstate.microstep" }>;

function causeOf({ event, _transitions: [first] }: Microstep): object {
  return first?.eventType === "" ? { type: "always" } : event;
}

function snapshotOf(actorRef: ActorRefLike): object {
  try {
    return toPlainSnapshot(actorRef.getSnapshot());
  } catch {
    return toPlainSnapshot(undefined);
  }
}

const definitions = new WeakMap<object, Json>();

/** The parts of an actor that the official inspector reads. XState's types hide them. */
interface ActorParts {
  readonly id?: string;
  readonly sessionId: string;
  readonly _parent?: { readonly sessionId: string };
  readonly logic?: { readonly config?: unknown };
}

function toPlainActor(actorRef: ActorRefLike): object {
  const { id, sessionId, _parent, logic } = actorRef as ActorParts;
  const config = logic?.config;
  return {
    id: id ?? sessionId,
    sessionId,
    ...(_parent === undefined ? {} : { _parent: { sessionId: _parent.sessionId } }),
    ...(typeof config === "object" && config !== null
      ? { logic: { config: definitionOf(config) } }
      : {}),
  };
}

function definitionOf(config: object): Json {
  const known = definitions.get(config);
  if (known !== undefined) return known;
  const definition = toJsonSafe(config);
  definitions.set(config, definition);
  return definition;
}

const FIELDS = ["status", "value", "context", "input", "output", "error", "tags", "children"];

/** A snapshot without its machine. `context` is always there: sanitizers take it for granted. */
function toPlainSnapshot(snapshot: unknown): object {
  if (typeof snapshot !== "object" || snapshot === null) return { status: "active", context: {} };
  const kept = FIELDS.flatMap((field): [string, Json][] => {
    const value: unknown = Reflect.get(snapshot, field);
    return value === undefined ? [] : [[field, toJsonSafe(value)]];
  });
  return { context: {}, ...Object.fromEntries(kept) };
}
