import { fieldProblems, type AddedDestination, type FieldProblem } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import {
  destinationSettingsSchema,
  readDestinations,
  resolveDestinations,
  type ConfiguredDestination,
} from './destination-settings.js';
import type { Variables } from './placeholders.js';

/**
 * Prefix of the variables that added destinations may use. Without this limit, a person who may change
 * destinations could send the password of the database to their own receiver.
 */
const VARIABLE_PREFIX = 'DESTINATION_';

/** Headers whose value is a secret. */
const SECRET_HEADER = /auth|cookie|key|password|secret|signature|token/i;

/** Rules of the installation for added destinations. */
export interface AddedRules {
  playbooks: readonly Pick<Playbook, 'name'>[];
  allowPrivate: boolean;
  /** Names of all destinations. Default: they are not known, and the name to escalate to is not checked. */
  names?: readonly string[];
}

/** Returns the destinations in force. If two have the same name, the destination of the configuration applies. */
export function configuredFirst<C extends { name: string }, A extends { name: string }>(
  configured: readonly C[],
  added: readonly A[],
): (C | A)[] {
  return [...configured, ...added.filter(({ name }) => !configured.some((one) => one.name === name))];
}

/** Returns an added destination as one of the settings, and its problems by the field of its entry. */
export function readAddedDestination(
  { name, entry }: Pick<AddedDestination, 'name' | 'entry'>,
  { playbooks, allowPrivate, names }: AddedRules,
): { destination: ConfiguredDestination | null; problems: FieldProblem[] } {
  const parsed = destinationSettingsSchema.safeParse({ [name]: entry });
  const bare = (problems: FieldProblem[], prefix: string) =>
    problems.map(({ path, message }) => ({ path: path.replace(`${prefix}.`, ''), message }));
  if (!parsed.success) return { destination: null, problems: bare(fieldProblems(parsed.error), name) };
  const { destinations, problems } = readDestinations(parsed.data, playbooks, names ?? null);
  const isPrivate: FieldProblem[] =
    entry.allowPrivate && !allowPrivate
      ? [{ path: 'allowPrivate', message: 'expected false, or delivery.addedAllowPrivate in the settings' }]
      : [];
  return {
    destination: destinations[0] ?? null,
    problems: [...bare(problems, `destinations.${name}`), ...isPrivate, ...secretProblems(entry)],
  };
}

function secretProblems({ url = '', secret = '', headers = {} }: AddedDestination['entry']): FieldProblem[] {
  const texts = [
    ['url', url],
    ['secret', secret],
    ...Object.entries(headers).map(([key, text]) => [`headers.${key}`, text]),
  ];
  const foreign = texts.flatMap(([path = '', text = '']) =>
    [...text.matchAll(/\$\{(\w{1,200})\}/g)]
      .filter(([, variable = '']) => !variable.startsWith(VARIABLE_PREFIX))
      .map(() => ({ path, message: `expected only variables that begin with ${VARIABLE_PREFIX}` })),
  );
  const open = Object.entries(headers)
    .filter(([key, text]) => SECRET_HEADER.test(key) && !text.includes('${'))
    .map(([key]) => ({
      path: `headers.${key}`,
      message: `expected \${${VARIABLE_PREFIX}NAME} for a secret`,
    }));
  return [...foreign, ...open];
}

/** A destination to which a process sends. */
export interface ActiveDestination extends ConfiguredDestination {
  /** Why nothing can be sent to it; null: it can. */
  problem: string | null;
}

const UNREAD = { type: 'webhook', url: '', when: {}, allowPrivate: false } as const;

/**
 * Returns the added destinations with `${NAME}` replaced, for the process that sends. A problem of one
 * stops only its own deliveries.
 */
export function resolveAdded(
  added: readonly AddedDestination[],
  rules: AddedRules,
  variables: Variables,
): ActiveDestination[] {
  const own = Object.fromEntries(
    Object.entries(variables).filter(([name]) => name.startsWith(VARIABLE_PREFIX)),
  );
  return added.flatMap((one): ActiveDestination[] => {
    const { destination, problems } = readAddedDestination(one, rules);
    // An entry of another version: its name is known, so its deliveries show the problem.
    if (destination === null) return [{ ...UNREAD, name: one.name, problem: inWords(problems) }];
    const { destinations, problems: unset } = resolveDestinations([destination], own);
    const all = [...problems, ...unset];
    return destinations.map((resolved) => ({ ...resolved, problem: all.length === 0 ? null : inWords(all) }));
  });
}

const inWords = (problems: readonly FieldProblem[]): string =>
  problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
