import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  asCasefileError,
  CasefileError,
  type AccessKeys,
  type Caller,
  type Clock,
  type Logger,
  type StoredAccessKey,
  elapsedMs,
} from '@casefile/contracts';
import type { Authenticator } from './access-guard.js';
import { networkOf, type AttemptLimit } from './attempt-limit.js';
import type { CheckedCallers, RunningCheck } from './checked-callers.js';
import { keyDigest, keyId } from './key-format.js';

/** Time for which a valid key is not queried again. */
const CACHED_MS = 3_000;
/**
 * Further time for which a valid key is accepted while it is queried again. A revocation takes effect within the sum
 * of both times.
 */
const RENEWED_MS = 1_500;
/** Time for which a key with the scope metrics alone is accepted while the database does not answer. */
const WITHOUT_DATABASE_MS = 300_000;
const MOST_CACHED = 1_000;
/** Compared with the digest of a key whose id is unknown. No key has it. */
const DUMMY = '0'.repeat(64);
const MINUTE_MS = 60_000;

/** Steps of a check. A spec replaces them to count them. */
export interface KeyChecks {
  keys: Pick<AccessKeys, 'find' | 'noteUse'>;
  digest?(key: string): string;
  isEqual?(one: Buffer, other: Buffer): boolean;
  clock: Clock;
  log: Logger;
  /** Limits the queries for wrong keys per address. Default: they are not limited. */
  failures?: AttemptLimit;
  /** Remembers valid keys for requests while the database is unavailable. Default: no key is remembered. */
  checked?: CheckedCallers;
}

interface CachedKey {
  key: StoredAccessKey;
  /** Times of the last comparison and of the last confirmation by the database. */
  at: number;
  confirmedAt: number;
  uses: KeyUses;
}

/** Requests of one key. All checks of the key share this object, also those at the same time. */
interface KeyUses {
  /** Start of the current minute, and requests in it. */
  minute: number;
  requests: number;
}

/** Authenticates requests with `Authorization: Bearer cf_...`. */
export class KeyAuthenticator implements Authenticator {
  /** Valid keys by their digests. */
  private readonly valid = new Map<string, CachedKey>();
  /** Queries in progress by the digests of their keys. */
  private readonly queries = new Map<string, Promise<CachedKey>>();
  /** Checks that wait for their turn, by the digests of their keys and the networks of their clients. */
  private readonly turns = new Map<string, Promise<CachedKey>>();

  constructor(private readonly parts: KeyChecks) {}

  async authenticate({ headers, socket }: IncomingMessage, isAgain: boolean): Promise<Caller | null> {
    const text = keyIn(headers);
    return text === null ? null : this.callerOf(text, socket?.remoteAddress, isAgain);
  }

  recall({ headers }: IncomingMessage): Caller | null {
    const text = keyIn(headers);
    const { digest = keyDigest, checked } = this.parts;
    return text === null ? null : (checked?.find(digest(text)) ?? null);
  }

  /**
   * Returns the caller of a key. Once the address has reached the limit of failures, only keys that were valid at their
   * last query are queried again.
   * @param address IP address of the client.
   * @param isAgain Whether an admitted request is checked again, which counts into no limit.
   * @throws CasefileError `unauthenticated`, `too_many`.
   */
  async callerOf(text: string, address: string | undefined, isAgain = false): Promise<Caller> {
    const { digest = keyDigest, failures } = this.parts;
    const sha256 = digest(text);
    const cached = await (failures === undefined || isAgain || this.valid.has(sha256)
      ? this.check(text, sha256)
      : this.checkInTurn(text, sha256, failures, address));
    if (!isAgain) this.countRequest(cached);
    return keyCaller(cached.key);
  }

  /** Requests with the same key that came from the same address share a turn. Each of them counts if the key is wrong. */
  private async checkInTurn(
    text: string,
    sha256: string,
    failures: AttemptLimit,
    address: string | undefined,
  ): Promise<CachedKey> {
    const place = `${sha256} ${networkOf(address)}`;
    const shared = this.queries.get(sha256) ?? this.turns.get(place);
    if (shared !== undefined)
      return shared.catch((thrown: unknown) => {
        if (asCasefileError(thrown).reasonCode === 'unauthenticated') failures.note(address);
        throw thrown;
      });
    const turn = failures
      .run(address, () => this.check(text, sha256))
      .finally(() => this.turns.delete(place));
    this.turns.set(place, turn);
    return turn;
  }

  /** Requests with the same key share a query. Known and unknown ids take the same steps. */
  private async check(text: string, sha256: string): Promise<CachedKey> {
    const id = keyId(text);
    if (id === null) throw refused('The access key is damaged: its checksum is wrong. Copy it again.');
    const { clock, log } = this.parts;
    const previous = this.valid.get(sha256);
    const age = previous === undefined ? Infinity : elapsedMs(clock.now(), previous.at);
    if (previous !== undefined && age < CACHED_MS) return previous;
    const query = this.queries.get(sha256) ?? this.query(id, sha256, previous);
    if (previous === undefined || age >= CACHED_MS + RENEWED_MS) return query;
    query.catch((error: unknown) => log.debug({ error }, 'a key that is accepted was not checked again'));
    return previous;
  }

  private query(id: string, sha256: string, previous: CachedKey | undefined): Promise<CachedKey> {
    const { clock, checked } = this.parts;
    const run = checked?.begin(sha256);
    const query = this.checkNow(id, sha256, clock.now(), previous, run).finally(() => {
      run?.end();
      this.queries.delete(sha256);
    });
    this.queries.set(sha256, query);
    return query;
  }

  private async checkNow(
    id: string,
    sha256: string,
    now: number,
    previous: CachedKey | undefined,
    run: RunningCheck | undefined,
  ): Promise<CachedKey> {
    const { keys, log, isEqual = timingSafeEqual } = this.parts;
    const { stored, confirmedAt } = await this.find(id, previous, now);
    const isSame = isEqual(Buffer.from(sha256), Buffer.from(stored?.sha256 ?? DUMMY));
    if (stored === null || !isSame || !stored.isValid) {
      this.valid.delete(sha256);
      run?.refuse();
      throw refused('The access key is unknown, expired or revoked.');
    }
    if (confirmedAt === now) run?.confirm(keyCaller(stored));
    if (!stored.isNoted)
      keys.noteUse(id).catch((error: unknown) => log.debug({ error }, 'the use of a key was not noted'));
    // Another request may have been checked since.
    const uses = this.valid.get(sha256)?.uses ?? previous?.uses ?? { minute: now, requests: 0 };
    const cached = { key: stored, at: now, confirmedAt, uses };
    this.valid.delete(sha256);
    const [oldest] = this.valid.keys();
    if (this.valid.size >= MOST_CACHED && oldest !== undefined) this.valid.delete(oldest);
    this.valid.set(sha256, cached);
    return cached;
  }

  // Metrics are needed most while the database is unavailable, and hold no content.
  private async find(
    id: string,
    previous: CachedKey | undefined,
    now: number,
  ): Promise<{ stored: StoredAccessKey | null; confirmedAt: number }> {
    try {
      return { stored: await this.parts.keys.find(id), confirmedAt: now };
    } catch (thrown) {
      const isForMetrics =
        previous?.key.role === null && previous.key.scopes.every((scope) => scope === 'metrics');
      const isRecent = previous !== undefined && elapsedMs(now, previous.confirmedAt) < WITHOUT_DATABASE_MS;
      if (isForMetrics && isRecent && asCasefileError(thrown).retryable)
        return { stored: previous.key, confirmedAt: previous.confirmedAt };
      throw thrown;
    }
  }

  /** @throws CasefileError `too_many` if the key has used its requests of this minute in this process. */
  private countRequest({ key: { perMinute, name }, uses }: CachedKey): void {
    if (perMinute === null) return;
    const now = this.parts.clock.now();
    if (elapsedMs(now, uses.minute) >= MINUTE_MS) Object.assign(uses, { minute: now, requests: 0 });
    uses.requests += 1;
    if (uses.requests <= perMinute) return;
    throw new CasefileError('too_many', `The key ${name} may send ${perMinute} requests per minute.`, {
      retryAfterMs: uses.minute + MINUTE_MS - now,
    });
  }
}

function keyIn({ authorization = '' }: IncomingMessage['headers']): string | null {
  return /^Bearer +(cf_\w*)$/i.exec(authorization.slice(0, 200))?.[1] ?? null;
}

function keyCaller({ name, role, scopes, limits }: StoredAccessKey): Caller {
  return { name, proof: 'key', role, scopes, ...(limits === null ? {} : { limits }) };
}

function refused(message: string): CasefileError {
  return new CasefileError('unauthenticated', message);
}
