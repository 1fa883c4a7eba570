import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Nudge } from '@casefile/contracts';
import { instantModel } from './testing/instant-model.js';
import { realWorld } from './testing/world.js';

it('goes from stage to stage without the queue where the settings say so, each step on the record', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'casefile-direct-')), 'config.yaml');
  writeFileSync(file, 'handOn: direct\n');
  const world = await realWorld(null, instantModel(), { CASEFILE_CONFIG: file });
  const { queue, intake, sweeper } = world.platform;
  // It wakes whatever has waited for long, which on a busy machine this may.
  await sweeper.stop();
  const sent: Nudge[] = [];
  const nudge = queue.nudge.bind(queue);
  queue.nudge = (nudges) => {
    sent.push(...nudges);
    return nudge(nudges);
  };
  try {
    const { caseId } = await intake.accept({ playbook: 'scam-verdict', text: 'pay me', collect: false });
    const [run] = (await world.ended(caseId)).runs;
    expect(sent).toEqual([]);
    expect(run?.artifacts.map(({ artifact }) => artifact)).toEqual([
      'brief',
      'evidence',
      'draft',
      'review',
      'report',
      'verdict',
    ]);
  } finally {
    await world.close();
  }
});
