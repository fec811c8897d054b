import { defineConfig } from "vitest/config";

// Vite's own conditions for code that runs in Node, after ours: a test that imports "callchart" gets the sources.
const conditions = ["source", "module", "node", "development|production"];
const results = process.env["CALLCHART_TEST_RESULTS"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
    execArgv: ["--conditions=source"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A file of results is asked for by CI, where a forgotten `it.only` must not hide the rest.
    allowOnly: results === undefined,
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    coverage: {
      provider: "v8",
      include: ["machines/**/*.ts", "src/**/*.ts", "tools/**/*.ts", "visualizer/**/*.ts"],
      reporter: ["text", "html", "json-summary"],
    },
  },
});
