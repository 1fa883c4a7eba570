import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/** One file of the schema, in the form that the engine reads. */
export interface SchemaFile {
  path: string;
  content: string;
}

// The folder is two levels above both src and dist.
const FOLDER = new URL('../../prisma/', import.meta.url);

/** Returns the files that make up the schema. */
export async function readSchema(): Promise<SchemaFile[]> {
  const read = async (path: string): Promise<SchemaFile> => ({
    path,
    content: await readFile(new URL(path, FOLDER), 'utf8'),
  });
  return Promise.all(SCHEMA_FILES.map(read));
}

const SCHEMA_FILES = ['schema.prisma', 'admin.prisma'];

/**
 * Returns the SQL that changes the database at `databaseUrl` (null: an empty one) to the schema; '' if they
 * agree.
 */
export async function sqlToSchema(databaseUrl: string | null, files: SchemaFile[]): Promise<string> {
  const script = await withSchemaEngine(databaseUrl, async (engine) => {
    const { stdout } = await engine.diff({
      from: databaseUrl === null ? { tag: 'empty' } : { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return stdout ?? '';
  });
  return script.replace(/^-- This is an empty migration\.\s*$/m, '').trim();
}

// Node has this object, but its type is in the browser library, which this code is not compiled with.
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
interface WebAssemblyLike {
  instantiate(
    binary: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
}

// The package's own entry imports the .wasm file as a module, which Node 20 cannot do. It is instantiated
// here once.
let engineModule: Promise<typeof glue> | undefined;

async function loadEngineModule(): Promise<typeof glue> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const binary = await readFile(entry.replace(/schema_engine\.js$/, 'schema_engine_bg.wasm'));
  const { instance } = await wasm.instantiate(binary, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

/**
 * Runs `work` with Prisma's schema engine as WebAssembly. It reads `databaseUrl` through pg, so no binary is
 * downloaded.
 */
async function withSchemaEngine<T>(
  databaseUrl: string | null,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  engineModule ??= loadEngineModule();
  const { SchemaEngine: Engine } = await engineModule;
  const pool = databaseUrl === null ? null : new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const connect = pool === null ? noDatabase : catalogReader(pool);
  const factory = { provider: 'postgres' as const, adapterName: '@prisma/adapter-pg' };
  const engine = await Engine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory({ ...factory, connect, connectToShadowDb: connect }),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool?.end();
  }
}

// The engine queries the server's version even if it compares nothing with a database.
const VERSION = [['PostgreSQL 17', 170_000]];
const noDatabase: Connect = () =>
  Promise.resolve({
    provider: 'postgres',
    adapterName: 'none',
    queryRaw: () =>
      Promise.resolve({
        columnNames: ['version', 'numeric_version'],
        columnTypes: [ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
        rows: VERSION,
      }),
    executeRaw: () => Promise.resolve(0),
    executeScript: () => Promise.resolve(),
    startTransaction: () => Promise.reject(new Error('there is no database')),
    dispose: () => Promise.resolve(),
  });

type Connect = () => Promise<SqlDriverAdapter>;

function catalogReader(pool: pg.Pool): Connect {
  const factory = new PrismaPg(pool);
  return async () => readingCatalog(await factory.connect(), pool);
}

const CHAR = 18;
const TEXT = 25;

// Postgres' catalog has columns of its one-byte type "char" (kinds of constraints). The adapter rejects this
// type, but the engine expects a character. Therefore such columns are read as text and get their type back
// before the engine sees them.
function readingCatalog(adapter: SqlDriverAdapter, pool: pg.Pool): SqlDriverAdapter {
  const query = pool.query.bind(pool) as unknown as (
    config: pg.QueryArrayConfig,
  ) => Promise<pg.QueryArrayResult>;
  const chars = new Map<string, number[]>();
  const asText = async (config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> => {
    const result = await query(config);
    const charFields = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : []));
    for (const index of charFields) result.fields[index]!.dataTypeID = TEXT;
    chars.set(config.text, charFields);
    return result;
  };
  Object.assign(pool, { query: asText });
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (wanted: SqlQuery) => {
      const result = await queryRaw(wanted);
      for (const index of chars.get(wanted.sql) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    },
  });
}

/** Tables and enums that the engine ignores: none. */
const NO_FILTER = { externalTables: [], externalEnums: [] };
