import pg from 'pg';
import { findDrift } from './drift.js';
import { migrate } from '../migrate.js';
import { onDatabase, testDatabase, type TestDatabase } from '../testing/test-database.js';

describe('migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('make what schema.prisma says', async () => {
    expect(await findDrift(database.url)).toBe('');
  });

  it('are found to differ from a schema that says something else', async () => {
    const lacking = (schema: string): string => schema.replace(/^ {2}hasReasoning .*$/m, '');
    expect(await findDrift(database.url, lacking)).toContain('"has_reasoning"');
  });

  it('are applied once when several processes start at once, and not again', async () => {
    const server = new pg.Client({ connectionString: database.url });
    await server.connect();
    const name = `${database.url.match(/casefile_test_\w+/)![0]}_m`;
    await server.query(`create database ${name}`);
    const url = onDatabase(database.url, name);
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat().filter((one) => one.endsWith('_record'))).toHaveLength(1);
    expect(await migrate(url)).toEqual([]);
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });

  it('keep the parameters of a connection string', () => {
    expect(onDatabase('postgres://postgres@localhost/casefile?host=/run/x', 'y')).toBe(
      'postgres://postgres@localhost/y?host=/run/x',
    );
    expect(onDatabase('postgres://postgres@localhost:5432', 'y')).toBe(
      'postgres://postgres@localhost:5432/y',
    );
  });

  it('S2-20 have every column of a model call, reasoning included', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{
      name: string;
      type: string;
      nullable: string;
      default: string | null;
    }>(
      `select column_name as name, data_type as type, is_nullable as nullable, column_default as default
       from information_schema.columns where table_name = 'llm_interactions'`,
    );
    await client.end();
    const columns = new Map(rows.map((row) => [row.name, row]));
    expect(columns.get('reasoning_content')).toMatchObject({ type: 'text', nullable: 'YES' });
    expect(columns.get('reasoning_summary')).toMatchObject({ type: 'text', nullable: 'YES' });
    expect(columns.get('has_reasoning')).toMatchObject({ type: 'boolean', nullable: 'NO', default: 'false' });
    const others = [
      'run_id',
      'stage',
      'round',
      'step',
      'attempt',
      'provider',
      'model',
      'prompt_id',
      'request',
      'response',
    ];
    const more = [
      'tool_calls',
      'input_tokens',
      'output_tokens',
      'reasoning_tokens',
      'cached_tokens',
      'cost_usd',
      'latency_ms',
    ];
    for (const name of [...others, ...more, 'finish_reason', 'error_code', 'state'])
      expect(columns.has(name)).toBe(true);
  });
});
