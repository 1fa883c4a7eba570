import type { CaseDocument, JsonObject } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { inThisProcess, type SystemUnderTest } from '../testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from '../testing/pager-receiver.js';
import { ended } from '../testing/world.js';

/** A message to the person on call, as PagerDuty receives it. */
export interface Page {
  event_action: 'trigger' | 'acknowledge' | 'resolve';
  dedup_key: string;
  payload: { severity: string; summary: string; custom_details: { text: string } };
}

/** Answer of the intake to one alert. */
export interface IntakeAnswer {
  caseId?: string;
  joined?: boolean;
  ignored?: string;
}

/** A system without a model, and a receiver that gets each verdict with the disposition `act`. */
export interface PagedWorld {
  system: SystemUnderTest;
  receiver: PagerReceiver;
  /** Posts a body and returns the answers to its alerts. Fails unless the status is 202. */
  send(body: unknown, path?: string): Promise<IntakeAnswer[]>;
  /** Returns the case when all its runs have ended and every message was delivered. */
  settled(caseId: string): Promise<CaseDocument>;
  /** Pages about a case, oldest first. */
  pages(caseId: string): Page[];
  /** Every message that the receiver of all verdicts got about a case, oldest first. */
  messages(caseId: string): JsonObject[];
  /** Sends a request of a person to the console. */
  ask(path: string, body: object): Promise<{ status: number; body: JsonObject }>;
  close(): Promise<void>;
}

/** Starts a paged world. @param settings further settings. */
export async function pagedWorld(settings: object = {}): Promise<PagedWorld> {
  const receiver = await pagerReceiver();
  const system = await inThisProcess({
    settings: {
      destinations: {
        oncall: {
          type: 'pagerduty',
          url: `${receiver.url}/pager`,
          secret: '${PAGER_KEY}',
          allowPrivate: true,
          when: { disposition: 'act' },
        },
        archive: { type: 'webhook', url: `${receiver.url}/archive`, allowPrivate: true },
      },
      ...settings,
    },
    env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' }),
  });
  const at = (path: string) =>
    receiver.received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text) as JsonObject);
  const { store } = system;
  const isQuiet = async () => {
    if ((await store.deliveries.pending(10, 0, ['incident', 'scam-verdict'])).length > 0) return false;
    return (await store.destinations.states(['oncall', 'archive'])).every(({ pending }) => pending === 0);
  };
  return {
    system,
    receiver,
    send: async (body, path = '/v1/alerts') => {
      const response = await fetch(`${system.service('ingest').url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as IntakeAnswer & { results?: IntakeAnswer[] };
      expect([response.status, answer]).toEqual([202, expect.anything()]);
      return answer.results ?? [answer];
    },
    settled: async (caseId) => {
      await ended({ store }, caseId);
      await until('every message is delivered', isQuiet);
      return (await store.record.getCase(caseId))!;
    },
    pages: (caseId) =>
      (at('/pager') as unknown as Page[]).filter(
        ({ dedup_key: key, event_action: action }) => key === caseId && action === 'trigger',
      ),
    messages: (caseId) => at('/archive').filter(({ data }) => (data as JsonObject)['caseId'] === caseId),
    ask: async (path, body) => {
      const response = await fetch(`${system.service('console').url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as JsonObject };
    },
    close: async () => {
      await system.close();
      receiver.close();
    },
  };
}
