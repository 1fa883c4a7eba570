// `npm run generate`: writes what is generated from libs/store/prisma: the columns of every table.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

await build(['libs/contracts', 'libs/store']);
const { tablesFile } = await import('../libs/store/dist/schema/tables-file.js');
const folder = join(root, 'libs/store/src/generated');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'tables.ts'), await tablesFile());
