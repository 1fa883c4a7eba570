import type { ShownSchedule } from '@casefile/contracts';
import type { ConditionFacts } from './condition-facts.js';
import { schedulesFailing } from './schedules-failing.js';

const since = '2026-01-05T09:40:00.000Z';
const failing = (
  kind: 'alert' | 'feed',
  name: string,
  problem: string,
  failingSince: string | null = since,
) => ({ kind, name, problem, failingSince }) as ShownSchedule;
const conditions = (...schedules: ShownSchedule[]) =>
  schedulesFailing.holding({ schedules } as unknown as ConditionFacts);

describe('schedules that fail', () => {
  it('T-20 are schedule_failing with the reason, since when, the effect and what to do', () => {
    expect(conditions(failing('alert', 'daily', 'playbook: unknown kind'))).toEqual([
      {
        id: 'schedule_failing',
        severity: 'warning',
        since,
        text: 'The scheduled alert daily is not accepted: playbook: unknown kind',
        effect: 'Its check does not run. It is tried again every 10 seconds.',
        act: 'Fix the section schedules of the configuration and restart the services, or wait if Casefile is overloaded. See casefile schedules.',
        link: '/operate/schedules',
      },
    ]);
  });

  it('T-20 are feed_failing with the reason, since when, the effect and what to do', () => {
    expect(conditions(failing('feed', 'phish', 'HTTP 500'))).toEqual([
      {
        id: 'feed_failing',
        severity: 'warning',
        since,
        text: 'The feed phish cannot be imported: HTTP 500',
        effect: 'The entries of its last import stay in use. It is tried again every minute.',
        act: 'Check the server of the feed and the section feeds of the configuration. See casefile schedules.',
        link: '/operate/schedules',
      },
    ]);
  });

  it('T-20 are named together, since the oldest failure; one that works again is none', () => {
    const older = failing('feed', 'other', 'timeout', '2026-01-05T09:00:00.000Z');
    expect(conditions(failing('feed', 'phish', 'HTTP 500'), older)).toMatchObject([
      {
        id: 'feed_failing',
        since: older.failingSince,
        text: '2 feeds fail: phish: HTTP 500; other: timeout',
      },
    ]);
    expect(conditions(failing('alert', 'daily', 'x', null), failing('feed', 'phish', 'x', null))).toEqual([]);
  });
});
