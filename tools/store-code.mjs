// Writes the code that is generated from the schema in libs/store/prisma: the columns of every
// table, and Prisma's client for the tables of admin.prisma. The code is not in git. The build writes it
// whenever it is not that of the present schema.
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';

const STORE = join(root, 'libs/store');
const GENERATED = join(STORE, 'src/generated');
const CLIENT = join(GENERATED, 'admin');
/** SHA-256 of all that the generated code depends on. */
const STAMP = join(GENERATED, 'inputs.sha256');
const INPUTS = [
  'libs/store/prisma/schema.prisma',
  'libs/store/prisma/admin.prisma',
  'libs/store/src/schema/tables-file.ts',
  'libs/store/package.json',
  'tools/store-code.mjs',
];

/**
 * Writes the generated files unless they are those of the present schema.
 * @param buildStore Builds libs/store, which parses the schema.
 */
export async function generate(buildStore) {
  const inputs = await inputsDigest();
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === inputs) return;
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await buildStore();
  const { tablesFile } = await import('../libs/store/dist/schema/tables-file.js');
  await writeFile(join(GENERATED, 'tables.ts'), await tablesFile());
  await generateClient();
  await writeFile(STAMP, inputs);
}

async function inputsDigest() {
  const hash = createHash('sha256');
  for (const path of INPUTS) hash.update(await readFile(join(root, path)));
  return hash.digest('hex');
}

/**
 * Runs Prisma's generator in this process. Its command line does the same, and would weigh 231 MB. Only
 * admin.prisma: a client of all tables would be ten times as large and unused.
 */
async function generateClient() {
  const require = createRequire(join(STORE, 'package.json'));
  const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');
  const { getGenerators, loadSchemaContext } = require('@prisma/internals');
  const folder = await mkdtemp(join(tmpdir(), 'casefile-prisma-'));
  try {
    const schema = join(folder, 'prisma');
    await mkdir(schema);
    await cp(join(STORE, 'prisma/admin.prisma'), join(schema, 'admin.prisma'));
    await writeFile(join(schema, 'client.prisma'), GENERATOR);
    const schemaContext = await loadSchemaContext({
      schemaPath: { cliProvidedPath: schema },
      printLoadMessage: false,
    });
    const client = { type: 'in-process', generator: new PrismaClientTsGenerator() };
    const generators = await getGenerators({ schemaContext, registry: { 'prisma-client': client } });
    for (const generator of generators) await generator.generate();
    for (const file of ['client.ts', 'commonInputTypes.ts', 'enums.ts', 'models.ts', 'models', 'internal'])
      await cp(join(folder, 'out', file), join(CLIENT, file), { recursive: true });
    await rm(join(CLIENT, 'internal/prismaNamespaceBrowser.ts'), { force: true });
    await withoutGlobal(join(CLIENT, 'client.ts'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// The client does not need it, and a global `__dirname` misleads other packages in the process.
async function withoutGlobal(file) {
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n');
  const keptLines = lines.filter((line) => !/^globalThis\['__dirname'\]|^import .* from 'node:/.test(line));
  await writeFile(file, keptLines.join('\n'));
}

const GENERATOR = `generator client {
  provider            = "prisma-client"
  output              = "../out"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "js"
  compilerBuild       = "small"
}

datasource db {
  provider = "postgresql"
}
`;
