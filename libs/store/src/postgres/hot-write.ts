import type { Queryable, Statement } from './database.js';

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
  /** One result a request, in their order, or a promise of one that needs a second look. */
  results(requests: Request[], rows: object[]): readonly (Result | PromiseLike<Result>)[];
}
