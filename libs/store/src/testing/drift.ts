import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { onDatabase } from './test-database.js';
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

// Two levels up from src and from dist alike.
const SCHEMA = new URL('../../prisma/schema.prisma', import.meta.url);

/**
 * Replays every migration in a scratch database and compares what came out with the schema file.
 * @param serverUrl A database on a server where scratch databases may be made.
 * @param adapt Changes the schema before it is compared: for the proof that a difference is found.
 * @returns The SQL that would lead from the one to the other; empty when they agree.
 */
export async function findDrift(
  serverUrl: string,
  adapt: (schema: string) => string = (schema) => schema,
): Promise<string> {
  return withScratchDatabase(serverUrl, async (url) => {
    await migrate(url);
    const files = [{ path: 'schema.prisma', content: adapt(await readFile(SCHEMA, 'utf8')) }];
    const script = await withSchemaEngine(url, async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: '.' },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: null,
        filters: NO_FILTER,
      });
      return stdout ?? '';
    });
    return script.replace(/^-- This is an empty migration\.\s*$/m, '').trim();
  });
}

async function withScratchDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `casefile_drift_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`create database ${name}`);
    return await work(onDatabase(serverUrl, name));
  } finally {
    await server.query(`drop database if exists ${name} with (force)`);
    await server.end();
  }
}

// Node has it; the type is in the library for browsers, which this house does not compile against.
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
interface WebAssemblyLike {
  instantiate(
    binary: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
}

// The package's own entry imports the .wasm file as a module, which Node 20 cannot: it is instantiated here, once.
let engineModule: Promise<typeof glue> | undefined;

async function loadEngineModule(): Promise<typeof glue> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const binary = await readFile(entry.replace(/schema_engine\.js$/, 'schema_engine_bg.wasm'));
  const { instance } = await wasm.instantiate(binary, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

/** Prisma's schema engine as WebAssembly, speaking to `databaseUrl` through pg: no binary is downloaded. */
async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  engineModule ??= loadEngineModule();
  const { SchemaEngine: Engine } = await engineModule;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const factory = new PrismaPg(pool);
  const connect = async (): Promise<SqlDriverAdapter> => readingCatalog(await factory.connect(), pool);
  const engine = await Engine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory({
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect,
      connectToShadowDb: connect,
    }),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

const CHAR = 18;
const TEXT = 25;

// Postgres' catalog has columns of its one-byte type "char" (kinds of constraints). The adapter refuses the type,
// the engine wants it as a character: such columns pass the adapter as text and are named again behind it.
function readingCatalog(adapter: SqlDriverAdapter, pool: pg.Pool): SqlDriverAdapter {
  const query = pool.query.bind(pool) as unknown as (
    config: pg.QueryArrayConfig,
  ) => Promise<pg.QueryArrayResult>;
  const chars = new Map<string, number[]>();
  const asText = async (config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> => {
    const result = await query(config);
    const found = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : []));
    for (const index of found) result.fields[index]!.dataTypeID = TEXT;
    chars.set(config.text, found);
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

/** What the engine is not to look at. */
const NO_FILTER = { externalTables: [], externalEnums: [] };
