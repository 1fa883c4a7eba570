import { Redis } from 'ioredis';
import pg from 'pg';

/** Work of the engines in an interval, in which Casefile had nothing to do. */
export interface IdleCounts {
  seconds: number;
  /** Commands of Redis per second, including those within scripts. */
  commands: number;
  /** Transactions of Postgres per second. A statement outside a transaction counts as one. */
  commits: number;
  /** Commands per second by name, most frequent first. */
  byCommand: [name: string, perSecond: number][];
}

/** Connections that read the statistics of both engines. */
export class EngineCounters {
  private constructor(
    private readonly redis: Redis,
    private readonly postgres: pg.Client,
  ) {}

  static async open(redisUrl: string, databaseUrl: string): Promise<EngineCounters> {
    const postgres = new pg.Client({ connectionString: databaseUrl });
    await postgres.connect();
    return new EngineCounters(new Redis(redisUrl), postgres);
  }

  /** Counts during `wait`. The reader's own commands and statements are not counted. */
  async during(wait: () => Promise<void>): Promise<IdleCounts> {
    await this.redis.config('RESETSTAT');
    const before = await this.committed();
    const from = performance.now();
    await wait();
    const seconds = (performance.now() - from) / 1000;
    const byCommand = readCommands(await this.redis.info('commandstats'), seconds);
    // Each of the two readings adds one transaction, of which the second is not committed when it reads.
    const commits = ((await this.committed()) - before - 1) / seconds;
    return { seconds, commands: byCommand.reduce((sum, [, calls]) => sum + calls, 0), commits, byCommand };
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.postgres.end();
  }

  private async committed(): Promise<number> {
    const { rows } = await this.postgres.query<{ count: string }>(
      'select xact_commit as count from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.count);
  }
}

/** Reads the section `commandstats`, without the commands of the reader. */
function readCommands(info: string, seconds: number): [string, number][] {
  const counts: [string, number][] = [];
  for (const line of info.split('\n')) {
    const [key, value = ''] = line.split(':');
    if (key?.startsWith('cmdstat_') !== true || key === 'cmdstat_config|resetstat') continue;
    const calls = Number(value.split(',')[0]?.split('=')[1]);
    counts.push([key.slice('cmdstat_'.length), calls / seconds]);
  }
  return counts.toSorted(([, a], [, b]) => b - a);
}
