import { deliverySettingsSchema } from './destination-settings.js';
import { readHeartbeat } from './heartbeat-settings.js';

const settings = (heartbeat: object | null) => ({ delivery: deliverySettingsSchema.parse({ heartbeat }) });

describe('the setting delivery.heartbeat', () => {
  it('is none by default, and each minute', () => {
    expect(readHeartbeat(settings(null), {})).toEqual({ heartbeat: null, problems: [] });
    expect(readHeartbeat(settings({ url: 'https://ping.example/x' }), null)).toMatchObject({
      heartbeat: { everySeconds: 60, allowPrivate: false },
      problems: [],
    });
  });

  it('resolves ${NAME} for the process that sends, and names what is wrong without its value', () => {
    const given = settings({ url: '${PING}', everySeconds: 30 });
    expect(readHeartbeat(given, null)).toMatchObject({ heartbeat: { url: '${PING}' }, problems: [] });
    expect(readHeartbeat(given, { PING: 'https://ping.example/x' }).heartbeat?.url).toBe(
      'https://ping.example/x',
    );
    const problemOf = (variables: Record<string, string>) => readHeartbeat(given, variables).problems;
    const path = 'delivery.heartbeat.url';
    expect(problemOf({})).toEqual([{ path, message: expect.stringContaining('variable PING') }]);
    expect(problemOf({ PING: 'secret' })).toEqual([{ path, message: 'expected http://... or https://...' }]);
    const tooOften = deliverySettingsSchema.safeParse({
      heartbeat: { url: 'https://a.example', everySeconds: 5 },
    });
    expect(tooOften.error?.issues[0]?.path).toEqual(['heartbeat', 'everySeconds']);
  });
});
