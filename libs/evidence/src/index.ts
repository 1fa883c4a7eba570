export {
  createToolRunner,
  type ToolRunner,
  type ToolRunnerOptions,
  type ToolRunnerPorts,
} from './run-tool.js';
export type { CircuitName, CircuitOptions } from './circuit.js';
export type { EvidenceSettings } from './settings.js';
export { createTools, type ToolPorts } from './tools/index.js';
export { createTextReader, type TextReaderOptions } from './ocr.js';
export * from './documents/index.js';
