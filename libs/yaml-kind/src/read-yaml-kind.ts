import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fieldProblems, type FieldProblem } from '@casefile/contracts';
import type { Kind } from '@casefile/kit';
import { parseDocument, type Document } from 'yaml';
import { compileKind } from './compile-kind.js';
import { kindFileSchema } from './kind-schema.js';
import { yamlKind } from './yaml-kind.js';

/** Largest file, in UTF-16 units. */
const LARGEST = 200_000;

/** Reads a kind from `kind.yaml`. @returns its problems, by field, if it is wrong. */
export function readYamlKind(file: string): Kind | FieldProblem[] {
  const source = readFileSync(file, 'utf8');
  if (source.length > LARGEST) return [{ path: '', message: `expected at most ${LARGEST} characters` }];
  const document = parseDocument(source, { merge: false, uniqueKeys: true });
  if (document.errors.length > 0)
    return document.errors.map(({ message }) => ({ path: '', message: message.split('\n')[0] ?? message }));
  const content = contentOf(document);
  if (content instanceof Error)
    return [{ path: '', message: `expected no links within the file: ${content.message}` }];
  const read = kindFileSchema.safeParse(content);
  if (!read.success) return fieldProblems(read.error);
  const compiled = compileKind(read.data, dirname(file));
  return Array.isArray(compiled) ? compiled : yamlKind(compiled);
}

function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (thrown) {
    return thrown as Error;
  }
}
