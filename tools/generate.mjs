// `npm run generate`: writes the code generated from the schema in libs/store/prisma: the columns of every
// table, and Prisma's client for the tables of admin.prisma. For the client, npm runs Prisma's CLI without
// installing it, because it is large and nothing else needs it.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { root } from './root.mjs';

const STORE = join(root, 'libs/store');
const GENERATED = join(STORE, 'src/generated');
const CLIENT = join(GENERATED, 'admin');

/** Writes the generated files. */
export async function generate() {
  await build(['libs/contracts', 'libs/store']);
  const { tablesFile } = await import('../libs/store/dist/schema/tables-file.js');
  await mkdir(GENERATED, { recursive: true });
  await writeFile(join(GENERATED, 'tables.ts'), await tablesFile());
  if (!(await isClientCurrent())) await generateClient();
}

async function isClientCurrent() {
  const [schema, client, version] = await Promise.all([
    readFile(join(STORE, 'prisma/admin.prisma'), 'utf8'),
    readFile(join(CLIENT, 'internal/class.ts'), 'utf8').catch(() => ''),
    clientVersion(),
  ]);
  return (
    client.includes(JSON.stringify(schema).slice(1, -1)) && client.includes(`"clientVersion": "${version}"`)
  );
}

async function clientVersion() {
  const { dependencies } = JSON.parse(await readFile(join(STORE, 'package.json'), 'utf8'));
  return dependencies['@prisma/client'];
}

// Only admin.prisma: a client of all tables would be ten times as large and unused.
async function generateClient() {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-prisma-'));
  try {
    const schema = join(folder, 'prisma');
    await mkdir(schema);
    await cp(join(STORE, 'prisma/admin.prisma'), join(schema, 'admin.prisma'));
    await writeFile(join(schema, 'client.prisma'), GENERATOR);
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    await runPrisma(folder, 'generate', '--schema', schema);
    await rm(CLIENT, { recursive: true, force: true });
    for (const file of ['client.ts', 'commonInputTypes.ts', 'enums.ts', 'models.ts', 'models', 'internal'])
      await cp(join(folder, 'out', file), join(CLIENT, file), { recursive: true });
    await rm(join(CLIENT, 'internal/prismaNamespaceBrowser.ts'), { force: true });
    await withoutGlobal(join(CLIENT, 'client.ts'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runPrisma(folder, ...args) {
  const cli = ['--yes', '--loglevel=error', `--package=prisma@${await clientVersion()}`, '--', 'prisma'];
  const env = {
    ...process.env,
    // The CLI would download an engine that it does not run for generation. Any file satisfies it.
    PRISMA_SCHEMA_ENGINE_BINARY: join(folder, 'package.json'),
    CHECKPOINT_DISABLE: '1',
  };
  try {
    await promisify(execFile)('npm', ['exec', ...cli, ...args], { cwd: folder, env });
  } catch (error) {
    const reason = error.stderr || error.message;
    throw new Error(
      `The Prisma Client was not generated: npm could not run Prisma's CLI, which it fetches from its registry.\n${reason}`,
      { cause: error },
    );
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate();
