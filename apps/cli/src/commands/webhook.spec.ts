import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

const SECRET = 'a-secret-of-the-sender';
const SETTINGS = `
webhooks:
  backups:
    playbook: incident
    mapping: { name: /job, severity: /level, labels: { host: /host } }
    proof:
      hmac: X-Sum
      secret: \${BACKUP_SECRET}
`;
const BODY = '{ "job": "nightly-db", "level": "critical", "host": "db-1", "note": "\\u001b[2Jcleared" }\n';

describe('casefile webhook try', () => {
  const folder = temporaryFolder('hooks');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const before = { ...process.env };
  beforeEach(() => {
    process.env['CASEFILE_CONFIG'] = file('own.yaml', SETTINGS);
    process.env['BACKUP_SECRET'] = SECRET;
  });
  afterEach(() => {
    process.env = { ...before };
  });

  const attempt = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run(['webhook', 'try', ...args], terminal);
    return { code, out: terminal.lines.join('\n'), err: terminal.errors.join('\n') };
  };

  it('S2-40 shows what is read of a post, and that its proof holds', async () => {
    const sum = createHmac('sha256', SECRET).update(BODY).digest('hex');
    const { code, out } = await attempt('backups', file('body.json', BODY), '--header', `X-Sum: ${sum}`);
    expect(code).toBe(0);
    expect(out).toContain('proof: holds');
    expect(out).toContain('joins by: mapped ["nightly-db",{"host":"db-1"}]');
    expect(out).toContain('  nightly-db (critical)');
    expect(out).not.toContain('\u001b');
  });

  it('S2-40 says why a proof does not hold, and reads the post all the same', async () => {
    const body = file('body.json', BODY);
    const wrong = await attempt('backups', body, '--header', 'X-Sum: 00');
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('nightly-db (critical)')]);
    expect(wrong.out).toContain('proof: not valid: Not taken: expected the header x-sum');
    expect((await attempt('backups', body)).code).toBe(0);
    delete process.env['BACKUP_SECRET'];
    expect((await attempt('backups', body)).out).toContain('BACKUP_SECRET, which is not set');
  });

  it('S2-40 says what was expected where nothing is read, as a program reads it too', async () => {
    const { code, out } = await attempt('backups', file('other.json', '{"x":1}'), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      webhook: 'backups',
      playbook: 'incident',
      proof: { holds: false },
      alerts: [{ alert: null, problems: [{ path: 'name', message: 'expected a value at /job' }, {}, {}] }],
    });
  });

  it.each([
    ['another name', ['nobody'], /no webhook "nobody"; they have: backups/],
    ['a body that is no JSON', ['backups'], /expected JSON in UTF-8/],
  ])('S2-40 refuses %s', async (_what, args, message) => {
    const { code, err } = await attempt(...args, file('page.txt', 'page me'));
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  });

  it('S2-40 expects headers as they are written', async () => {
    const { code, err } = await attempt('backups', file('body.json', BODY), '--header', 'X-Sum');
    expect([code, err]).toEqual([2, expect.stringContaining('Expected a header')]);
  });
});
