import type {
  AcceptedAlert,
  BatchList,
  CaseList,
  CreatedBatch,
  RunbookList,
  ShownExperiment,
} from '@casefile/contracts';
import type { Browser, Page } from 'playwright-core';
import { fetchServed } from '../testing/fetch-served.js';
import { until } from '@casefile/contracts/testing';

interface Addresses {
  browser: Browser;
  /** Origins of the console and of intake. */
  console: string;
  ingest: string;
}

/** The samples with the records that pages show: one path for each route of the dashboard. */
export interface SampleStage extends Addresses {
  /** Paths, one per page. */
  pages: string[];
  /** Paths of the cases, with their kinds and dispositions. */
  cases: { playbook: string; id: string; path: string; disposition: string | null }[];
  /** Id of a case in review whose verdict is from rules alone. */
  unconfirmed: string;
}

/** A text in a language that the rules do not read: its low risk stays unconfirmed. */
const RULES_ALONE =
  'Können wir unser Treffen am Freitag auf vier Uhr verschieben? Ich bringe den Kuchen mit.';
const UNREADABLE = { version: '4', alerts: [{ labels: { alertname: 'DiskFull' }, startsAt: 'notatime' }] };

/** Adds what the samples lack: a verdict of rules, a dead letter, a batch and an experiment. */
export async function fillRecord(at: Addresses): Promise<SampleStage> {
  const ops = `${new URL(at.console).origin}/api/v1`;
  const own = { playbook: 'scam-verdict', text: RULES_ALONE };
  const { caseId } = (await post(`${at.ingest}/v1/alerts`, own)) as AcceptedAlert;
  await post(`${at.ingest}/v1/webhooks/alertmanager`, UNREADABLE);
  const isDecided = async () => (await listed()).some((one) => one.caseId === caseId && one.verdict !== null);
  const listed = async () => (await get<CaseList>(`${ops}/cases?limit=100`)).cases;
  await until('the alert of the spec has its verdict', isDecided);
  const { batchId } = (await post(`${ops}/batches`, {
    filter: { playbook: 'scam-verdict' },
    lane: 'replay',
    settings: { strategy: 'heuristic' },
  })) as CreatedBatch;
  await until('the batch is done', async () =>
    (await get<BatchList>(`${ops}/batches`)).batches.every(({ state }) => state === 'done'),
  );
  const experiment = (await post(`${ops}/experiments`, {
    name: 'rules alone',
    playbook: 'scam-verdict',
    mode: 'ab',
    arms: [
      { name: 'control', settings: {} },
      { name: 'rules', settings: { strategy: 'heuristic' } },
    ],
    share: 0.1,
    by: 'spec',
    reason: 'cheaper',
  })) as ShownExperiment;
  const { runbooks } = await get<RunbookList>(`${ops}/runbooks`);
  const cases = (await listed()).map((one) => ({
    playbook: one.playbook,
    id: one.caseId,
    path: `/cases/${one.caseId}`,
    disposition: one.verdict?.disposition ?? null,
  }));
  const firstOfKind = cases.filter(
    ({ playbook }, i) => cases.findIndex((it) => it.playbook === playbook) === i,
  );
  const twoRuns = await pathOfTwoRuns(ops, caseId);
  const pages = [
    '/',
    '/cases',
    '/inbox',
    '/inbox?type=review',
    '/inbox?type=letter',
    '/inbox?type=engagement',
    '/policies/claims-handling/versions/1',
    '/improve/kinds/scam-verdict',
    `/improve/kinds/scam-verdict/trial?change=${encodeURIComponent('{"strategy":"heuristic"}')}&step=shadow`,
    '/prompts/scam-verdict/answer',
    '/improve/trials',
    `/experiments/${experiment.id}`,
    '/improve',
    '/settings/knowledge',
    `/runbooks/${runbooks[0]!.name}`,
    `/batches/${batchId}`,
    '/operate',
    '/operate/tools',
    '/operate/cost?range=1h',
    '/operate/schedules',
    '/operate/queues',
    '/operate/destinations',
    '/settings',
    '/settings/audit',
    '/settings/people',
    '/cases/new',
    '/docs',
    '/nonesuch',
    twoRuns,
    ...firstOfKind.map(({ path }) => path),
  ];
  return { ...at, console: new URL(at.console).origin, pages, cases, unconfirmed: caseId };
}

/** Timeout for a walk over many pages, in milliseconds. On a busy machine a page takes many seconds. */
export const WALK_MS = 900_000;

/** Opens a page and waits until it shows its data. */
export async function openSample(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
}

async function pathOfTwoRuns(ops: string, caseId: string): Promise<string> {
  const { runs } = await get<{ runs: { id: string }[] }>(`${ops}/cases/${caseId}`);
  return `/cases/${caseId}?run=${runs[0]!.id}&with=${runs[1]!.id}`;
}

async function get<T>(url: string): Promise<T> {
  return (await (await fetchServed(url)).json()) as T;
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}
