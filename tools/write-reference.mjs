// `npm run reference`: writes the pages of docs/reference from the code, and the list of decisions.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

await build();
const { referencePages } = await import('../apps/e2e/dist/reference-pages.js');
for (const { file, text } of referencePages()) {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), `${text}\n`);
  console.log(`wrote ${file}`);
}
