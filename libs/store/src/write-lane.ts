import { gather, type GatherOptions, type Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { Database, Queryable, Statement } from './database.js';
import { mayBeOneRow } from './store-errors.js';

/** A kind of write that comes often: one statement for many requests of its kind. */
export interface HotWrite<Request, Result> {
  /** Does it for all of them; null: there is nothing to ask the database. */
  statement(requests: Request[]): Statement | null;
  /** What else belongs into the same transaction, given what the statement returned; left out: nothing ever does. */
  within?: {
    isNeeded(requests: Request[]): boolean;
    /** @returns the rows to go on with. */
    ask(tx: Queryable, requests: Request[], rows: object[]): Promise<object[]>;
  };
  /** Its statement goes before those of other kinds in a flush: they may write under a lease that it gives. */
  goesFirst?: true;
  /** One result a request, in their order, or a promise of one that needs a second look. */
  results(requests: Request[], rows: object[]): readonly (Result | PromiseLike<Result>)[];
}

/** Items a flush. Measured: above 200 its time grows as fast as its items. */
const MAX_ITEMS = 200;

// The kinds of write differ in their types; the lane carries them all and leaves each to its own kind.
type AnyWrite = HotWrite<unknown, unknown>;

interface Item {
  /** What the metrics call its kind. */
  name: string;
  write: AnyWrite;
  request: unknown;
}

/** The requests of one kind in a flush, and where in the flush they stood. */
interface Group {
  name: string;
  write: AnyWrite;
  requests: unknown[];
  places: number[];
  statement: Statement | null;
}

/**
 * One lane for all writes that come often and go over the same connections: whatever waits when the last flush returns goes out as one transaction,
 * sent in one go, with one statement a kind. Measured through the whole flow: flushes beside each other only make
 * each other smaller, and each costs a commit and wakes the server.
 */
export class WriteLane {
  private readonly add: (item: Item) => Promise<unknown>;

  constructor(
    private readonly database: Database,
    private readonly telemetry: Telemetry,
  ) {
    this.add = this.beside((items: Item[]) => this.flush(items));
  }

  /** Gathers requests as the lane does, for a write that goes beside it with a transaction of its own. */
  beside<Request, Result>(
    flush: GatherOptions<Request, Result>['flush'],
  ): (request: Request) => Promise<Result> {
    return gather({ maxItems: MAX_ITEMS, splits: mayBeOneRow, flush });
  }

  /** A way into the lane for one kind of write; `name` is what its metrics say. */
  entrance<Request, Result>(
    name: string,
    write: HotWrite<Request, Result>,
  ): (request: Request) => Promise<Result> {
    const any = write as unknown as AnyWrite;
    return (request) => this.add({ name, write: any, request }) as Promise<Result>;
  }

  private async flush(items: Item[]): Promise<unknown[]> {
    const groups = this.grouped(items);
    const asking = groups.filter(({ statement }) => statement !== null);
    const statements = asking.flatMap(({ statement }) => statement ?? []);
    const more = asking.some(({ write, requests }) => write.within?.isNeeded(requests));
    const rows = await this.database.batch(
      statements,
      more ? (tx, first) => askMore(tx, asking, first) : null,
    );
    const results: unknown[] = [];
    for (const group of groups) {
      const own = rows[asking.indexOf(group)] ?? [];
      const given = group.write.results(group.requests, own);
      group.places.forEach((place, i) => (results[place] = given[i]));
    }
    return results;
  }

  private grouped(items: Item[]): Group[] {
    const groups = new Map<AnyWrite, Omit<Group, 'statement'>>();
    items.forEach(({ name, write, request }, place) => {
      let group = groups.get(write);
      if (group === undefined) {
        group = { name, write, requests: [], places: [] };
        groups.set(write, group);
      }
      group.requests.push(request);
      group.places.push(place);
    });
    const rank = ({ goesFirst }: AnyWrite) => (goesFirst === true ? 0 : 1);
    const inOrder = [...groups.values()].sort((a, b) => rank(a.write) - rank(b.write));
    return inOrder.map((group) => {
      // How well gathering works: items a flush.
      this.telemetry.count(METRICS.storeFlushes, { operation: group.name });
      this.telemetry.count(METRICS.storeFlushedItems, { operation: group.name }, group.requests.length);
      return { ...group, statement: group.write.statement(group.requests) };
    });
  }
}

async function askMore(tx: Queryable, groups: Group[], rows: object[][]): Promise<object[][]> {
  const all: object[][] = [];
  for (const [i, { write, requests }] of groups.entries()) {
    const own = rows[i] ?? [];
    all.push(write.within?.isNeeded(requests) ? await write.within.ask(tx, requests, own) : own);
  }
  return all;
}
