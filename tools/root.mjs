import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the workspace. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
