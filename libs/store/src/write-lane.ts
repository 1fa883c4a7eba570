import { gather, type Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { actingAsNobody } from './acting.js';
import type { Database, Queryable, Statement } from './database.js';
import { mayBeOneRow } from './store-errors.js';

/** Database and telemetry of a lane. */
export interface LaneParts {
  database: Database;
  telemetry: Telemetry;
}

/** A frequent kind of write: one statement serves many requests of its kind. */
export interface HotWrite<Request, Result> {
  /** Name in the metrics. */
  name: string;
  /** Returns the statement for all requests. null: no statement is needed. */
  statement(requests: Request[]): Statement | null;
  /** Further statements of the same transaction that depend on the returned rows. Default: none. */
  within?: {
    isNeeded(requests: Request[]): boolean;
    /** @returns the rows to continue with. */
    ask(tx: Queryable, requests: Request[], rows: object[]): Promise<object[]>;
  };
  /**
   * Whether its statement precedes those of other kinds in a flush. Needed if it grants the lease under which
   * they write.
   */
  goesFirst?: true;
  /** Returns one result per request, in order. A promise stands for a result that needs another statement. */
  results(requests: Request[], rows: object[], parts: LaneParts): readonly (Result | PromiseLike<Result>)[];
}

/** Writes many requests in transactions of its own. Returns one result per request, in order. */
export type SeparateWrite<Request, Result> = (database: Database, requests: Request[]) => Promise<Result[]>;

/** Maximum number of items per flush. Measured: above 200 the time grows as fast as the number of items. */
const MAX_ITEMS = 200;

// Kinds of write have different types. The lane passes requests of every kind through without reading them.
type AnyWrite = HotWrite<unknown, unknown>;

interface Item {
  write: AnyWrite;
  request: unknown;
}

/** The requests of one kind in a flush, with their positions in it. */
interface Group {
  write: AnyWrite;
  requests: unknown[];
  places: number[];
  statement: Statement | null;
}

/**
 * Batches frequent writes that use the same connections. When a flush returns, all waiting requests are sent
 * together as one transaction, with one statement per kind. Flushes do not overlap: measured through the
 * whole flow, overlapping ones only became smaller, and each cost a commit.
 */
export class WriteLane {
  private readonly add = inBatches((items: Item[]) => this.flush(items));
  private readonly separate = new Map<unknown, (request: unknown) => Promise<unknown>>();

  constructor(private readonly parts: LaneParts) {}

  /** Writes a request together with all others that wait. */
  write<Request, Result>(write: HotWrite<Request, Result>, request: Request): Promise<Result> {
    return this.add({ write: write as unknown as AnyWrite, request }) as Promise<Result>;
  }

  /** Batches requests like the lane, but writes them in transactions of their own, alongside it. */
  writeSeparately<Request, Result>(write: SeparateWrite<Request, Result>, request: Request): Promise<Result> {
    let add = this.separate.get(write);
    if (add === undefined) {
      add = inBatches((requests: unknown[]) => write(this.parts.database, requests as Request[]));
      this.separate.set(write, add);
    }
    return add(request) as Promise<Result>;
  }

  private async flush(items: Item[]): Promise<unknown[]> {
    const groups = this.grouped(items);
    const asking = groups.filter(({ statement }) => statement !== null);
    const statements = asking.flatMap(({ statement }) => statement ?? []);
    const more = asking.some(({ write, requests }) => write.within?.isNeeded(requests));
    const rows = await this.parts.database.batch(
      statements,
      more ? (tx, first) => askMore(tx, asking, first) : null,
    );
    const results: unknown[] = [];
    for (const group of groups) {
      const own = rows[asking.indexOf(group)] ?? [];
      const groupResults = group.write.results(group.requests, own, this.parts);
      group.places.forEach((place, i) => (results[place] = groupResults[i]));
    }
    return results;
  }

  private grouped(items: Item[]): Group[] {
    const groups = new Map<AnyWrite, Omit<Group, 'statement'>>();
    items.forEach(({ write, request }, place) => {
      let group = groups.get(write);
      if (group === undefined) {
        group = { write, requests: [], places: [] };
        groups.set(write, group);
      }
      group.requests.push(request);
      group.places.push(place);
    });
    const rank = ({ goesFirst }: AnyWrite) => (goesFirst === true ? 0 : 1);
    const inOrder = [...groups.values()].sort((a, b) => rank(a.write) - rank(b.write));
    return inOrder.map((group) => {
      // Measures the batching: items per flush.
      const { write, requests } = group;
      const operation = { operation: write.name };
      this.parts.telemetry.count(METRICS.storeFlushes, operation);
      this.parts.telemetry.count(METRICS.storeFlushedItems, operation, requests.length);
      return { ...group, statement: write.statement(requests) };
    });
  }
}

/** Returns a function that collects requests for one flush. A flush writes for several requests at once. */
function inBatches<Request, Result>(
  flush: (requests: Request[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
): (request: Request) => Promise<Result> {
  return gather({
    maxItems: MAX_ITEMS,
    splits: mayBeOneRow,
    // A flush may run in the context of one request, but writes for all, so it acts for no caller.
    flush: (requests) => actingAsNobody(() => flush(requests)),
  });
}

async function askMore(tx: Queryable, groups: Group[], rows: object[][]): Promise<object[][]> {
  const all: object[][] = [];
  for (const [i, { write, requests }] of groups.entries()) {
    const own = rows[i] ?? [];
    all.push(write.within?.isNeeded(requests) ? await write.within.ask(tx, requests, own) : own);
  }
  return all;
}
