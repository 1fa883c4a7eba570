export { createGuardedFetch, createGuardedRead, type PlainAnswer } from './fetch/guarded-fetch.js';
export { createGuardedPost, type GuardedPost, type PostAnswer } from './fetch/guarded-post.js';
export { createToolRunner, type GuardedToolRunner, type ToolRunnerOptions } from './run-tool.js';
export type { ToolRunnerPorts } from './tool-runner-ports.js';
export { compiledIn, createToolBox, toolBox } from './tool-box.js';
export type { CircuitName, CircuitOptions } from './circuit.js';
export { accessOf, toolVariables, type EvidenceSettings } from './settings.js';
export { definedTools } from './defined-tools.js';
export { createTools, toolNames, type ToolPorts } from './tools/index.js';
export { createWebPages, type ReadPdf } from './pages/web-pages.js';
export { createPageReader } from './sources/pages.js';
export type { PageReader } from './sources/page-reader.js';
export { createTextReader, type TextReaderOptions } from './images/text-reader.js';
export { mcpSource, openSession, type McpPorts } from './mcp/mcp-source.js';
export { entryHash } from './mcp/server-answers.js';
export { unconnectedMcpSource, wireName, type McpLimits, type McpServer } from './mcp/settings.js';
export type { OfferedSection } from './policy/outline.js';
export type { ChooseSections, SectionQuestion } from './policy/walk-by-model.js';
export type { WalkStep } from './policy/walk-tree.js';
export {
  searchPolicyTree,
  type FoundSection,
  type PolicyAnswer,
  type PolicyQuestion,
} from './policy/search-policy-tree.js';
export { dataSourceTools, type PlacedSource } from './data-sources/data-source-tools.js';
export { readDataSource, type DataSource } from './data-sources/source-schema.js';
export { addedSources, unconnectedSources, type AddedSourcesPorts } from './data-sources/added-sources.js';
export { installedSource, placeSource } from './data-sources/place-source.js';
