import {
  isObject,
  projectionOf,
  readsClass,
  type Caller,
  type CaseReader,
  type Clock,
  type FieldClass,
  elapsedMs,
} from '@casefile/contracts';
import { actingAs } from '@casefile/runtime';
import type { Route } from './route.js';

/** Interval between two notes of the same caller and address, in milliseconds. Pages read lists all the time. */
const EVERY_MS = { item: 60_000, list: 3_600_000 } as const;
/** Addresses that are remembered. Beyond that the oldest are forgotten and noted again. */
const MOST = 10_000;

const GUARDED: readonly FieldClass[] = ['reasoning', 'personal'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface ReadingPorts {
  record: Pick<CaseReader, 'noteReading'>;
  clock: Pick<Clock, 'now'>;
}

interface ApiRequest {
  path: string;
  params: Readonly<Record<string, unknown>>;
  /** Names the case of a route that only reads although its method is POST. */
  body?: unknown;
}

/**
 * Logs who read messages, evidence, prompts or reasoning: an item at most once a minute per caller, a list
 * once an hour. A caller who proved nothing has no name and is not logged.
 */
export class ReadingLog {
  private readonly notedAt = new Map<string, number>();

  constructor(private readonly ports: ReadingPorts) {}

  /**
   * Notes a request for an answer of the API before it is answered.
   * @throws CasefileError if the note cannot be written, so that nothing is read without one.
   */
  async note(
    { response, method, isReading = false }: Pick<Route, 'response' | 'method' | 'isReading'>,
    { path, params, body }: ApiRequest,
    caller: Caller,
  ): Promise<void> {
    const reads = method === 'get' || isReading;
    const classes = typeof response === 'string' ? GUARDED : [...projectionOf(response).classes];
    if (!reads || !classes.some((fieldClass) => GUARDED.includes(fieldClass))) return;
    const caseId = params['caseId'] ?? (isReading && isObject(body) ? body['caseId'] : null);
    await this.noteContent(
      {
        path,
        caseId: typeof caseId === 'string' && UUID.test(caseId) ? caseId : null,
        isItem: Object.keys(params).length > 0,
      },
      caller,
      classes,
    );
  }

  /**
   * Notes a request for content with these classes before it is answered. The caller may get a part of it.
   * @throws CasefileError if the note cannot be written.
   */
  async noteContent(
    { path, caseId = null, isItem }: { path: string; caseId?: string | null; isItem: boolean },
    caller: Caller,
    classes: readonly FieldClass[] = GUARDED,
  ): Promise<void> {
    const sees = classes.some(
      (fieldClass) => GUARDED.includes(fieldClass) && readsClass(caller.role, fieldClass),
    );
    if (caller.proof === 'none' || !sees) return;
    const { clock, record } = this.ports;
    const key = JSON.stringify([caller.proof, caller.name, path, caseId]);
    const everyMs = isItem ? EVERY_MS.item : EVERY_MS.list;
    if (elapsedMs(clock.now(), this.notedAt.get(key) ?? -Infinity) < everyMs) return;
    // The event states the proof, as those of acts do.
    await actingAs(caller, () => record.noteReading({ by: caller.name, path, caseId }));
    this.remember(key);
  }

  private remember(key: string): void {
    this.notedAt.delete(key);
    this.notedAt.set(key, this.ports.clock.now());
    const [oldest] = this.notedAt.keys();
    if (this.notedAt.size > MOST && oldest !== undefined) this.notedAt.delete(oldest);
  }
}
