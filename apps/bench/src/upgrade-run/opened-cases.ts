import { ConsoleClient, type ShownCase, type ShownRun } from '@casefile/cli/client/console-client';
import { IntakeClient } from '@casefile/cli/client/intake-client';
import { readSamples } from '@casefile/cli/up/samples';
import { asCasefileError, type JsonObject } from '@casefile/contracts';

/** Results of the cases that were opened on one version, and decided by this version or the next one. */
export interface CaseCounts {
  /** Kinds of case among the alerts. */
  kinds: number;
  accepted: number;
  /** Cases that only the later version accepted, because the killed one gave no response. */
  sentAgain: number;
  /** Accepted and without a verdict when the version was killed. */
  inFlight: number;
  decided: number;
  /** Accepted cases that are now absent or without a verdict. */
  lost: number;
  /** More than one case per alert, run per case, verdict per run, or answer per question. */
  doubled: number;
}

interface Opened {
  key: string;
  alert: JsonObject;
  /** null: the version was killed before it responded. */
  caseId: string | null;
}

const DECIDED_WITHIN_MS = 600_000;
const ENDED = new Set(['decided', 'stopped', 'quarantined']);

/** Alerts that are sent to one version and, if there is no response, to the next version. */
export class OpenedCases {
  private readonly opened: Opened[] = [];
  private readonly decided = new Set<string>();
  /** Cases whose runs have all ended, with or without a verdict. */
  private readonly settled = new Set<string>();
  private inFlight = 0;
  private unanswered = 0;
  private doubled = 0;

  /** Waits until the bundled samples are on the record, together with the look-ups of their tools. */
  static async untilSamples(consoleUrl: string): Promise<void> {
    const client = new ConsoleClient(consoleUrl);
    for (const until = Date.now() + DECIDED_WITHIN_MS; ; await pause(250)) {
      const list = await orNull(client.get('/cases', { query: { limit: 1 } }));
      if (list !== null && list.cases.length > 0) return;
      if (Date.now() > until) throw new Error('the version submitted no samples');
    }
  }

  /** Sends `count` new alerts, of all kinds in turn. */
  async open(ingestUrl: string, phase: string, count: number): Promise<void> {
    const samples = (await readSamples()).alerts.filter((alert) => alert['image'] === undefined);
    const alerts = samples.toSorted((a, b) => rank(a, samples) - rank(b, samples));
    const fresh = Array.from({ length: count }, (_, index): Opened => {
      const id = `${phase}-${index}`;
      return {
        key: `upgrade-${id}`,
        alert: variantOf(alerts[index % alerts.length] ?? {}, id),
        caseId: null,
      };
    });
    this.opened.push(...fresh);
    await this.send(ingestUrl, fresh);
  }

  /** Sends the alerts that were not accepted yet, with their old keys. */
  async sendAgain(ingestUrl: string): Promise<void> {
    await this.send(
      ingestUrl,
      this.opened.filter(({ caseId }) => caseId === null),
    );
  }

  private async send(ingestUrl: string, alerts: Opened[]): Promise<void> {
    const intake = new IntakeClient(ingestUrl);
    for (const one of alerts) {
      const { alert, key } = one;
      const accepted = await intake.submit(alert, { key }).catch((thrown: unknown) => {
        const error = asCasefileError(thrown);
        if (error.retryable || error.reasonCode === 'unreachable') return null;
        throw error;
      });
      one.caseId = accepted?.caseId ?? null;
    }
  }

  /** Resolves when the version has decided `share` of the accepted cases, and others are still in flight. */
  async untilDecided(consoleUrl: string, share: number): Promise<void> {
    await this.look(consoleUrl, () => this.settled.size >= share * this.accepted().length);
  }

  /** Records the cases that were in flight or without a response at the kill, according to the last read. */
  killed(): void {
    this.inFlight = this.accepted().length - this.settled.size;
    this.unanswered = this.opened.length - this.accepted().length;
  }

  /** Waits for all verdicts, sends every alert once more with its key, and counts. */
  async count(version: { consoleUrl: string; ingestUrl: string }): Promise<CaseCounts> {
    await this.look(version.consoleUrl, () => this.settled.size === this.accepted().length);
    const intake = new IntakeClient(version.ingestUrl);
    const client = new ConsoleClient(version.consoleUrl);
    const ids = this.accepted();
    for (const { alert, key, caseId } of this.opened) {
      const repeated = await intake.submit(alert, { key });
      if (repeated.caseId !== caseId) this.doubled += 1;
    }
    for (const caseId of ids) this.doubled += doublesIn(await caseOrNull(client, caseId));
    this.doubled += ids.length - new Set(ids).size;
    const accepted = ids.length;
    const { inFlight, doubled, unanswered: sentAgain } = this;
    const kinds = new Set(this.opened.map(({ alert }) => alert['playbook'])).size;
    const decided = this.decided.size;
    return { kinds, accepted, sentAgain, inFlight, decided, lost: accepted - decided, doubled };
  }

  private accepted(): string[] {
    return this.opened.flatMap(({ caseId }) => caseId ?? []);
  }

  private async look(consoleUrl: string, met: () => boolean): Promise<void> {
    const client = new ConsoleClient(consoleUrl);
    for (const until = Date.now() + DECIDED_WITHIN_MS; Date.now() < until; await pause(250)) {
      for (const caseId of this.accepted().filter((id) => !this.settled.has(id))) {
        const shownCase = await caseOrNull(client, caseId);
        if (shownCase?.runs.every(({ status }) => ENDED.has(status))) this.settled.add(caseId);
        if (shownCase?.runs.some(({ verdict }) => verdict !== null)) this.decided.add(caseId);
        if (met()) return;
      }
      if (met()) return;
    }
  }
}

// Ranks samples by position within their kind: the first of each kind, then the second of each.
function rank(alert: JsonObject, all: JsonObject[]): number {
  return all.filter((other) => other['playbook'] === alert['playbook']).indexOf(alert);
}

/** Returns the same alert with another fingerprint. */
function variantOf(alert: JsonObject, id: string): JsonObject {
  const { text, payload } = alert as { text?: string; payload?: JsonObject };
  if (text !== undefined) return { ...alert, text: `${text} (${id})` };
  const changed: JsonObject = { ...payload };
  for (const field of ['title', 'query'])
    if (typeof changed[field] === 'string') changed[field] = `${changed[field]} (${id})`;
  const inner = changed['alert'] as JsonObject | undefined;
  if (inner !== undefined) {
    const labels = { ...(inner['labels'] as JsonObject), instance: id };
    changed['alert'] = { ...inner, labels, fingerprint: id };
  }
  return { ...alert, payload: changed };
}

function doublesIn(shownCase: ShownCase | null): number {
  if (shownCase === null) return 0;
  return shownCase.runs.length - 1 + shownCase.runs.reduce((sum, run) => sum + doublesOfRun(run), 0);
}

function doublesOfRun(run: ShownRun): number {
  if (!ENDED.has(run.status)) return 0;
  const verdicts = run.artifacts.filter(({ artifact }) => artifact === 'verdict').length;
  const answers = run.interactions
    .filter(({ state }) => state === 'completed')
    .map((it) =>
      JSON.stringify([it.unit, it.stage, it.round, it.step, it.toolCallId, it.promptId, it.requestHash]),
    );
  return Math.max(0, verdicts - 1) + answers.length - new Set(answers).size;
}

const caseOrNull = (client: ConsoleClient, caseId: string): Promise<ShownCase | null> =>
  orNull(client.getCase(caseId), 'unknown_case');

/** Returns null if the version is unreachable or busy, or for one of these reasons. */
function orNull<T>(response: Promise<T>, ...reasons: string[]): Promise<T | null> {
  return response.catch((thrown: unknown) => {
    const error = asCasefileError(thrown);
    if (error.retryable || ['unreachable', ...reasons].includes(error.reasonCode)) return null;
    throw error;
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
