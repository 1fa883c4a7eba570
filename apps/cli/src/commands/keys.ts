import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import {
  CasefileError,
  createKeySchema,
  parseInput,
  ROLES,
  rotateKeySchema,
  SCOPES,
  type AccessKey,
  type CreatedKey,
  type CreateKey,
} from '@casefile/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { keysOf } from '../client/key-client.js';
import { durationMs } from '../operations/field-value.js';
import { consoleOptions, print, type ConsoleOptions } from './options.js';
import { above0, wholeFrom } from './option-values.js';

interface KeyOptions extends ConsoleOptions {
  direct?: boolean;
  by?: string;
  reason?: string;
}

interface CreateOptions extends KeyOptions {
  role?: CreateKey['role'];
  scope?: CreateKey['scopes'];
  kinds?: string[];
  sources?: string[];
  lanes?: ('live' | 'batch')[];
  perMinute?: number;
  dailyBudget?: number;
  expires?: string;
}

interface RotateOptions extends KeyOptions {
  overlap: number;
  expires?: string;
}

/** `casefile keys create|list|rotate|revoke` */
export function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('access keys of people and programs');
  addCreate(keys, context);
  const { terminal, end } = context;
  const list = keys.command('list').description('list keys, newest first');
  reaching(list).action(async (options: KeyOptions) => {
    const accessKeys = await keysOf(options, (client) => client.list());
    print(terminal, options, { keys: accessKeys }, () =>
      accessKeys.length === 0 ? ['No keys.'] : accessKeys.map(keyLine),
    );
    end(EXIT.ok);
  });
  const rotate = keys
    .command('rotate')
    .description('replace a key by a new one with the same name and rights')
    .argument('<key>', 'its name or id')
    .option('--overlap <minutes>', 'how long the replaced key stays valid', wholeFrom(0), 1_440)
    .option('--expires <time>', 'expiry of the new key: an ISO time, or days such as 90d', expiry);
  acting(rotate).action(async (nameOrId: string, { overlap, expires, ...options }: RotateOptions) => {
    const created = await keysOf(options, async (client) => {
      const { id } = keyNamed(await client.list(), nameOrId);
      const request = { overlapMinutes: overlap, expiresAt: expires, ...actOf(options) };
      return client.rotate(id, parseInput(rotateKeySchema, request, 'key'));
    });
    showCreated(context, options, created);
  });
  const revoke = keys
    .command('revoke')
    .description('revoke a key; it is refused within a few seconds')
    .argument('<key>', 'its name or id');
  acting(revoke).action(async (nameOrId: string, options: KeyOptions) => {
    const revoked = await keysOf(options, async (client) =>
      client.revoke(keyNamed(await client.list(), nameOrId).id, actOf(options)),
    );
    print(terminal, options, revoked, () => [oneLine(`The key ${revoked.name} (${revoked.id}) is revoked.`)]);
    end(EXIT.ok);
  });
}

function addCreate(keys: Command, context: CommandContext): void {
  const create = keys
    .command('create')
    .description('create a key for a person (--role) or a program (--scope); it is shown once')
    .argument('<name>', 'name of the person or program')
    .addOption(new Option('--role <role>', 'rights of a person').choices(ROLES))
    .addOption(new Option('--scope <scope...>', 'rights of a program').choices(SCOPES))
    .option('--kinds <names>', 'with the scope intake: only these kinds of case, with commas', listed)
    .option('--sources <names>', 'with the scope intake: only these sources, with commas', listed)
    .option('--lanes <names>', 'with the scope intake: only these lanes, live or batch', listed)
    .option('--daily-budget <usd>', 'with the scope intake: most US dollars per UTC day', above0)
    .option('--per-minute <count>', 'requests per minute and service', wholeFrom(0))
    .option('--expires <time>', 'an ISO time, or days such as 90d', expiry);
  acting(create).action(async (name: string, options: CreateOptions) => {
    const { role, scope: scopes, kinds, sources, lanes, dailyBudget: dailyUsd } = options;
    const { perMinute, expires: expiresAt } = options;
    const all = { kinds, sources, lanes, dailyUsd };
    const limits = Object.values(all).some((some) => some !== undefined) ? { limits: all } : {};
    const request = { name, role, scopes, ...limits, perMinute, expiresAt, ...actOf(options) };
    const body = parseInput(createKeySchema, request, 'key');
    showCreated(context, options, await keysOf(options, (client) => client.create(body)));
  });
}

function showCreated({ terminal, end }: CommandContext, options: KeyOptions, created: CreatedKey): void {
  print(terminal, options, created, () => [
    created.key,
    oneLine(keyLine(created)),
    'Store the key now: it is not shown again. Commands read it from CASEFILE_KEY.',
  ]);
  end(EXIT.ok);
}

function reaching(command: Command): Command {
  return consoleOptions(command).option('--direct', 'use the database, with or without a running console');
}

function acting(command: Command): Command {
  return reaching(command)
    .option('--by <name>', 'who acts; with a key, the name of the key counts', userInfo().username)
    .option('--reason <text>', 'why');
}

function actOf({ by = userInfo().username, reason = '' }: KeyOptions) {
  return { by, reason, actId: randomUUID() };
}

/** Returns the key of an id, or the valid key of a name. */
function keyNamed(keys: readonly AccessKey[], nameOrId: string): AccessKey {
  const match =
    keys.find(({ id }) => id === nameOrId) ??
    keys.find(
      ({ name, revokedAt, replacedBy }) => name === nameOrId && revokedAt === null && replacedBy === null,
    );
  if (match !== undefined) return match;
  throw new CasefileError('not_found', `no key has the id or the name ${nameOrId}: casefile keys list`);
}

function keyLine(key: AccessKey): string {
  const { id, name, role, scopes, limits, perMinute, expiresAt, lastUsedAt, revokedAt, overlapUntil } = key;
  const rights = role === null ? `scopes ${scopes.join(', ')}` : `role ${role}`;
  const { dailyUsd, ...lists } = limits ?? {};
  const limited = Object.entries(lists).map(([what, some]) => `${what} ${some.join(', ')}`);
  const facts = [
    rights,
    ...limited,
    ...(dailyUsd === undefined ? [] : [`at most $${dailyUsd} per day`]),
    ...(perMinute === null ? [] : [`${perMinute} requests per minute`]),
    ...(expiresAt === null ? [] : [`expires ${expiresAt}`]),
    ...(overlapUntil === null ? [] : [`replaced, valid until ${overlapUntil}`]),
    ...(revokedAt === null ? [] : [`revoked ${revokedAt}`]),
    lastUsedAt === null ? 'not used yet' : `last used ${lastUsedAt}`,
  ];
  return oneLine(`${id} ${name}: ${facts.join('; ')}`);
}

function listed(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function expiry(text: string): string {
  const ms = durationMs(text);
  const at = ms === null ? Date.parse(text) : Date.now() + ms;
  if (Number.isFinite(at)) return new Date(at).toISOString();
  throw new InvalidArgumentError('Expected a time such as 2027-01-31T00:00:00Z, or days such as 90d.');
}
