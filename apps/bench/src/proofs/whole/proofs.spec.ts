import { closeShared } from '../parts/redis-services.js';
import { proofsNamed, runShort } from '../short-form.js';

afterAll(closeShared);

const REST = [
  'R2',
  'R3',
  'R4',
  'R5',
  'R7',
  'R8',
  'R9',
  'R10',
  'R11',
  'R12',
  'R13',
  'R14',
  'R15',
  'R16',
  'R17',
  'R18',
];

// R1 and R6 are in the fast tier. Most of these proofs call startRedis.
it.each(proofsNamed(...REST))(
  '%s %s',
  async (_id, _promise, proof) => {
    const row = await runShort(proof);
    expect([row.measured, row.passed]).toEqual([row.measured, true]);
  },
  400_000,
);
