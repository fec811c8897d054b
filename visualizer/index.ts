export {
  type ChartGraph,
  type GraphState,
  type GraphTransition,
  toChartGraph,
} from "./chart-graph.ts";
export { toMermaid } from "./mermaid.ts";
export { type PageOptions, type PageRecording, renderPage } from "./render-page.ts";
export { type StatelyInspector, toStatelyInspect } from "./stately.ts";
export { type StatelyMessage, toStatelyMessages } from "./stately-messages.ts";
