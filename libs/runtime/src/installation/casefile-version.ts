import { readFileSync } from 'node:fs';
import { z } from '@casefile/contracts';

/** The version of this Casefile. Source and build are both two folders below the library's package.json. */
export const CASEFILE_VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
