/** `import "callchart/testing/vitest"` in a set-up file adds the matchers to vitest's `expect`, typed. */
import { expect } from "vitest";
import { type CallchartMatchers, callchartMatchers } from "./matchers.ts";

declare module "vitest" {
  // The signature that vitest declares.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends CallchartMatchers<R> {}
}

expect.extend(callchartMatchers);
