import pg from 'pg';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';

/** Runs the command in this process and returns its output. Settings are read from the environment. */
export async function runCasefile(
  ...args: string[]
): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const terminal = memoryTerminal();
  const { lines, errors } = terminal;
  const code = await run(args, terminal);
  return { code, lines, errors };
}

/** Returns the rows of a query on a database. */
export async function rowsIn(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}
