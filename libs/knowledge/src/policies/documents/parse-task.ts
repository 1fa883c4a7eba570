import type { PolicyFormat, TaskModule } from '@casefile/contracts';
import { parseDocument, type ParsedDocument } from './parse-document.js';

export interface ParseArgs {
  name: string;
  format?: PolicyFormat;
  confidential?: readonly string[];
}

/** `parseDocument`, as a task. */
export const run: TaskModule<ParseArgs, ParsedDocument>['run'] = (bytes, { name, ...options }, context) =>
  parseDocument({ name, bytes }, { ...options, ...context });
