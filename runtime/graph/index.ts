export { graphEvent, graphOperation } from './run-facts.ts';
export type { GraphEvent, GraphOperation } from './run-facts.ts';
export { runGraph } from './run-graph.ts';
