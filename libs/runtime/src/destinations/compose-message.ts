import {
  CasefileError,
  recordedVerdict,
  stormLines,
  stormSummary,
  type Brief,
  type CaseStore,
  type DeliveryEvent,
  type DeliveryKind,
  type EscalationReason,
  type NoticedCondition,
  type RunDocument,
  type TakenDelivery,
  type VerdictMessage,
} from '@casefile/contracts';
import {
  detectLanguage,
  makeNotice,
  noticeText,
  noticeTitle,
  resolvedNotice,
  type Notice,
  type NoticeInput,
  type Playbook,
} from '@casefile/pipeline';
import { outwardMessage } from '@casefile/engine';
import type { OutboundMessage } from './outbound-message.js';

export interface ComposePorts {
  store: Pick<CaseStore, 'engagements'> & {
    storms: Pick<CaseStore['storms'], 'ofRun'>;
    record: Pick<CaseStore['record'], 'getRun' | 'resolvedAt'>;
    deliveries: Pick<CaseStore['deliveries'], 'of'>;
  };
  playbooks: readonly Pick<Playbook, 'name' | 'outward' | 'presenting'>[];
  /** Without a slash at the end. */
  consoleUrl: string;
}

/** Fields of every message about a verdict, whatever its destination. */
interface VerdictFacts extends Pick<OutboundMessage, 'link' | 'word' | 'severity'> {
  outward: VerdictMessage;
  notice: Notice;
  language: string;
}

/** Composes the message of a delivery. */
export type Compose = (destination: string, delivery: TakenDelivery) => Promise<OutboundMessage>;

/**
 * Returns a function that composes the message of a delivery from the record. Deliveries of a verdict to several
 * destinations are due at the same time, so they share what is read meanwhile.
 * @throws (the function) CasefileError `not_found` if the record no longer has the run, `unknown_playbook` for a
 * kind that this process does not know.
 */
export function messageComposer(ports: ComposePorts): Compose {
  const reading = new Map<string, Promise<VerdictFacts>>();
  const factsOf = (runId: string, key: string): Promise<VerdictFacts> => {
    const id = `${runId} ${key}`;
    const facts = reading.get(id) ?? verdictFacts(ports, runId, key).finally(() => reading.delete(id));
    reading.set(id, facts);
    return facts;
  };
  const composed: Compose = async (
    destination,
    { id: deliveryId, kind, key, createdAt, caseId, runId, message, event },
  ) => {
    const review = event?.review ?? null;
    const auditHead = event?.auditHead ?? null;
    const none = { condition: null, acknowledgeLink: null };
    const common = { deliveryId, kind, createdAt, caseId, review, auditHead, ...none };
    if (auditHead !== null) return { ...common, ...auditHeadMessage(ports.consoleUrl, auditHead) };
    if (event?.condition !== undefined)
      return { ...common, ...conditionMessage(ports.consoleUrl, kind, event.condition) };
    if (kind === 'test' || runId === null)
      return { ...common, ...testMessage(ports.consoleUrl, destination) };
    const { outward, notice, language, ...display } = await factsOf(runId, event?.verdictId ?? key);
    const { link, word } = display;
    const facts = { ...display, verdict: { ...outward, deliveryId } };
    if (kind === 'resolved') {
      const at = await ports.store.record.resolvedAt(outward.caseId);
      return { ...common, ...facts, word: 'resolved', ...resolvedNotice(notice, language, at, link) };
    }
    if (kind === 'flapping')
      return { ...common, ...facts, ...flappingNotice(noticeTitle(word, notice), link) };
    if (kind === 'acknowledged')
      return { ...common, ...facts, ...acknowledgedNotice(noticeTitle(word, notice), link) };
    if (kind === 'review-answered')
      return { ...common, ...facts, word: 'answered', ...answeredNotice(noticeTitle(word, notice), link) };
    if (review !== null)
      return { ...common, ...facts, ...reviewNotice(kind, review, noticeTitle(word, notice), link) };
    const text = message ?? noticeText(word, notice, language, link);
    return { ...common, ...facts, title: noticeTitle(word, notice), text };
  };
  return async (destination, delivery) => {
    const message = await composed(destination, delivery);
    const { escalatedFrom: from, escalatedWhy: why = 'not-accepted' } = delivery.event ?? {};
    if (from === undefined) return message;
    const prefix = `${ESCALATION_WORDS[why]} ${from}: `;
    return { ...message, title: `${prefix}${message.title}`, text: prefixed(prefix, message.text) };
  };
}

const ESCALATION_WORDS: Readonly<Record<EscalationReason, string>> = {
  'not-accepted': 'Not accepted by',
  'not-acknowledged': 'Not acknowledged at',
};
/** Maximum length of the text of a message. */
const MOST_TEXT = 1_200;

// A later attempt has the text of the first one. If the text becomes too long, its longest line is cut.
function prefixed(prefix: string, text: string): string {
  if (text.startsWith(prefix)) return text;
  const whole = `${prefix}${text}`;
  const over = whole.length - MOST_TEXT;
  if (over <= 0) return whole;
  const lines = whole.split('\n');
  const longest = lines.reduce((a, b) => (b.length > a.length ? b : a));
  const end = longest.length - over - 3;
  return lines.map((line) => (line === longest ? `${line.slice(0, end)}...` : line)).join('\n');
}

async function verdictFacts(ports: ComposePorts, runId: string, key: string): Promise<VerdictFacts> {
  const [recorded, run, storm] = await Promise.all([
    ports.store.deliveries.of(runId, key),
    ports.store.record.getRun(runId),
    ports.store.storms.ofRun(runId),
  ]);
  if (recorded === null || run === null)
    throw new CasefileError('not_found', 'the record no longer has this run');
  const outward = await outwardMessage(ports, { ...recorded, verdict: recordedVerdict(recorded.verdict) });
  const playbook = ports.playbooks.find(({ name }) => name === recorded.playbook);
  if (outward === null || playbook === undefined)
    throw new CasefileError('unknown_playbook', `this process does not know the kind ${recorded.playbook}`);
  const input: NoticeInput = { verdict: outward.verdict, ...partsIn(run) };
  const { severity } = outward.verdict.outcome;
  return {
    outward,
    notice: inStorm(makeNotice(playbook.presenting, input), storm),
    language: await languageIn(input.brief),
    link: `${ports.consoleUrl}/cases/${recorded.caseId}`,
    word: playbook.presenting.word(outward.verdict),
    severity: typeof severity === 'string' ? severity : 'unknown',
  };
}

function inStorm(notice: Notice, storm: Awaited<ReturnType<CaseStore['storms']['ofRun']>>): Notice {
  const summary = storm === null ? null : stormSummary(storm.leadCaseId, storm.members);
  if (summary === null) return notice;
  const what = `${summary.cases} alerts: ${notice.what}`;
  return { ...notice, what, more: stormLines(summary) };
}

function testMessage(consoleUrl: string, destination: string) {
  const title = `Test of the destination ${destination}`;
  const link = `${consoleUrl}/destinations`;
  const text = `${title}\nCasefile can reach this destination. There is nothing to do.\n${link}`;
  return { verdict: null, title, text, link, word: 'test', severity: 'info' };
}

function auditHeadMessage(consoleUrl: string, head: string) {
  const title = `Head of the audit log: ${head}`;
  const text = [
    title,
    'Keep this message outside of Casefile. It proves later that no entry of the log was removed or replaced:',
    `casefile audit verify --head ${head}`,
  ];
  const link = `${consoleUrl}/audit`;
  return { verdict: null, title, text: [...text, link].join('\n'), link, word: 'audit', severity: 'info' };
}

const OPENING_WORDS: Record<NoticedCondition['severity'], string> = { error: 'ERROR', warning: 'WARNING' };
/** Maximum length of each sentence of a condition in a message, so that a message has at most 1,200 characters. */
const MOST_WORDS = 300;
const shortened = (text: string): string =>
  text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS - 3)}...`;

function conditionMessage(consoleUrl: string, kind: DeliveryKind, condition: NoticedCondition) {
  const { severity, text, effect, act, since, openedAt, closedAt } = condition;
  const isClosed = kind === 'condition-closed';
  const link = `${consoleUrl}${condition.link}`;
  const title = `${isClosed ? 'CLOSED' : OPENING_WORDS[severity]}: ${shortened(text)}`;
  const lines = isClosed
    ? [`This no longer holds. It was open from ${openedAt} to ${closedAt ?? ''}.`]
    : [`Since: ${since ?? openedAt}`, `Effect: ${shortened(effect)}`, `To do: ${shortened(act)}`];
  const word = isClosed ? 'closed' : severity;
  return { verdict: null, condition, title, text: [title, ...lines, link].join('\n'), link, word, severity };
}

function reviewNotice(
  kind: DeliveryKind,
  { since, withinHours }: NonNullable<DeliveryEvent['review']>,
  verdictTitle: string,
  link: string,
) {
  const isOverdue = kind === 'review-overdue';
  const title = `${isOverdue ? 'Review overdue' : 'Review needed'}: ${verdictTitle}`;
  const limit = withinHours === null ? '' : ` An answer is due within ${withinHours} hours.`;
  const waits = `The verdict waits for a reviewer since ${since}.${limit}`;
  return { title, text: [title, waits, 'Nothing acts on the case until a person answers.', link].join('\n') };
}

function answeredNotice(verdictTitle: string, link: string) {
  const title = `Review ended: ${verdictTitle}`;
  return { title, text: [title, 'The verdict no longer waits for a reviewer.', link].join('\n') };
}

function flappingNotice(verdictTitle: string, link: string) {
  const title = `Flapping: ${verdictTitle}`;
  const why =
    'The alert ends and begins again more often than it is judged (setting `runsPerHour` of its kind).';
  const next =
    'Later changes are counted on the case, and no further message is sent about them for 24 hours.';
  return { title, text: [title, why, next, link].join('\n') };
}

// The pager needs only the id of the case. The page Destinations shows this text for the delivery.
function acknowledgedNotice(title: string, link: string) {
  return { title, text: `Acknowledged in Casefile.\n${title}\n${link}` };
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
