/** The smallest use: one tool, two calls, one of them wrong. */
import { createExecutor, createRegistry, forModel } from "callchart";
import { divide } from "callchart/tools";

const executor = createExecutor({ registry: createRegistry([divide]) });

const results = await executor.executeAll([
  { id: "call_1", name: "divide", arguments: { dividend: 84, divisor: 2 } },
  { id: "call_2", name: "devide", arguments: { dividend: 84, divisor: 2 } },
]);

for (const result of results) {
  console.log(result.success ? "succeeded" : "failed", result.metadata.stages.join(" → "));
  console.log(forModel(result));
}
