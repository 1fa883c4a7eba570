import type {
  RunDocument,
  RunSettings,
  ShownPrompt,
  ShownPromptText,
  ShownPromptVersion,
} from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { countOutcomes, startExperiment } from '../testing/experiments.js';
import type { FiveServices } from '../testing/five-services.js';
import { ended } from '../testing/world.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

const PROMPT = 'scam-verdict/answer';
/** Line that the new version adds. */
export const OWN_LINE = 'Weigh every piece twice.';
/** The services that accept alerts, which freeze new runs. */
const ACCEPTING = ['ingest', 'console'] as const;

/** Time in milliseconds from a change until new runs of a service follow it. */
export type FollowedAfter = Record<(typeof ACCEPTING)[number], number>;

export interface VersionInFlight {
  shipped: string;
  added: string;
  /** Runs that were accepted before the version became live, and after every service followed. */
  before: RunDocument[];
  after: RunDocument[];
  /** All runs, also those that were accepted in between. */
  runs: RunDocument[];
  followedAfter: FollowedAfter;
}

/** Makes a version of a prompt live while cases are under way in six processes, and judges all of them. */
export async function versionInFlight(system: FiveServices, cases: number): Promise<VersionInFlight> {
  const { versions } = await api<ShownPrompt>(system, `/prompts/${PROMPT}`);
  const [shipped] = versions;
  if (shipped === undefined) throw new Error('the shipped text is no version');
  const { text } = await api<ShownPromptText>(system, `/prompts/${PROMPT}/versions/${shipped.version}`);
  const changed = { text: text.replace('Rules:', `${OWN_LINE}\n\nRules:`), message: 'twice', by: 'ann' };
  const added = await api<ShownPromptVersion>(system, `/prompts/${PROMPT}/versions`, changed);
  const before = await Promise.all(Array.from({ length: cases }, () => accept(system, 'ingest')));
  await until('some are asked', () => system.simulator.requests().length >= Math.min(4, cases));
  const state = { state: 'live', by: 'ann', reason: 'better' };
  await api(system, `/prompts/${PROMPT}/versions/${added.version}/state`, state);
  const during: string[] = [];
  const followedAfter = await followed(
    system,
    ({ promptIds }) => promptIds['answer'] === added.id,
    (id) => during.push(id),
  );
  const after = await Promise.all([...ACCEPTING, ...ACCEPTING].map((service) => accept(system, service)));
  const runs: RunDocument[] = [];
  for (const caseId of [...before, ...during, ...after])
    runs.push(...(await ended(system, caseId, WHOLE_SYSTEM_MS)).runs);
  const of = (ids: string[]) => runs.filter(({ caseId }) => ids.includes(caseId));
  return { shipped: shipped.id, added: added.id, before: of(before), after: of(after), runs, followedAfter };
}

/** Steps a running experiment back, and returns the time until new runs of each service have no arm. */
export async function stepBackInFlight(system: FiveServices): Promise<FollowedAfter> {
  const { store } = system;
  const id = await startExperiment(store, 'scam-verdict', { share: 1 });
  await followed(system, ({ experiment }) => experiment?.arm === 'new');
  const stepBack = await countOutcomes(store, id, { control: '.......', changed: '.xxxxxx' });
  if (stepBack === null) throw new Error('the experiment did not step back');
  return followed(system, ({ experiment }) => experiment === undefined);
}

/** Polls each accepting service with new cases until one has the change. */
async function followed(
  system: FiveServices,
  hasChange: (settings: RunSettings) => boolean,
  note: (caseId: string) => void = () => undefined,
): Promise<FollowedAfter> {
  const start = performance.now();
  const times = await Promise.all(
    ACCEPTING.map(async (service) => {
      await until(`new runs of ${service} have the change`, async () => {
        const caseId = await accept(system, service);
        note(caseId);
        const [run] = (await system.store.record.getCase(caseId))?.runs ?? [];
        return run !== undefined && hasChange(run.settings);
      });
      return [service, Math.round(performance.now() - start)] as const;
    }),
  );
  return Object.fromEntries(times) as FollowedAfter;
}

let parcels = 0;

async function accept(system: FiveServices, service: (typeof ACCEPTING)[number]): Promise<string> {
  parcels += 1;
  const text = `Your parcel ${parcels} is held, call +1 555 010 ${1_000 + parcels}`;
  const alert = { playbook: 'scam-verdict', text };
  if (service === 'ingest') return system.alert(alert);
  return (await api<{ caseId: string }>(system, '/alerts', alert)).caseId;
}

async function api<T>(system: FiveServices, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${system.service('console').url}/api/v1${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
