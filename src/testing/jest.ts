/** `import "callchart/testing/jest"` in a set-up file adds the matchers to jest's global `expect`, typed. */
import { type CallchartMatchers, callchartMatchers } from "./matchers.ts";

declare global {
  namespace jest {
    interface Matchers<R> extends CallchartMatchers<R> {}
  }
}

interface Extendable {
  readonly extend: (matchers: typeof callchartMatchers) => void;
}

const { expect } = globalThis as typeof globalThis & { readonly expect?: Extendable };
if (expect === undefined) {
  throw new Error(
    '"callchart/testing/jest" found no global `expect`: load it in jest\'s setupFilesAfterEnv.',
  );
}
expect.extend(callchartMatchers);
