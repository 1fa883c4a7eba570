// `npm run openapi`: writes the API documents in docs/ as the services serve them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { build } from './build.mjs';
import { root } from './root.mjs';

await build();
const { apiDocuments } = await import('../apps/e2e/dist/api-documents.js');
for (const { file, document } of apiDocuments()) {
  await writeFile(
    join(root, file),
    await format(JSON.stringify(document), { parser: 'json', printWidth: 110 }),
  );
  console.log(`wrote ${file}`);
}
