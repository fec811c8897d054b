import { describe, expect, it } from "vitest";
import { clock, createClockTool } from "../../tools/clock.ts";
import { itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext } from "../support/tool-context.ts";

const at = (iso: string, timeZone?: string): unknown =>
  createClockTool({ now: () => Date.parse(iso) }).execute(
    timeZone === undefined ? {} : { timeZone },
    createToolContext().context,
  );

describe("the clock tool", () => {
  itIsAReadyMadeTool(clock, "clock");

  it("tells the time in UTC when no zone is asked for", () => {
    expect(at("2024-02-29T23:59:59.007Z")).toEqual({
      time: "2024-02-29T23:59:59.007Z",
      timeZone: "UTC",
      weekday: "Thursday",
    });
  });

  it.each([
    ["Europe/Berlin", "2024-07-01T02:30:00.000+02:00", "Monday"],
    ["America/New_York", "2024-06-30T20:30:00.000-04:00", "Sunday"],
    ["Asia/Kathmandu", "2024-07-01T06:15:00.000+05:45", "Monday"],
    ["Europe/London", "2024-07-01T01:30:00.000+01:00", "Monday"],
    ["Africa/Abidjan", "2024-07-01T00:30:00.000+00:00", "Monday"],
  ])("tells the time in %s with that zone's offset and day", (timeZone, time, weekday) => {
    expect(at("2024-07-01T00:30:00.000Z", timeZone)).toMatchObject({ time, weekday });
  });

  it("follows the change between winter and summer time", () => {
    expect(at("2024-03-31T00:59:59Z", "Europe/Berlin")).toMatchObject({
      time: "2024-03-31T01:59:59.000+01:00",
    });
    expect(at("2024-03-31T01:00:00Z", "Europe/Berlin")).toMatchObject({
      time: "2024-03-31T03:00:00.000+02:00",
    });
  });

  it("shows midnight as 00 and gives a time that parses back to the same instant", () => {
    const reading = at("2024-01-01T05:00:00.250Z", "America/New_York");
    expect(reading).toMatchObject({ time: "2024-01-01T00:00:00.250-05:00" });
    expect(Date.parse("2024-01-01T00:00:00.250-05:00")).toBe(
      Date.parse("2024-01-01T05:00:00.250Z"),
    );
  });

  it("takes a zone however it is capitalised and names it as IANA does", () => {
    expect(at("2024-01-01T00:00:00Z", "europe/berlin")).toMatchObject({
      timeZone: "Europe/Berlin",
    });
  });

  it.each(["Mars/Olympus", "Berlin time", "\u0000"])(
    "refuses the zone %j with an example",
    (timeZone) => {
      expect(() => at("2024-01-01T00:00:00Z", timeZone)).toThrow(
        expect.objectContaining({
          code: "unknown_time_zone",
          message: expect.stringContaining('"Europe/Berlin"'),
        }),
      );
    },
  );

  it("runs on the machine's own time unless told otherwise", () => {
    const before = Date.now();
    const reading = clock.execute({}, createToolContext().context) as { time: string };
    expect(Date.parse(reading.time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(reading.time)).toBeLessThanOrEqual(Date.now());
  });
});
