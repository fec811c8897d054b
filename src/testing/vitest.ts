/** `import "callchart/testing/vitest"` in a set-up file adds the matchers to vitest's `expect`, typed. */
import { expect } from "vitest";
import { type CallchartMatchers, callchartMatchers } from "./matchers.ts";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the signature that vitest declares
  interface Matchers<T = any> extends CallchartMatchers<T> {}
}

expect.extend(callchartMatchers);
