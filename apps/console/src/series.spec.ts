import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

let fake: ConsoleFake;
beforeAll(async () => {
  fake = await startConsoleFake();
});
afterAll(() => fake.close());

async function get(query: string): Promise<{ status: number; text: string; body: Record<string, unknown> }> {
  const response = await fetch(`${fake.url}/api/v1/series?${query}`);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

const DAY = 'from=2026-01-04T10:30:00Z&to=2026-01-05T10:30:00Z';

describe('GET /series', () => {
  it('S4-61 starts with a whole step, of a length that suits the time', async () => {
    const { status, body } = await get(`metric=cost&by=model&${DAY}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      metric: 'cost',
      unit: 'usd',
      step: 'hour',
      from: '2026-01-04T10:00:00.000Z',
      to: '2026-01-05T10:30:00.000Z',
      series: [],
      nextCursor: null,
    });
    const hour = 'from=2026-01-05T09:30:00Z&to=2026-01-05T10:30:00Z';
    expect((await get(`metric=queue_age&${hour}`)).body).toMatchObject({ step: 'minute', unit: 'ms' });
    const quarter = 'from=2025-10-05T10:30:00Z&to=2026-01-05T10:30:00Z';
    expect((await get(`metric=failures&by=name&${quarter}`)).body).toMatchObject({ step: 'day' });
  });

  it.each([
    ['a metric that does not exist', 'metric=luck', 'metric'],
    ['a grouping that the metric lacks', `metric=queue_age&by=model&${DAY}`, 'expected one of name'],
    [
      'an end before the start',
      'metric=cost&from=2026-01-05T10:00:00Z&to=2026-01-05T09:00:00Z',
      'before `to`',
    ],
    ['too many steps', 'metric=cost&step=minute&from=2025-01-05T10:00:00Z&to=2026-01-05T10:00:00Z', '3000'],
    ['an unknown parameter', `metric=cost&of=all&${DAY}`, 'of'],
  ])('S4-61 refuses %s', async (_what, query, words) => {
    const { status, text } = await get(query);
    expect(status).toBe(400);
    expect(text).toContain(words);
  });
});
