import {
  inboxSchema,
  includesRole,
  INBOX_TYPES,
  recordedVerdict,
  shownDeadLetter,
  z,
  type Inbox,
  type InboxItem,
  type InboxType,
  type Role,
} from '@casefile/contracts';
import { kindPresenting } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { shownToolServers } from './operations.js';

/** Number of things per type that are read, and therefore counted where the record keeps no count. */
const MOST = 200;

type Waiting = Inbox['waiting'][number];

/** Things of one type, with their number and the oldest if the record counts them. */
interface Part {
  items: InboxItem[];
  counted?: Omit<Waiting, 'type'> | null;
}

type Read = (ports: ConsolePorts, limit: number) => Promise<Part>;

const READS: Record<InboxType, Read> = {
  review: async (ports, limit) => {
    const now = ports.now();
    const [{ reviews }, kinds] = await Promise.all([
      ports.store.reviews.list({ state: 'open', sort: 'oldest', limit, now }),
      ports.store.reviews.waiting(now, ports.answerWithinHours),
    ]);
    const items = reviews.map(({ caseId, playbook, text, since, ...item }) => {
      const verdict = recordedVerdict(item.verdict);
      const state = kindPresenting(ports, playbook)?.word(verdict) ?? verdict.disposition;
      const title = text === '' ? (verdict.reasons[0] ?? '') : text;
      return {
        type: 'review' as const,
        id: caseId,
        at: since,
        kind: playbook,
        title: title.slice(0, 500),
        state,
      };
    });
    return { items, counted: sum(kinds) };
  },
  question: async ({ store }, limit) => ({
    items: (await store.signals.open(limit)).map(({ caseId, playbook, question, askedAt }) => ({
      type: 'question',
      id: caseId,
      at: askedAt,
      kind: playbook,
      title: question,
      state: 'asks',
    })),
  }),
  letter: async ({ store }, limit) => {
    const [{ items }, reasons] = await Promise.all([
      store.deadLetters.find({ limit }),
      store.deadLetters.count({}),
    ]);
    return {
      items: items.map((letter) => {
        const { id, at, title, kind } = shownDeadLetter(letter);
        return { type: 'letter', id, at, kind: null, title, state: kind };
      }),
      counted: sum(reasons.map(({ count, oldestAt }) => ({ count, oldest: oldestAt }))),
    };
  },
  tool: async (ports) => {
    const servers = await shownToolServers(ports);
    const now = new Date(ports.now()).toISOString();
    return {
      items: servers.flatMap(({ changedAt, tools }) =>
        tools
          .filter(({ state }) => state === 'new' || state === 'changed')
          .map(({ name, state, description }) => ({
            type: 'tool',
            id: name,
            // If the server of a tool was not reached since the tool changed, it is unknown since when the tool waits.
            at: changedAt ?? now,
            kind: null,
            title: description ?? name,
            state,
          })),
      ),
    };
  },
  pattern: async ({ lessons }, limit) => ({
    items: (await lessons.proposals({ state: 'proposed', limit })).proposals.map(
      ({ id, at, pattern, by }) => ({
        type: 'pattern',
        id,
        at,
        kind: null,
        title: pattern.title,
        state: `proposed by ${by}`,
      }),
    ),
  }),
  batch: async ({ store }) => ({
    items: (await store.batches.list(MOST))
      .filter(({ state }) => state === 'done')
      .map(({ id, createdAt, total, flipped }) => ({
        type: 'batch',
        id,
        at: createdAt,
        kind: null,
        title: `${total} cases judged again, ${flipped} would change`,
        state: 'to apply',
      })),
  }),
  engagement: async ({ store }, limit) => ({
    items: (await store.engagements.find({ state: 'open', limit })).engagements.map(
      ({ id, updatedAt, action, category, conversation }) => ({
        type: 'engagement',
        id,
        at: updatedAt,
        kind: null,
        title: conversation ?? category ?? id,
        state: action,
      }),
    ),
  }),
};

function sum(parts: readonly { count: number; oldest: string }[]): Part['counted'] {
  const count = parts.reduce((total, part) => total + part.count, 0);
  return count === 0 ? null : { count, oldest: parts.map(({ oldest }) => oldest).sort()[0]! };
}

async function inbox(ports: ConsolePorts, role: Role | null, limit: number): Promise<Inbox> {
  // Other types need the role that reads them by their own routes.
  const types = includesRole(role, 'reviewer') ? INBOX_TYPES : (['review'] as const);
  const parts = await Promise.all(
    types.map(async (type) => ({
      type,
      ...(await READS[type](ports, type === 'review' || type === 'letter' ? Math.max(limit, 1) : MOST)),
    })),
  );
  const waiting = parts.flatMap(({ type, items, counted }): Waiting[] => {
    const known = counted === undefined ? sum(items.map(({ at }) => ({ count: 1, oldest: at }))) : counted;
    return known == null ? [] : [{ type, ...known }];
  });
  const items = parts
    .flatMap((part) => [...part.items].sort((a, b) => a.at.localeCompare(b.at)).slice(0, limit))
    .sort((a, b) => a.at.localeCompare(b.at));
  return { waiting, items };
}

/** Everything that waits for a person, in one list. */
export const inboxRoutes = [
  route({
    method: 'get',
    path: '/inbox',
    operationId: 'getInbox',
    right: 'viewer',
    tag: 'reviews',
    summary:
      'Everything that waits for a person: verdicts, questions, dead letters, approvals, batches, engagements',
    input: { query: z.strictObject({ limit: z.coerce.number().int().min(0).max(200).default(100) }) },
    answer:
      '{ waiting, items }: count and oldest per type, and the items, the oldest first. A caller below the role reviewer gets verdicts only',
    response: inboxSchema,
    handler: (ports, { query: { limit } }, { role }) => inbox(ports, role, limit),
  }),
];
