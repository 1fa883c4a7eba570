import fc from 'fast-check';
import { briefSchema, type Brief } from '@casefile/contracts';
import { scamVerdict } from '../playbooks/scam-verdict.js';
import { fakePorts } from '../testing/fake-ports.js';
import { triage } from './triage.js';

/** Names that every object answers to without having them. */
const MEMBERS = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

async function briefOf(entities: Record<string, string[]>): Promise<Brief> {
  const alert = {
    id: 'a',
    playbook: 'scam-verdict',
    text: 'call me',
    receivedAt: '2026-01-05T10:00:00Z',
    entities,
  };
  const ports = fakePorts({ playbook: scamVerdict });
  const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
  if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
  return briefSchema.parse(outcome.artifact);
}

describe('triage', () => {
  it('E-05 takes entity types that are named like members of Object, and keeps their values', async () => {
    const types = fc.oneof(fc.constantFrom(...MEMBERS), fc.stringMatching(/^[a-z_]{1,12}$/));
    const values = fc.array(fc.stringMatching(/^[a-z0-9]{1,9}$/), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(types, values, { maxKeys: 5 }), async (entities) => {
        const brief = await briefOf(entities);
        for (const [type, given] of Object.entries(entities))
          expect(brief.entities[type]).toEqual([...new Set(given)]);
      }),
      { numRuns: 60 },
    );
    for (const name of MEMBERS) expect((await briefOf({ [name]: ['b'] })).entities[name]).toEqual(['b']);
  });
});
