import { defineTool, type JsonSchema, type Tool, ToolError } from "../src/tool.ts";

interface ClockArguments {
  readonly timeZone?: string;
}

/** What the clock tells. */
export interface ClockReading {
  /** ISO 8601 with milliseconds and offset, such as `2024-05-01T14:30:00.000+02:00`. */
  readonly time: string;
  /** The zone's IANA name. */
  readonly timeZone: string;
  /** In English, in that zone. */
  readonly weekday: string;
}

/** How to make a clock tool. */
export interface ClockToolOptions {
  /** Epoch milliseconds. Default: the machine's clock. */
  readonly now?: () => number;
}

/**
 * Makes the tool `clock`: the present time in any IANA time zone (default UTC).
 *
 * Fails with code `unknown_time_zone`. Zones and their rules are those of the JavaScript engine's ICU data.
 */
export function createClockTool(options: ClockToolOptions = {}): Tool<JsonSchema, ClockReading> {
  const { now = Date.now } = options;
  return defineTool<JsonSchema, ClockReading>({
    name: "clock",
    description:
      "Tells the present date and time as ISO 8601 with the offset from UTC, and the day of the week, in UTC or in a given time zone.",
    inputSchema: {
      type: "object",
      properties: {
        timeZone: {
          type: "string",
          minLength: 1,
          maxLength: 64,
          description: 'An IANA time zone such as "Europe/Berlin". Default: "UTC".',
          default: "UTC",
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        time: { type: "string" },
        timeZone: { type: "string" },
        weekday: { type: "string" },
      },
      required: ["time", "timeZone", "weekday"],
      additionalProperties: false,
    },
    annotations: {
      title: "Clock",
      readOnlyHint: true,
      destructiveHint: false,
      // Asked twice it answers twice; but nothing changes by asking.
      idempotentHint: true,
      openWorldHint: false,
    },
    execute: ({ timeZone = "UTC" }: ClockArguments) => readClock(now(), timeZone),
  });
}

/** The tool `clock` on the machine's own time. See {@link createClockTool}. */
export const clock: Tool<JsonSchema, ClockReading> = createClockTool();

function readClock(epochMs: number, timeZone: string): ClockReading {
  const format = formatFor(timeZone);
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  const date = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  const time = `${part("hour")}:${part("minute")}:${part("second")}.${part("fractionalSecond")}`;
  // "GMT+02:00"; UTC itself is a bare "GMT".
  const offset = part("timeZoneName").slice("GMT".length) || "+00:00";
  const zone = format.resolvedOptions().timeZone;
  return {
    time: `${date}T${time}${zone === "UTC" ? "Z" : offset}`,
    timeZone: zone,
    weekday: part("weekday"),
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      weekday: "long",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
      timeZoneName: "longOffset",
    });
  } catch {
    throw new ToolError(
      `There is no time zone ${JSON.stringify(timeZone)}. Give an IANA name such as "Europe/Berlin", "America/New_York" or "UTC".`,
      { code: "unknown_time_zone" },
    );
  }
}
