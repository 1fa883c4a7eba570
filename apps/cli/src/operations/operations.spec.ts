import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { commandTree, run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';
import { COMMANDS, WITHOUT_COMMAND } from './commands.js';
import { readOperations, type Field, type Operation } from './document.js';
import { isActor, kebab } from './inputs.js';

const { operations } = readOperations();
const program = commandTree(memoryTerminal(), false, () => undefined, []);

/** Every command with its words, groups with an action of their own included. */
function commandsOf(parent: Command, words: string[] = []): { name: string; command: Command }[] {
  return parent.commands.flatMap((command) => {
    const own = [...words, command.name()];
    return [{ name: own.join(' '), command }, ...commandsOf(command, own)];
  });
}
const all = new Map(commandsOf(program).map(({ name, command }) => [name, command]));

const pathFields = ({ fields }: Operation): Field[] => fields.filter(({ place }) => place === 'path');

let server: Server;
let url: string;
let requests: { line: string; body: unknown }[] = [];
let answer: unknown = {};
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const body: unknown = text === '' ? null : JSON.parse(text);
      requests.push({ line: `${request.method} ${request.url}`, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function casefile(...args: string[]) {
  requests = [];
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', url], terminal);
  return { code, lines: terminal.lines, errors: terminal.errors.join('\n'), sent: requests };
}

/** Systematic name of an operation: the one command of its tag that no usual name explains. */
function systematic({ id, tag }: Operation): string[] {
  const group = tag.replaceAll(' ', '-');
  const whole = kebab(id).replace(/^get-/, 'show-');
  return [`${group} ${whole}`, `${group} ${whole.split('-')[0]}`];
}

const withCommand = operations.filter(({ id }) => WITHOUT_COMMAND[id] === undefined);

describe('commands of the operations of the API', () => {
  it('exist for each operation but those of a list with reasons', () => {
    const ids = new Set(operations.map(({ id }) => id));
    expect(ids.size).toBe(operations.length);
    expect(Object.keys({ ...WITHOUT_COMMAND, ...COMMANDS }).filter((id) => !ids.has(id))).toEqual([]);
    const twice = Object.keys(COMMANDS).filter((id) => WITHOUT_COMMAND[id] !== undefined);
    expect(twice).toEqual([]);
    const names = Object.values(COMMANDS).flatMap((usual) => usual.map(({ name }) => name));
    expect([...names].sort()).toEqual([...new Set(names)].sort());
    expect(Object.values(WITHOUT_COMMAND).every((why) => /casefile|terminal/.test(why))).toBe(true);
  });

  it.each(withCommand.map((operation) => [operation.id, operation] as const))(
    '%s has its name TAG OPERATION, with its fields',
    (_id, operation) => {
      const name = systematic(operation).find((one) => all.has(one)) ?? '';
      const command = all.get(name);
      expect(command).toBeDefined();
      const usual = COMMANDS[operation.id]?.find((one) => one.name === name);
      if (command === undefined || usual !== undefined) return;
      const places = command.registeredArguments.map((one) => one.name());
      expect(places).toHaveLength(pathFields(operation).length);
      expect(command.registeredArguments.every(({ required }) => required)).toBe(true);
      for (const field of operation.fields.filter(({ place }) => place !== 'path')) {
        const option = command.options.find(({ long }) => long === `--${kebab(field.name)}`);
        expect([field.name, option?.argChoices]).toEqual([field.name, field.schema.enum]);
        expect([field.name, option?.defaultValue]).toEqual([
          field.name,
          isActor(field) ? userInfo().username : undefined,
        ]);
        expect([field.name, option?.mandatory]).toEqual([field.name, field.isRequired && !isActor(field)]);
      }
    },
  );

  const usual = withCommand.flatMap((operation) =>
    (COMMANDS[operation.id] ?? []).map((command) => [command.name, operation, command] as const),
  );
  it.each(usual)('%s takes every field that its operation requires', (name, operation, command) => {
    const tree = all.get(name);
    const { fixed = {}, options = {}, files = [], computed = [] } = command;
    const inOptions = new Map(Object.entries(options).map(([option, path]) => [path, option]));
    const inArguments = (command.arguments ?? pathFields(operation).map((field) => field.name)).flatMap(
      (one) => one.split('/'),
    );
    for (const field of operation.fields.filter(({ isRequired }) => isRequired)) {
      if (field.name in fixed || inArguments.includes(field.name)) continue;
      if (files.includes('*') && !['by', 'reason'].includes(field.name)) continue;
      const long = `--${inOptions.get(field.name) ?? kebab(field.name)}`;
      const option = tree?.options.find((one) => one.long === long);
      const isSet = option?.mandatory === true || option?.defaultValue !== undefined;
      expect([field.name, isSet || computed.includes(field.name)]).toEqual([field.name, true]);
    }
    const required = tree?.registeredArguments.filter((one) => one.required).length ?? 0;
    expect(required).toBeGreaterThanOrEqual(pathFields(operation).length - Object.keys(fixed).length - 1);
  });
});

describe('a command of an operation', () => {
  const CASE = '01a2070d-5c75-7112-802b-40376654feda';

  it('sends of a reading what its options say, and nothing else', async () => {
    answer = { quality: [], evaluations: [], from: '', to: '' };
    expect((await casefile('quality')).sent).toEqual([{ line: 'GET /api/v1/quality', body: null }]);
    const grouped = await casefile('quality', '--by', 'prompt', '--from', '2026-11-01');
    expect(grouped.sent[0]?.line).toBe('GET /api/v1/quality?from=2026-11-01T00%3A00%3A00.000Z&by=prompt');
  });

  it('sends path, query and body as the API has them', async () => {
    answer = { limit: 1, spent: 1, key: 'x' };
    const { sent } = await casefile('cases', 'raise-budget', CASE, '--tokens', '5000', '--by', 'ann');
    expect(sent).toEqual([{ line: `POST /api/v1/cases/${CASE}/budget`, body: { tokens: 5000, by: 'ann' } }]);
    answer = { matchers: [], withheld: {}, startsAt: '', endsAt: '', problem: null };
    const silence = ['--start', '2026-01-05T11:00:00+01:00', '--for', '90m', '--reason', 'x', '--by', 'ann'];
    const created = await casefile('silences', 'create', 'service=a', 'host!~"db.*"', ...silence);
    expect(created.sent[0]?.body).toMatchObject({
      matchers: [
        { name: 'service', value: 'a' },
        { name: 'host', isEqual: false, isRegex: true },
      ],
      startsAt: '2026-01-05T10:00:00.000Z',
      endsAt: '2026-01-05T11:30:00.000Z',
    });
    expect(created.sent[0]?.body).not.toHaveProperty('for');
    answer = { applied: 0, messages: 0, receivers: [], decidedByPerson: 0, unchanged: 0, overtaken: 0 };
    const only = await casefile('batches', 'apply', 'b', '--only', CASE);
    expect(only.sent).toEqual([
      { line: 'POST /api/v1/batches/b/apply', body: { choice: { caseIds: [CASE] } } },
    ]);
  });

  it.each([
    [['flags', 'set', 'x', 'half', '--reason', 'y'], 'Expected on or off.'],
    [['flags', 'set', 'x', 'on'], "required option '--reason <text>' not specified"],
    [
      ['raise', CASE, '--usd', '0'],
      "option '--usd <usd>' argument '0' is invalid. Expected a number above 0",
    ],
    [['audit', 'list', '--limit', '0'], 'Expected a whole number from 1 to 1000.'],
    [['reviews', 'list', '--to', 'noon'], 'Expected a date, or a time with its zone'],
    [['reviews', 'list', '--state', 'all'], 'Expected one of open, snoozed'],
    [['silences', 'create', 'service', '--for', '2h', '--reason', 'x'], 'Expected name=value'],
    [['silences', 'create', 'a=b', '--reason', 'x'], 'Expected either --for or --until'],
    [
      ['silences', 'create', 'a=b', '--for', '2h', '--until', '2026-01-05', '--reason', 'x'],
      'Expected either',
    ],
    [['experiments', 'share', 'x', '101', '--reason', 'y'], 'Expected a percentage from 0.01 to 100.'],
    [['prompts', 'state', 'answer', '2', 'live', '--reason', 'x'], 'such as KIND/answer'],
    [
      ['evolve', '--playbook', 'a', '--prompt', 'b', '--budget', '1', '--weights', 'x=1'],
      'the names are citations',
    ],
  ])('names the option and what was expected, and sends nothing: %j', async (args, message) => {
    const { code, errors, sent } = await casefile(...args);
    expect([code, sent]).toEqual([2, []]);
    expect(errors).toContain(message);
  });

  it('prints an answer without a view as a table, and text of others without effect', async () => {
    answer = {
      runbooks: [
        { name: 'disk', versions: 2 },
        { name: 'a\u001b[2J', versions: 10 },
      ],
      nextCursor: 'c',
    };
    const { lines, errors } = await casefile('runbooks', 'list');
    expect(lines).toEqual(['name      versions', 'disk      2', 'a\\x1b[2J  10']);
    expect(errors).toBe('casefile: there are more. For the next page: --cursor c');
    answer = { runbooks: [], searchableTo: '2026-11-30T12:00:00.000Z' };
    expect((await casefile('runbooks', 'list')).errors).toBe(
      'casefile: texts from 2026-11-30T12:00:00.000Z on are not searched yet. Repeat the search in a few seconds.',
    );
    answer = { runbooks: [] };
    expect((await casefile('runbooks', 'list')).lines).toEqual(['Nothing found.']);
    expect(JSON.parse((await casefile('runbooks', 'list', '--json')).lines[0] ?? '')).toEqual(answer);
    answer = { version: '1', provider: null };
    expect((await casefile('pipeline', 'show-meta')).lines).toEqual(['version   1', 'provider  null']);
  });
});
