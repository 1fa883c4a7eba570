import {
  matcherText,
  type AuditEntry,
  type EscalationReason,
  type OutboundDelivery,
  type QueueDepth,
  type ShownDataSource,
  type ShownDestination,
  type ShownSchedule,
  type ShownSession,
  type ShownSilence,
} from '@casefile/contracts';
import type { ViewsOf } from '../client/console-client.js';
import { EXIT } from '../exit-code.js';
import { conditionLines } from '../output/condition-lines.js';
import { row, rows, sentences, time, type Column } from './view.js';

const DESTINATION: Column<ShownDestination>[] = [
  ({ name }) => name,
  ({ type }) => type,
  ({ address }) => address,
  ({ pausedAt, pausedWhy, failingSince }) =>
    pausedAt !== null
      ? `paused since ${time(pausedAt)}: ${pausedWhy ?? ''}`
      : failingSince !== null
        ? `failing since ${time(failingSince)}`
        : 'ok',
  ({ pending, exhausted }) => `${pending} pending, ${exhausted} exhausted`,
];

const ESCALATED: Record<EscalationReason, string> = {
  'not-accepted': 'not accepted in time',
  'not-acknowledged': 'not acknowledged in time',
};

const DELIVERY: Column<OutboundDelivery>[] = [
  ({ id }) => id,
  ({ destination }) => destination,
  ({ kind }) => kind,
  ({ state }) => state,
  ({ caseId }) => caseId ?? '-',
  ({ attempts, endedWhy }) => {
    const last = attempts.at(-1);
    const answer = last === undefined ? 'not sent yet' : (last.problem ?? `HTTP ${last.status ?? ''}`);
    const ended = endedWhy === null ? '' : `, cancelled: ${endedWhy}`;
    return `${attempts.length} attempts, last: ${answer}${ended}`;
  },
  ({ nextAt, silence, escalated, acknowledged }) =>
    [
      ...(nextAt === null ? [] : [`next at ${time(nextAt)}`]),
      ...(silence === null ? [] : [`silenced by ${silence.author}: ${silence.reason}`]),
      ...(escalated === null ? [] : [`escalated from ${escalated.from}: ${ESCALATED[escalated.why]}`]),
      ...(acknowledged === null ? [] : [`acknowledged by ${acknowledged.by} at ${time(acknowledged.at)}`]),
    ].join('; '),
];

const SILENCE: Column<ShownSilence>[] = [
  ({ id }) => id,
  ({ state }) => state,
  ({ matchers }) => matchers.map(matcherText).join(' '),
  ({ startsAt, endsAt }) => `${time(startsAt)} to ${time(endsAt)}`,
  ({ withheld: { messages, critical, cases } }) =>
    `${messages} messages withheld (${critical} critical) in ${cases} cases`,
  ({ author, source, reason }) => `by ${author}${source === 'casefile' ? '' : ` (${source})`}: ${reason}`,
  ({ problem }) => (problem === null ? '' : `does not apply: ${problem}`),
];

const SCHEDULE: Column<ShownSchedule>[] = [
  ({ name }) => name,
  ({ kind, target }) => `${kind} ${target}`,
  ({ cron, timezone }) => `${cron} ${timezone}`,
  ({ lastDueAt }) => (lastDueAt === null ? 'not run yet' : `last ${time(lastDueAt)}`),
  ({ nextAt }) => `next ${nextAt === null ? '-' : time(nextAt)}`,
  ({ lastCaseId, result }) => (lastCaseId === null ? (result ?? '') : `case ${lastCaseId}`),
];

const QUEUE: Column<QueueDepth>[] = [
  ({ queue }) => queue,
  ({ waiting, active, delayed, failed }) =>
    `${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed`,
  ({ oldestMs }) => (oldestMs === null ? '' : `oldest ${(oldestMs / 1_000).toFixed(1)} s`),
];

const AUDIT: Column<AuditEntry>[] = [
  ({ seq }) => String(seq),
  ({ at }) => time(at),
  ({ actor }) => (actor === '' ? '(no name)' : actor),
  ({ act, subject, caseId }) =>
    `${act}: ${subject ?? (caseId === null ? 'the installation' : `case ${caseId}`)}`,
];

const SESSION: Column<ShownSession>[] = [
  ({ id }) => id,
  ({ name }) => name,
  ({ role }) => role,
  ({ source }) => (source === 'key' ? 'by key' : 'by provider'),
  ({ lastSeenAt }) => `last seen ${time(lastSeenAt)}`,
  ({ expiresAt }) => `until ${time(expiresAt)}`,
  ({ userAgent }) => userAgent,
];

const SOURCE: Column<ShownDataSource>[] = [
  ({ name }) => name,
  ({ source, name }) => (source === name ? '' : source),
  ({ state }) => state,
  ({ address }) => address,
  ({ kinds }) => `for ${kinds.join(', ')}`,
  ({ secret }) => (secret === null ? '' : `secret ${secret}`),
];
const whyDown = ({ why }: ShownDataSource): string[] => (why === null ? [] : [why]);
const toolsOf = ({ tools }: ShownDataSource): string[] => tools.map((tool) => `  ${tool}`);

const destination = row(DESTINATION);
const defined = row(DESTINATION, ({ name }) => [`send a test: casefile destinations test ${name}`]);

/** Views of the installation: its problems, queues, schedules, receivers, and what people did. */
export const systemViews: ViewsOf = {
  'get /conditions': {
    lines: ({ conditions }, { colors }) =>
      conditions.length === 0
        ? [colors.green('Nothing is wrong.')]
        : conditions.flatMap((one) => conditionLines(one, colors)).slice(1),
    exitCode: ({ conditions }, { options }) =>
      options['exitCode'] === true && conditions.length > 0 ? EXIT.failed : EXIT.ok,
  },
  'get /queues': rows(({ items }) => items, QUEUE, { none: 'No queues.' }),
  'get /schedules': rows(({ schedules }) => schedules, SCHEDULE, {
    none: 'No schedules.',
    below: ({ failingSince, problem }) =>
      failingSince === null ? [] : [`failing since ${time(failingSince)}: ${problem ?? ''}`],
  }),
  'post /providers/{provider}/try': sentences(({ state }, { values }) => [
    state === 'closed'
      ? `${String(values['provider'])} is available: nothing to do.`
      : `${String(values['provider'])} will be tried with the next call; runs that wait for it are woken.`,
  ]),
  'get /destinations': rows(({ destinations }) => destinations, DESTINATION, { none: 'No destinations.' }),
  'post /destinations': defined,
  'post /destinations/{name}': defined,
  'post /destinations/{name}/remove': sentences((_, { values }) => [
    `The destination ${String(values['name'])} is removed.`,
  ]),
  'post /destinations/{name}/test': sentences(({ deliveryId }, { values }) => [
    `A test is queued as delivery ${deliveryId}: casefile deliveries list --destination ${String(values['name'])}`,
  ]),
  'post /destinations/{name}/pause': destination,
  'post /destinations/{name}/resume': destination,
  'get /deliveries': rows(({ deliveries }) => deliveries, DELIVERY, { none: 'No deliveries.' }),
  'post /deliveries/{id}/resend': sentences((_, { values }) => [
    `The delivery ${String(values['id'])} is queued again.`,
  ]),
  'get /sources': rows(({ sources }) => sources, SOURCE, {
    none: 'No data sources. Add one: casefile sources add prometheus --url http://prometheus:9090',
    below: whyDown,
  }),
  'post /sources': row(SOURCE, (source) => [
    ...toolsOf(source),
    `New cases can use it within 5 seconds. Probe it: casefile sources test ${source.name}`,
  ]),
  'post /sources/{name}/test': {
    ...row(SOURCE, (source) => [...whyDown(source), ...(source.state === 'ready' ? toolsOf(source) : [])]),
    exitCode: ({ state }) => (state === 'ready' ? EXIT.ok : EXIT.failed),
  },
  'post /sources/{name}/remove': sentences((_, { values }) => [
    `The data source ${String(values['name'])} is removed.`,
  ]),
  'get /silences': rows(({ silences }) => silences, SILENCE, { none: 'No silences.' }),
  'post /silences': row(SILENCE, ({ id }) => [`end it early: casefile silences end ${id}`]),
  'post /silences/{id}/end': row(SILENCE),
  'get /audit': rows(({ entries }) => entries, AUDIT, { none: 'The audit log has no entries.' }),
  'get /audit/check': {
    ...sentences(({ count, problems, head, findings }) => [
      `${count} entries, ${problems} problems, head ${head}`,
      ...findings,
    ]),
    exitCode: ({ problems }) => (problems === 0 ? EXIT.ok : EXIT.failed),
  },
  'get /sessions': rows(({ sessions }) => sessions, SESSION, { none: 'No person is signed in.' }),
  'post /sessions/{id}/revoke': sentences(({ name }) => [`The session of ${name} has ended.`]),
};
