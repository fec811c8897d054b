import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

const conditions = ["source", ...defaultServerConditions];
const results = process.env.CALLCHART_TEST_RESULTS;

export default defineConfig({
  // `import ... from "callchart"` in a test is the sources, not the last build.
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
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    coverage: {
      provider: "v8",
      include: ["machines/**/*.ts", "src/**/*.ts", "tools/**/*.ts", "visualizer/**/*.ts"],
      reporter: ["text", "html", "json-summary"],
    },
  },
});
