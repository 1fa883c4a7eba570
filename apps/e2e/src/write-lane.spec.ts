import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { instantModel } from './testing/instant-model.js';
import { realWorld, type World } from './testing/world.js';

function countItems({ platform: { store } }: World): string[] {
  const items: string[] = [];
  const counted = <T extends object>(on: T, name: keyof T & string) => {
    const write = (on[name] as (...args: unknown[]) => unknown).bind(on);
    on[name] = ((...args: unknown[]) => (items.push(name), write(...args))) as T[keyof T & string];
  };
  if (store.ofLive === undefined) throw new Error('live work has no connections of its own');
  // Writes that every case pays for, by the ways that live work takes.
  const { units, interactions } = store.ofLive;
  counted(units, 'claim');
  counted(units, 'commit');
  counted(interactions, 'intend');
  counted(store.deliveries, 'markDelivered');
  return items;
}

it.each([
  ['queue', 11],
  ['direct', 4],
])(
  'a scam-verdict case that asks a model once writes, with handOn: %s, %i times at most',
  async (handOn, most) => {
    const file = join(temporaryFolder('lane'), 'config.yaml');
    writeFileSync(file, `handOn: ${handOn}\n`);
    const world = await realWorld('inline', instantModel(), { CASEFILE_CONFIG: file });
    try {
      // Units that the sweeper wakes on a busy machine are claimed again.
      await world.platform.sweeper.stop();
      const items = countItems(world);
      const alert = { playbook: 'scam-verdict', text: 'pay me', collect: false };
      const { caseId } = await world.accept(alert);
      const [run] = (await world.ended(caseId)).runs;
      expect(run?.interactions).toHaveLength(1);
      expect(run?.artifacts).toHaveLength(6);
      expect(items.filter((name) => name === 'intend')).toHaveLength(1);
      expect(items.length).toBeLessThanOrEqual(most);
      expect(items.length).toBeGreaterThan(2);
    } finally {
      await world.close();
    }
  },
);
