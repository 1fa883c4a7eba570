import type { IncomingMessage } from 'node:http';
import {
  ANYONE,
  asCasefileError,
  CasefileError,
  mayUse,
  withTimeout,
  type Caller,
  type Logger,
  type Right,
} from '@casefile/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { answerProblem, MethodNotAllowed } from '../nest/problem-filter.js';
import type { AccessEntry, AccessTable } from './access-table.js';

/** A way in which requests prove who sent them. */
export interface Authenticator {
  /**
   * Returns the caller that the request proves; null: it has no proof of this kind.
   * @param isAgain Whether the request was admitted before. It then counts into no limit of requests.
   * @throws CasefileError `unauthenticated` if the proof is wrong, `too_many`.
   */
  authenticate(request: IncomingMessage, isAgain: boolean): Promise<Caller | null>;
  /**
   * Returns the caller whose proof the database confirmed in the last five minutes, without asking it; null: there is
   * none. Default: callers are not remembered.
   * @throws CasefileError as `authenticate` does.
   */
  recall?(request: IncomingMessage): Caller | null;
}

/**
 * Returns the error that states an outage of the database: what still works and what to do.
 * @param error Error of a request that needed the database; null: the outage that is known; null if there is none.
 */
export type StateOutage = (error: CasefileError | null) => CasefileError | null;

/** Returns the error that states the outage if an error is about the database, else the error. */
export function statedError(thrown: unknown, outage: StateOutage | undefined): unknown {
  const error = asCasefileError(thrown);
  return error.reasonCode === 'store_unreachable' ? (outage?.(error) ?? thrown) : thrown;
}

export interface GuardParts {
  table: AccessTable;
  /** Tried in this order. The first caller counts. */
  authenticators: readonly Authenticator[];
  /** Returns whether this installation requires no proof at all. */
  isOpen(): Promise<boolean>;
  /** States an outage of the database in refusals. Default: the error of the request is the refusal. */
  outage?: StateOutage;
  log: Logger;
}

/** A caller without any right. */
const NOBODY: Caller = { name: '', proof: 'none', role: null, scopes: [] };

/** Callers of the requests that the guard admitted, and a function that admits each again. */
const callers = new WeakMap<object, { caller: Caller; again: () => Promise<Caller> }>();

/** Returns the caller of an admitted request. A request that passed no guard has a caller without rights. */
export function callerFrom(request: object): Caller {
  return callers.get(request)?.caller ?? NOBODY;
}

/**
 * Time limit for the identification of a caller at paths with an answer without the database, in milliseconds. A
 * client waits at most 5 s for the whole answer.
 */
const IDENTIFIED_WITHIN_MS = 2_000;

/** Interval in which the caller of a long answer is checked again, in milliseconds. */
const CHECK_AGAIN_MS = 5_000;

/**
 * Calls `end` soon after the caller of a long answer lost its right to it, for example by a revoked key.
 * @returns a function that ends these checks.
 */
export function endWhenRefused(request: IncomingMessage, end: () => void): () => void {
  const again = callers.get(request)?.again;
  const timer = setInterval(() => {
    again?.().catch((thrown: unknown) => {
      if (['unauthenticated', 'forbidden'].includes(asCasefileError(thrown).reasonCode)) end();
    });
  }, CHECK_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** @throws CasefileError `forbidden` if the caller may not use a route with this right. */
export function requireRight(caller: Caller, right: Right): void {
  if (mayUse(caller, right)) return;
  const needed =
    typeof right === 'string' ? `the role ${right}` : `the role ${right.role} or the scope ${right.scope}`;
  const has = caller.role === null ? `scopes: ${caller.scopes.join(', ') || 'none'}` : `role ${caller.role}`;
  throw new CasefileError('forbidden', `This needs ${needed}. The caller has the ${has}.`);
}

/**
 * The guard before every service, its event stream and its WebSocket. It refuses every path that has no entry
 * in the table, whatever is mounted there.
 */
export class AccessGuard {
  constructor(private readonly parts: GuardParts) {}

  /** Returns whether requests need a proof here. */
  async requiresProof(): Promise<boolean> {
    return !(await this.parts.isOpen());
  }

  /**
   * Admits a request and notes its caller. An open path asks no authenticator.
   * @throws CasefileError `unauthenticated`, `forbidden`, `not_found` or `method_not_allowed`.
   */
  async admit(request: IncomingMessage, method: string, path: string): Promise<Caller> {
    const caller = await this.check(request, { method, path, isAgain: false });
    callers.set(request, { caller, again: () => this.check(request, { method, path, isAgain: true }) });
    return caller;
  }

  private async check(
    request: IncomingMessage,
    { method, path, isAgain }: { method: string; path: string; isAgain: boolean },
  ): Promise<Caller> {
    const match = this.parts.table.find(method, path);
    if (match === null) throw new CasefileError('not_found', `Cannot ${method} ${path}`);
    if ('allowed' in match) throw new MethodNotAllowed(method, match.allowed);
    const { right } = match.entry;
    const caller = right === 'open' ? NOBODY : await this.identify(request, isAgain);
    requireRight(caller, right);
    return caller;
  }

  /**
   * Returns the guard as the handler before all others.
   * @param pages Answers paths without an entry, such as files of the dashboard. They hold no data.
   */
  handler(pages?: RequestHandler): RequestHandler {
    const { log, table } = this.parts;
    return (request: Request, response: Response, next: NextFunction): void => {
      const { method, path } = request;
      const refuse = (thrown: unknown): void => {
        log.debug({ method, path, error: thrown }, 'the guard refused a request');
        answerProblem(response, thrown, log);
      };
      const admit = (): void =>
        void this.admitInTime(request, method, path).then(
          () => next(),
          (thrown: unknown) => {
            try {
              this.admitWithoutStore(request, thrown, method, path);
            } catch (refusal) {
              return refuse(refusal);
            }
            next();
          },
        );
      if (pages === undefined || table.find(method, path) !== null) return admit();
      void pages(request, response, (error?: unknown) => (error === undefined ? admit() : refuse(error)));
    };
  }

  // Only a path that has an answer without the database must not wait for it.
  private admitInTime(request: IncomingMessage, method: string, path: string): Promise<Caller> {
    const admit = () => this.admit(request, method, path);
    if (this.entryWithoutStore(method, path) === null) return admit();
    const message = `The database did not answer within ${IDENTIFIED_WITHIN_MS} ms.`;
    const whenOver = () => new CasefileError('store_unreachable', message, { retryable: true });
    return withTimeout(IDENTIFIED_WITHIN_MS, new AbortController().signal, admit, { whenOver });
  }

  /**
   * Admits a request that could not be checked, if its path needs no database and its caller was checked before.
   * @throws CasefileError `thrown`, or one that states the outage, or `forbidden`.
   */
  private admitWithoutStore(request: IncomingMessage, thrown: unknown, method: string, path: string): void {
    const { outage } = this.parts;
    const error = asCasefileError(thrown);
    const entry = this.entryWithoutStore(method, path);
    // Without a proof a person would be asked to sign in, which needs the database.
    if (entry !== null && error.reasonCode === 'unauthenticated') throw outage?.(null) ?? thrown;
    if (error.reasonCode !== 'store_unreachable') throw thrown;
    const caller = entry === null ? null : this.recall(request);
    if (entry === null || caller === null) throw outage?.(error) ?? thrown;
    requireRight(caller, entry.right);
    callers.set(request, { caller, again: () => this.check(request, { method, path, isAgain: true }) });
  }

  private recall(request: IncomingMessage): Caller | null {
    for (const authenticator of this.parts.authenticators) {
      const caller = authenticator.recall?.(request) ?? null;
      if (caller !== null) return caller;
    }
    return null;
  }

  private entryWithoutStore(method: string, path: string): AccessEntry | null {
    const match = this.parts.table.find(method, path);
    return match !== null && 'entry' in match && match.entry.withoutStore === true ? match.entry : null;
  }

  private async identify(request: IncomingMessage, isAgain: boolean): Promise<Caller> {
    const { authenticators, isOpen } = this.parts;
    if (await isOpen()) return ANYONE;
    for (const authenticator of authenticators) {
      const caller = await authenticator.authenticate(request, isAgain);
      if (caller !== null) return caller;
    }
    throw new CasefileError(
      'unauthenticated',
      'This needs an access key: send the header "Authorization: Bearer cf_...".',
    );
  }
}
