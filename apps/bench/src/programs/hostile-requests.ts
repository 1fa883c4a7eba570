// Sends hostile requests to a console with sign-in and keys: CSRF, Origin, Host, fixation, guessed sessions and keys, large cookies.
// Options: [--requests 10000] [--seed 40]. Exit code 1: a request is accepted.
import { parseArgs } from 'node:util';
import { attack, victimOf } from '@casefile/e2e/access/hostile-requests';
import { consoleWithIssuer } from '@casefile/e2e/testing/console-with-issuer';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '40' } },
});

await onPrivatePostgres(async (postgres) => {
  const world = await consoleWithIssuer({ postgresUrl: postgres.url('postgres') });
  try {
    const victim = await victimOf(world.platform);
    const { requests, seed } = values;
    const { sent, accepted } = await attack(world, victim, { seed: Number(seed), count: Number(requests) });
    console.log('sent:', sent);
    console.log(`accepted: ${accepted.length}`);
    for (const line of accepted.slice(0, 20)) console.log(`  ${line}`);
    return accepted.length === 0;
  } finally {
    await world.close();
  }
});
