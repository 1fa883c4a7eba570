import { CasefileError, z, type ImportState } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getImportInput = {
  params: z.object({ import: z.string().max(100).describe('The id of the import.') }),
};

/** One import: how far it is, and its result. @throws CasefileError `not_found`. */
export const getImport: Handler<typeof getImportInput, ImportState> = async ({ store }, { params }) => {
  const found = await store.imports.get(params.import);
  if (found === null) throw new CasefileError('not_found', `no import has the id "${params.import}"`);
  return found;
};
