import {
  CasefileError,
  recordedVerdict,
  type Brief,
  type CaseStore,
  type RunDocument,
  type TakenDelivery,
} from '@casefile/contracts';
import {
  detectLanguage,
  makeNotice,
  noticeText,
  noticeTitle,
  resolvedNotice,
  type NoticeInput,
  type Playbook,
} from '@casefile/pipeline';
import { outwardMessage } from '../delivery/outward-message.js';
import type { OutboundMessage } from './outbound-message.js';

export interface ComposePorts {
  store: Pick<CaseStore, 'engagements'> & {
    record: Pick<CaseStore['record'], 'getRun' | 'resolvedAt'>;
    deliveries: Pick<CaseStore['deliveries'], 'of'>;
  };
  playbooks: readonly Pick<Playbook, 'name' | 'outward' | 'presenting'>[];
  /** Without a slash at the end. */
  consoleUrl: string;
}

/**
 * Composes the message of a delivery from the record.
 * @throws CasefileError `not_found` if the record no longer has the run, `unknown_playbook` for a kind that
 * this process does not know.
 */
export async function composeMessage(
  ports: ComposePorts,
  destination: string,
  delivery: TakenDelivery,
): Promise<OutboundMessage> {
  const { id: deliveryId, kind, key, createdAt, caseId, runId } = delivery;
  const common = { deliveryId, kind, createdAt, caseId };
  if (kind === 'test' || runId === null) return { ...common, ...testMessage(ports.consoleUrl, destination) };
  const [told, run] = await Promise.all([
    ports.store.deliveries.of(runId, key),
    ports.store.record.getRun(runId),
  ]);
  if (told === null || run === null)
    throw new CasefileError('not_found', 'the record no longer has this run');
  const outward = await outwardMessage(ports, { ...told, verdict: recordedVerdict(told.verdict) });
  const playbook = ports.playbooks.find(({ name }) => name === told.playbook);
  if (outward === null || playbook === undefined)
    throw new CasefileError('unknown_playbook', `this process does not know the kind ${told.playbook}`);
  const input: NoticeInput = { verdict: outward.verdict, ...partsIn(run) };
  const notice = makeNotice(playbook.presenting, input);
  const word = playbook.presenting.word(outward.verdict);
  const link = `${ports.consoleUrl}/cases/${told.caseId}`;
  const { severity } = outward.verdict.outcome;
  const verdict = { ...outward, deliveryId };
  const facts = { verdict, link, word, severity: typeof severity === 'string' ? severity : 'unknown' };
  const language = await languageIn(input.brief);
  if (kind === 'resolved') {
    const at = await ports.store.record.resolvedAt(told.caseId);
    return { ...common, ...facts, word: 'resolved', ...resolvedNotice(notice, language, at, link) };
  }
  const text = delivery.message ?? noticeText(word, notice, language, link);
  return { ...common, ...facts, title: noticeTitle(word, notice), text };
}

function testMessage(consoleUrl: string, destination: string) {
  const title = `Test of the destination ${destination}`;
  const link = `${consoleUrl}/destinations`;
  const text = `${title}\nCasefile can reach this destination. There is nothing to do.\n${link}`;
  return { verdict: null, title, text, link, word: 'test', severity: 'info' };
}

function partsIn({ artifacts }: Pick<RunDocument, 'artifacts'>): Pick<NoticeInput, 'brief' | 'evidence'> {
  const last = (name: string) => artifacts.findLast(({ artifact }) => artifact === name)?.body ?? null;
  return { brief: last('brief') as Brief | null, evidence: last('evidence') as NoticeInput['evidence'] };
}

/** Number of characters that are read to detect the language of an alert. */
const READ_FOR_LANGUAGE = 2_000;

// For some kinds, triage has already detected the language. If it is unknown, labels are English.
async function languageIn(brief: Brief | null): Promise<string> {
  if (brief === null) return 'en';
  if (brief.language !== undefined) return brief.language.code;
  const { code, certainty } = await detectLanguage(brief.text.slice(0, READ_FOR_LANGUAGE));
  return certainty >= 0.6 ? code : 'en';
}
