import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { createKey } from '@casefile/runtime';
import { consoleWithIssuer, type ConsoleWithIssuer } from '../testing/console-with-issuer.js';

let world: ConsoleWithIssuer;
const keys = new Map<string, string>();

beforeAll(async () => {
  world = await consoleWithIssuer();
  const { store, clock } = world.platform;
  for (const role of ['admin', 'operator'] as const) {
    const keyRequest = { name: role, role, reason: '', by: 'test' };
    const ports = { keys: store.keys, now: () => clock.now() };
    keys.set(role, (await createKey(ports, keyRequest, { actId: role, by: 'test', reason: '' })).key);
  }
});
afterAll(() => world.close());
afterEach(() => delete process.env['CASEFILE_KEY']);

async function casefile(role: string, ...args: string[]) {
  process.env['CASEFILE_KEY'] = keys.get(role);
  const terminal = memoryTerminal();
  const code = await run(['sessions', ...args, '--console', world.url], terminal);
  return { code, lines: terminal.lines, errors: terminal.errors.join('\n') };
}

it('S2-21 lists the people who are signed in, and ends a session', async () => {
  expect(await casefile('admin', 'list')).toMatchObject({ code: 0, lines: ['No person is signed in.'] });
  const person = { source: 'oidc', subject: 'ann', name: 'ann@example.com', groups: ['soc'] } as const;
  const browser = 'Mozilla/5.0 \u001b[31m(X11)';
  await world.platform.store.sessions.open(
    { ...person, role: 'operator', tokenHash: 'a', userAgent: browser },
    null,
  );
  const [{ id } = { id: '' }] = await world.platform.store.sessions.list();
  const { lines } = await casefile('admin', 'list');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    new RegExp(`^${id} {2}ann@example\\.com {2}operator {2}by provider {2}last seen 20`),
  );
  expect(lines[0]).not.toContain('\u001b');
  expect(await casefile('operator', 'list')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('This needs the role admin. The caller has the role operator.'),
  });
  const revoked = await casefile('admin', 'revoke', id, '--reason', 'left the team');
  expect(revoked).toMatchObject({ code: 0, lines: ['The session of ann@example.com has ended.'] });
  expect(await casefile('admin', 'revoke', id)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('there is no session with this id'),
  });
  expect(await world.platform.store.sessions.list()).toEqual([]);
});
