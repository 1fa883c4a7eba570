import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z, type JsonObject } from '@casefile/contracts';
import { parseDocument, type PolicyBase, type PolicyImport } from '@casefile/knowledge';

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, SAMPLES));

/** Imports the policy of the samples. */
export async function importSamplePolicy(
  store: PolicyBase,
  change = (text: string) => text,
  policyId = 'claims-handling',
): Promise<PolicyImport> {
  const bytes = Buffer.from(change(read('policies/claims-handling.md').toString('utf8')));
  const parsed = await parseDocument({ name: 'claims-handling.md', bytes });
  return store.importPolicy({ ...parsed, policyId, language: 'en' });
}

/** Imports an English policy from a file, under the file's name without its ending. */
export async function importPolicy(store: PolicyBase, file: URL): Promise<PolicyImport> {
  const name = basename(file.pathname);
  const parsed = await parseDocument({ name, bytes: readFileSync(file) });
  return store.importPolicy({ ...parsed, policyId: name.replace(/\.[^.]+$/, ''), language: 'en' });
}

/** The case bundles of the samples as they are submitted. */
export const sampleBundles: readonly JsonObject[] = z
  .array(
    z.looseObject({ expected: z.unknown() }).transform(({ expected: _, ...bundle }) => bundle as JsonObject),
  )
  .parse(JSON.parse(read('policy-cases.json').toString('utf8')));
