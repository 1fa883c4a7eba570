import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import {
  addDestinationSchema,
  changeDestinationSchema,
  DELIVERY_STATES,
  parseInput,
  type EscalationReason,
  type OutboundDelivery,
  type ShownDestination,
} from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '@casefile/kit/output/escape';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { showReadings, watchedOptions, type WatchedOptions } from './watched.js';

interface DestinationOptions extends ConsoleOptions {
  by?: string;
  reason?: string;
}

interface DeliveryListOptions extends ConsoleOptions {
  destination?: string;
  case?: string;
  state?: OutboundDelivery['state'];
}

/** `casefile destinations list|add|change|remove|test|pause|resume` and `casefile deliveries list|resend`. */
export function addDestinations(program: Command, context: CommandContext): void {
  const command = program
    .command('destinations')
    .description('receivers of verdicts, conditions and reviews by HTTP');
  const list = command.command('list').description('list destinations with their state');
  watchedOptions(list).action(async (options: WatchedOptions) => {
    const client = await connectConsole(options);
    await showReadings(context, options, async () => {
      const answer = await client.get('/destinations', {});
      const shownLines = lines(answer.destinations, destinationLine, 'No destinations.');
      return { answer, lines: shownLines, exitCode: 0 };
    });
  });
  addDefinitions(command, context);
  addAct(command, context, 'test', 'send a test message');
  addAct(command, context, 'pause', 'pause a destination: its deliveries wait');
  addAct(command, context, 'resume', 'end a pause, and send the waiting deliveries');
  addDeliveries(program, context);
}

function addDefinitions(parent: Command, { terminal, end }: CommandContext): void {
  for (const [what, description] of [
    ['add', 'add a destination, as the page Destinations does'],
    ['change', 'replace the definition of a destination that was added'],
  ] as const) {
    const command = parent
      .command(what)
      .description(description)
      .argument('<name>', 'its name')
      .argument(
        '<file>',
        'JSON with the fields of the section destinations: type, url; - for standard input',
      );
    acting(command).action(async (name: string, file: string, options: DestinationOptions) => {
      const request = { destination: await readJsonFile(file), ...actBody(options), actId: randomUUID() };
      const client = await connectConsole(options);
      const destination =
        what === 'add'
          ? await client.post('/destinations', {
              body: parseInput(addDestinationSchema, { ...request, name }, 'destination'),
            })
          : await client.post('/destinations/{name}', {
              params: { name },
              body: parseInput(changeDestinationSchema, request, 'destination'),
            });
      print(terminal, options, destination, () => [
        destinationLine(destination),
        `send a test: casefile destinations test ${oneLine(name)}`,
      ]);
      end(0);
    });
  }
  const remove = parent
    .command('remove')
    .description('remove an added destination; its waiting deliveries are not sent')
    .argument('<name>', 'its name');
  acting(remove).action(async (name: string, options: DestinationOptions) => {
    const body = { ...actBody(options), actId: randomUUID() };
    const answer = await (
      await connectConsole(options)
    ).post('/destinations/{name}/remove', { params: { name }, body });
    print(terminal, options, answer, () => [`The destination ${oneLine(name)} is removed.`]);
    end(0);
  });
}

function acting(command: Command): Command {
  return consoleOptions(command)
    .option('--by <name>', 'who acts', userInfo().username)
    .option('--reason <text>', 'why');
}

const actBody = ({ by, reason }: DestinationOptions) => ({
  ...(by === undefined ? {} : { by }),
  ...(reason === undefined ? {} : { reason }),
});

function addAct(
  parent: Command,
  { terminal, end }: CommandContext,
  act: 'test' | 'pause' | 'resume',
  description: string,
): void {
  const command = parent.command(act).description(description).argument('<name>', 'its name');
  acting(command).action(async (name: string, options: DestinationOptions) => {
    const client = await connectConsole(options);
    const request = { params: { name }, body: actBody(options) };
    if (act === 'test') {
      const sent = await client.post('/destinations/{name}/test', request);
      print(terminal, options, sent, () => [
        `A test is queued as delivery ${sent.deliveryId}: casefile deliveries list --destination ${oneLine(name)}`,
      ]);
    } else {
      const path = act === 'pause' ? '/destinations/{name}/pause' : '/destinations/{name}/resume';
      const state = await client.post(path, request);
      print(terminal, options, state, () => [destinationLine(state)]);
    }
    end(0);
  });
}

function addDeliveries(program: Command, { terminal, end }: CommandContext): void {
  const command = program.command('deliveries').description('messages to destinations');
  const list = command
    .command('list')
    .description('list the newest deliveries with their last attempt')
    .option('--destination <name>', 'of this destination')
    .option('--case <id>', 'of this case')
    .addOption(new Option('--state <state>').choices(DELIVERY_STATES));
  consoleOptions(list).action(
    async ({ destination, case: caseId, state, ...options }: DeliveryListOptions) => {
      const query = {
        ...(destination === undefined ? {} : { destination }),
        ...(caseId === undefined ? {} : { caseId }),
        ...(state === undefined ? {} : { state }),
      };
      const answer = await (await connectConsole(options)).get('/deliveries', { query });
      print(terminal, options, answer, () => lines(answer.deliveries, deliveryLine, 'No deliveries.'));
      end(0);
    },
  );
  const resend = command
    .command('resend')
    .description('send a delivery now: one that waits, or again one that has ended, with the same id')
    .argument('<id>', 'its id')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(resend).action(async (id: string, { by, ...options }: DestinationOptions) => {
    const client = await connectConsole(options);
    const body = by === undefined ? {} : { by };
    const answer = await client.post('/deliveries/{id}/resend', { params: { id }, body });
    print(terminal, options, answer, () => [`The delivery ${oneLine(id)} is queued again.`]);
    end(0);
  });
}

function lines<T>(all: readonly T[], line: (one: T) => string, none: string): string[] {
  return all.length === 0 ? [none] : all.map(line);
}

function destinationLine(one: ShownDestination): string {
  const { name, type, address, pausedAt, pausedWhy, failingSince, pending, exhausted } = one;
  const state =
    pausedAt !== null
      ? `paused since ${pausedAt}: ${pausedWhy ?? ''}`
      : failingSince !== null
        ? `failing since ${failingSince}`
        : 'ok';
  return oneLine(`${name}  ${type}  ${address}  ${state}  ${pending} pending, ${exhausted} exhausted`);
}

const ESCALATED: Record<EscalationReason, string> = {
  'not-accepted': 'not accepted in time',
  'not-acknowledged': 'not acknowledged in time',
};

function deliveryLine(delivery: OutboundDelivery): string {
  const { id, destination, kind, state, caseId, attempts, nextAt, endedWhy, silence } = delivery;
  const { acknowledged, escalated } = delivery;
  const last = attempts.at(-1);
  const answer = last === undefined ? 'not sent yet' : (last.problem ?? `HTTP ${last.status ?? ''}`);
  const how = endedWhy === null ? answer : `${answer}, cancelled: ${endedWhy}`;
  const next = nextAt === null ? '' : `  next at ${nextAt}`;
  const why = silence === null ? '' : `  silenced by ${silence.author}: ${silence.reason}`;
  const from = escalated === null ? '' : `  escalated from ${escalated.from}: ${ESCALATED[escalated.why]}`;
  const by = acknowledged === null ? '' : `  acknowledged by ${acknowledged.by} at ${acknowledged.at}`;
  return oneLine(
    `${id}  ${destination}  ${kind}  ${state}  ${caseId ?? '-'}  ${attempts.length} attempts, last: ${how}${next}${why}${from}${by}`,
  );
}
