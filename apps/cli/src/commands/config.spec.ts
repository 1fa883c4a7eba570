import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { parse } from 'yaml';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

describe('casefile config', () => {
  beforeAll(() => {
    const file = join(temporaryFolder('config'), 'own.yaml');
    writeFileSync(file, 'handOn: direct\nplaybooks: { policy-check: { maxIterations: 3 } }\n');
    process.env['CASEFILE_CONFIG'] = file;
    process.env['LLM_PROVIDER'] = 'none';
  });

  it('prints the settings in effect as YAML and as JSON', async () => {
    const [asYaml, asJson] = [memoryTerminal(), memoryTerminal()];
    expect(await run(['config'], asYaml)).toBe(0);
    expect(await run(['config', '--json'], asJson)).toBe(0);
    const settings: unknown = parse(asYaml.lines.join('\n'));
    expect(settings).toEqual(JSON.parse(asJson.lines.join('')));
    expect(settings).toMatchObject({
      handOn: 'direct',
      lease: { seconds: 6 },
      playbooks: { 'policy-check': { maxIterations: 3, tokenLimit: expect.any(Number) } },
    });
  });

  it('T-22 prints each setting with its source', async () => {
    const terminal = memoryTerminal();
    expect(await run(['config', '--sources'], terminal)).toBe(0);
    expect(terminal.lines).toEqual(
      expect.arrayContaining([
        'LLM_PROVIDER = none  (environment)',
        'DATABASE_URL = not set  (default)',
        'lease.seconds = 6  (default)',
        expect.stringMatching(/^handOn = direct {2}\(file .*own\.yaml\)$/),
        expect.stringMatching(/^playbooks\.policy-check\.maxIterations = 3 {2}\(file /),
      ]),
    );
  });
});
