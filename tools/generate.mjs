// `npm run generate`: runs all generators, and lists the files that were stale. A generator may refuse, such as for a
// decision rule that changed although the version of its kind did not; the exit code is 1 then.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Programs, by the name of their command, with the files and folders that they write. */
const GENERATORS = {
  openapi: ['tools/write-openapi.mjs', ['docs/openapi.json', 'docs/openapi-ingest.json']],
  reference: ['tools/write-reference.mjs', ['docs/reference', 'docs/decisions/README.md']],
  board: ['tools/write-board.mjs', ['k8s/monitoring']],
  strings: ['tools/strings.mjs', ['tools/strings.golden.txt']],
  'kit-api': ['tools/kit/kit-api.mjs', ['libs/kit/api.md']],
  'kind-rules': ['tools/kind-rules.mjs', ['tools/kind-rules.golden.json']],
};

let failed = 0;
// The build writes the code that depends on the schema of the database, which is not in git.
run('build', 'tools/build.mjs');
for (const [name, [program, places]] of Object.entries(GENERATORS)) {
  const before = digests(places);
  if (!run(name, program)) continue;
  const stale = [...digests(places)].filter(([file, digest]) => before.get(file) !== digest);
  for (const [file] of stale) console.log(`stale: ${file} (npm run ${name})`);
  if (stale.length === 0) console.log(`ok     ${name}`);
}
process.exitCode = failed === 0 ? 0 : 1;

function run(name, program) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program)], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return true;
  console.log(`FAIL   ${name}\n${stdout}${stderr}`);
  failed += 1;
  return false;
}

/** Returns the SHA-256 of each file in these places. */
function digests(places) {
  const files = places.flatMap((place) => {
    const path = join(root, place);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [place];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  });
  return new Map(
    files.map((file) => {
      try {
        return [
          file,
          createHash('sha256')
            .update(readFileSync(join(root, file)))
            .digest('hex'),
        ];
      } catch {
        return [file, 'missing'];
      }
    }),
  );
}
