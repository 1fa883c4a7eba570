import type { Condition, ConditionNotice, DestinationWhen } from '@casefile/contracts';
import { nextNotices, QUIET_MS } from './next-notices.js';

const NOW = Date.parse('2026-01-05T10:00:00.000Z');
const MINUTE_MS = 60_000;
const condition = (id: string, severity: Condition['severity'] = 'error'): Condition => ({
  id,
  severity,
  since: null,
  text: `${id} holds`,
  effect: 'Nothing.',
  act: 'Wait.',
  link: '/',
});
const state = (ids: readonly string[], unknown: readonly string[] = []) => ({
  conditions: ids.map((id) => condition(id)),
  unknown: new Set(unknown),
});
const asks = (when: DestinationWhen, name = 'oncall') => ({ name, when });
const EVERY: DestinationWhen = { events: ['condition'] };

/** Reports states one after another to a destination, and returns the minute and the kind of each message. */
function reported(changes: readonly [minute: number, isOpen: boolean][], untilMinute: number): string[] {
  let last: ConditionNotice[] = [];
  const messages: string[] = [];
  for (let minute = 0; minute <= untilMinute; minute += 1) {
    const isOpen = changes.findLast(([from]) => from <= minute)?.[1] === true;
    const due = nextNotices(
      state(isOpen ? ['provider_out'] : []),
      last,
      [asks(EVERY)],
      NOW + minute * MINUTE_MS,
    );
    for (const { delivery, replaces, ...notice } of due) {
      messages.push(`${minute} ${delivery.kind}`);
      last = [{ ...notice, version: replaces + 1 }];
    }
  }
  return messages;
}

describe('messages about conditions', () => {
  it('report no opening of a condition that cannot be read now, and report it once it can', () => {
    const stale = { ...condition('service_absent.ingest'), asOf: '2026-01-05T09:59:00.000Z' };
    const notices = (one: Condition) =>
      nextNotices({ conditions: [one], unknown: new Set() }, [], [asks(EVERY)], NOW).length;
    expect([notices(stale), notices({ ...stale, asOf: undefined })]).toEqual([0, 1]);
  });

  it('report once that a condition opened, and once that it closed', () => {
    expect(reported([[2, true], [5, false]], 60)).toEqual(['2 condition-opened', '5 condition-closed']); // prettier-ignore
  });

  it('about a condition that flaps are one opening and one closing in ten minutes, and the last tells its state', () => {
    const flapping = Array.from({ length: 20 }, (_, n): [number, boolean] => [n, n % 2 === 0]);
    const endsOpen = reported([...flapping, [20, true]], 60);
    expect(endsOpen).toEqual(['0 condition-opened', '1 condition-closed', '10 condition-opened', '11 condition-closed', '20 condition-opened']); // prettier-ignore
    const endsClosed = reported([[0, true], [1, false], [2, true], [10, true], [11, false], [13, true], [14, false]], 60); // prettier-ignore
    expect(endsClosed).toEqual(['0 condition-opened', '1 condition-closed', '10 condition-opened', '11 condition-closed']); // prettier-ignore
    for (const messages of [endsOpen, endsClosed])
      for (const kind of ['condition-opened', 'condition-closed']) {
        const minutes = messages.filter((one) => one.endsWith(kind)).map((one) => Number(one.split(' ')[0]));
        const gaps = minutes.slice(1).map((minute, i) => (minute - minutes[i]!) * MINUTE_MS);
        expect(gaps.every((gap) => gap >= QUIET_MS)).toBe(true);
      }
  });

  it('wait with a closing that follows another one too soon, and send it later', () => {
    // Opened at 0 and 10, closed at 9 and 11: the second closing waits until minute 19.
    expect(reported([[0, true], [9, false], [10, true], [11, false]], 60)).toEqual(['0 condition-opened', '9 condition-closed', '10 condition-opened', '19 condition-closed']); // prettier-ignore
  });

  it('do not report the end of a condition whose source could not be read', () => {
    const [opened] = nextNotices(state(['service_absent.reasoner']), [], [asks(EVERY)], NOW);
    const last = [{ ...opened!, version: 1 }];
    const later = NOW + 20 * MINUTE_MS;
    expect(nextNotices(state([], ['service_absent']), last, [asks(EVERY)], later)).toEqual([]);
    expect(nextNotices(state([]), last, [asks(EVERY)], later)).toMatchObject([
      {
        replaces: 1,
        delivery: {
          kind: 'condition-closed',
          event: {
            condition: { openedAt: '2026-01-05T10:00:00.000Z', closedAt: '2026-01-05T10:20:00.000Z' },
          },
        },
      },
    ]);
  });

  it('have an id and a key from the condition and the time at which it opened', () => {
    const make = () => nextNotices(state(['queue_out']), [], [asks(EVERY), asks(EVERY, 'other')], NOW);
    const [a, b] = make();
    expect(make()).toEqual([a, b]);
    expect([a!.delivery.key, b!.delivery.key]).toEqual(
      Array(2).fill('opened queue_out 2026-01-05T10:00:00.000Z'),
    );
    expect(a!.delivery.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(a!.delivery.id).not.toBe(b!.delivery.id);
  });

  it.each([
    ['no event: verdicts only', {}, []],
    ['conditions', EVERY, ['queue_out', 'destination_failing.other', 'service_absent.ingest', 'store_out']],
    ['one id', { ...EVERY, condition: ['service_absent'] }, ['service_absent.ingest']],
    ['one severity', { ...EVERY, conditionSeverity: ['warning'] }, []],
    ['failing destinations', { events: ['delivery'] }, ['destination_failing.other']],
  ] satisfies [string, DestinationWhen, string[]][])(
    'follow the rule of a destination: %s',
    (_what, when, ids) => {
      const open = state(['queue_out', 'destination_failing.oncall', 'destination_paused.oncall', 'destination_failing.other', 'service_absent.ingest', 'store_out', 'service_absent.decision']); // prettier-ignore
      const due = nextNotices(open, [], [asks(when)], NOW);
      // It never gets a message about itself.
      expect(due.map(({ conditionId }) => conditionId)).toEqual(ids);
    },
  );

  it('say that deliveries fail to a destination that asks for deliveries', () => {
    const due = (when: DestinationWhen) =>
      nextNotices(state(['destination_failing.a']), [], [asks(when)], NOW);
    expect(due({ events: ['condition', 'delivery'] })[0]?.delivery.kind).toBe('delivery-failing');
    expect(due(EVERY)[0]?.delivery.kind).toBe('condition-opened');
  });

  it('report the end to a destination that got the beginning, although its rule has changed', () => {
    const [opened] = nextNotices(state(['queue_out']), [], [asks(EVERY)], NOW);
    const due = nextNotices(state([]), [{ ...opened!, version: 1 }], [asks({})], NOW + MINUTE_MS);
    expect(due).toMatchObject([{ isOpen: false, delivery: { kind: 'condition-closed' } }]);
  });
});
