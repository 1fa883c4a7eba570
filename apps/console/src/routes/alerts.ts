import {
  receivedAlertSchema,
  alertInputSchema,
  playbookListSchema,
  submitQuerySchema,
  z,
  type AlertInput,
  type PlaybookList,
} from '@casefile/contracts';
import { kindDisplay } from '@casefile/pipeline';
import { answerFields, callerFrom, sentBy, queryAcceptOptions, idempotencyHeader } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

/** Smallest alert that consists of this part alone. */
const PROBES: Record<'text' | 'image' | 'payload', AlertInput> = {
  text: { text: 'x' },
  image: { image: { mediaType: 'image/png', base64: 'AA==' } },
  payload: { payload: {} },
};

/** Returns a kind of case as a list entry. */
export function listedPlaybook(
  playbook: ConsolePorts['playbooks'][number],
): PlaybookList['playbooks'][number] {
  const { name, version, tools, presenting } = playbook;
  return {
    name,
    title: presenting.title ?? kindTitle(name),
    version,
    takes: (['text', 'image', 'payload'] as const).filter((part) => takes(playbook, PROBES[part], part)),
    tools: [...tools],
    clarifies: presenting.clarifies === true,
    rule: presenting.rule,
    answers: answerFields(presenting.judged),
    display: kindDisplay(presenting),
    labels: { ...presenting.labels },
    view: presenting.view ?? null,
  };
}

// A problem below this part, or with another part, does not mean that the kind refuses this part.
function takes(
  { intake }: Pick<ConsolePorts['playbooks'][number], 'intake'>,
  probe: AlertInput,
  part: string,
): boolean {
  return intake.problems(probe).every(({ path }) => path.startsWith(`${part}.`));
}

function kindTitle(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Alerts submitted by hand, and the kinds of case that accept them. */
export const alertRoutes = [
  route({
    method: 'post',
    path: '/alerts',
    operationId: 'submitAlert',
    right: { role: 'operator', scope: 'intake' },
    tag: 'alerts',
    summary: 'Submit one alert',
    input: { query: submitQuerySchema, body: z.unknown() },
    shown: { headers: idempotencyHeader, body: alertInputSchema },
    problems: [422],
    answer: 'The accepted alert, as the intake returns it',
    status: 202,
    response: receivedAlertSchema,
    handler: async ({ intake }, { query, body }, { request }) =>
      intake.receive(body, {
        ...queryAcceptOptions(query, request.get('idempotency-key')),
        ...sentBy(callerFrom(request)),
      }),
  }),
  route({
    method: 'get',
    path: '/playbooks',
    operationId: 'listPlaybooks',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'The kinds of case',
    input: {},
    answer: '{ playbooks }: each with its name, title, version, accepted parts of an alert, and tools',
    response: playbookListSchema,
    handler: async ({ playbooks, newRunSettings }) => ({
      playbooks: playbooks.map((one) => ({ ...listedPlaybook(one), settings: newRunSettings(one.name) })),
    }),
  }),
];
