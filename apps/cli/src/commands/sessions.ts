import { userInfo } from 'node:os';
import type { ShownSession } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface RevokeOptions extends ConsoleOptions {
  by: string;
  reason?: string;
}

/** `casefile sessions list|revoke`: people who are signed in to the console. */
export function addSessions(program: Command, { terminal, end }: CommandContext): void {
  const sessions = program.command('sessions').description('people who are signed in to the console');
  const list = sessions.command('list').description('list the sign-in sessions, newest first');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/sessions');
    print(terminal, options, answer, () =>
      answer.sessions.length === 0 ? ['No person is signed in.'] : answer.sessions.map(sessionLine),
    );
    end(EXIT.ok);
  });
  const revoke = sessions
    .command('revoke')
    .description('end a session: its next request is refused')
    .argument('<id>', 'id of the session')
    .option('--by <name>', 'who acts', userInfo().username)
    .option('--reason <text>', 'why');
  consoleOptions(revoke).action(async (id: string, { by, reason, ...options }: RevokeOptions) => {
    const body = { by, ...(reason === undefined ? {} : { reason }) };
    const answer = await (
      await connectConsole(options)
    ).post('/sessions/{id}/revoke', { params: { id }, body });
    print(terminal, options, answer, () => [oneLine(`The session of ${answer.name} has ended.`)]);
    end(EXIT.ok);
  });
}

function sessionLine({ id, name, role, source, lastSeenAt, expiresAt, userAgent }: ShownSession): string {
  const way = source === 'key' ? 'by key' : 'by provider';
  const facts = [id, name, role, way, `last seen ${lastSeenAt}`, `until ${expiresAt}`, userAgent];
  // Names contain single spaces, so two separate the facts.
  return facts.map(oneLine).join('  ').trimEnd();
}
