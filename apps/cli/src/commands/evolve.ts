import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { ShownEvolution, ShownEvolutionDetail } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface StartOptions extends ConsoleOptions {
  playbook: string;
  prompt: string;
  budget: number;
  from?: string;
  weights?: Record<string, number>;
  seed?: number;
  evaluations?: number;
  by: string;
  reason?: string;
}

interface ActOptions extends ConsoleOptions {
  by: string;
  reason: string;
  budget?: number;
}

const ID = 'id of the evolution';

/** `casefile evolve`: evolves a prompt on labelled cases; `list|show|pause|resume|stop`. */
export function addEvolve(program: Command, context: CommandContext): void {
  const { terminal, end } = context;
  const evolve = program.command('evolve').description('evolve a prompt on labelled cases, within a budget');
  const start = evolve
    .command('start', { isDefault: true })
    .description('start an evolution; `casefile evolve` with its options does the same')
    .requiredOption('--playbook <kind>', 'kind of case')
    .requiredOption('--prompt <name>', 'name of the prompt, such as answer')
    .requiredOption('--budget <usd>', 'limit of the cost in US dollars', dollars)
    .option('--from <dataset>', 'labelled set of the cases. Default: labelled cases of live work')
    .option('--weights <list>', 'such as citations=0.4,coherence=0.3,calibration=0.2,status=0.1', weightsFrom)
    .option('--seed <number>', 'seed of the split and of all draws. Default: 1', wholeNumber)
    .option('--evaluations <number>', 'most evaluations of one text on one case. Default: 2000', wholeNumber)
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(start).action(async (options: StartOptions) => {
    const { playbook, prompt, budget: budgetUsd, by } = options;
    const chosen = Object.fromEntries(
      (['from', 'weights', 'seed', 'evaluations', 'reason'] as const).flatMap((name) =>
        options[name] === undefined ? [] : [[name, options[name]]],
      ),
    );
    const body = { playbook, prompt, budgetUsd, by, actId: randomUUID(), ...chosen };
    const answer = await (await connectConsole(options)).post('/evolutions', { body });
    print(terminal, options, answer, () => [evolutionLine(answer), `casefile evolve show ${answer.id}`]);
    end(EXIT.ok);
  });
  addReading(evolve, context);
  addActs(evolve, context);
}

function addReading(evolve: Command, { terminal, end }: CommandContext): void {
  const list = evolve.command('list').description('list the evolutions, the newest first');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/evolutions');
    print(terminal, options, answer, () =>
      answer.evolutions.length === 0 ? ['No evolutions.'] : answer.evolutions.map(evolutionLine),
    );
    end(EXIT.ok);
  });
  const show = evolve
    .command('show')
    .description('print the progress, the texts with their scores, and the report')
    .argument('<id>', ID);
  consoleOptions(show).action(async (id: string, options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/evolutions/{id}', { params: { id } });
    print(terminal, options, answer, () => detailLines(answer));
    end(EXIT.ok);
  });
}

function addActs(evolve: Command, { terminal, end }: CommandContext): void {
  for (const [act, what] of [
    ['pause', 'pause an evolution: open runs end, and no other is opened'],
    ['resume', 'resume a paused evolution'],
    ['stop', 'stop an evolution for good, without a report'],
  ] as const) {
    const command = evolve
      .command(act)
      .description(what)
      .argument('<id>', ID)
      .requiredOption('--reason <text>', 'why')
      .option('--by <name>', 'who acts', userInfo().username);
    if (act === 'resume') command.option('--budget <usd>', 'new limit of the cost in US dollars', dollars);
    consoleOptions(command).action(async (id: string, options: ActOptions) => {
      const { by, reason, budget } = options;
      const console = await connectConsole(options);
      const body = { by, reason, actId: randomUUID() };
      const answer =
        act === 'resume'
          ? await console.post('/evolutions/{id}/resume', {
              params: { id },
              body: { ...body, ...(budget === undefined ? {} : { budgetUsd: budget }) },
            })
          : await console.post(`/evolutions/{id}/${act}`, { params: { id }, body });
      print(terminal, options, answer, () => [evolutionLine(answer)]);
      end(EXIT.ok);
    });
  }
}

function evolutionLine({
  id,
  playbook,
  prompt,
  state,
  reason,
  costUsd,
  budgetUsd,
  version,
}: ShownEvolution): string {
  const why = reason === null ? '' : ` (${reason})`;
  const added = version === null ? '' : `, candidate: version ${version}`;
  return oneLine(
    `${id}  ${playbook}/${prompt}  ${state}${why}  ${usd(costUsd)} of ${usd(budgetUsd)}${added}`,
  );
}

const STATES: Record<string, string> = {
  comparing: 'being compared',
  not_better: 'not better than its parent',
  missed: 'dropped: runs without a verdict',
};
const RESULTS: Record<string, string> = {
  improved:
    'The best text is better on the held-out cases. Compare it in a shadow or an experiment before it becomes live.',
  no_improvement_on_held_out:
    'No improvement on the held-out cases that chance would not explain: no version was added.',
  no_improvement_on_validation: 'No improvement on the validation cases. The held-out cases were not used.',
};

function detailLines(evolution: ShownEvolutionDetail): string[] {
  const { evaluations, mostEvaluations, etaSeconds, cases, candidates, report } = evolution;
  const remainingTime = etaSeconds === null ? '' : `, at most ${Math.ceil(etaSeconds / 60)} min left`;
  return [
    evolutionLine(evolution),
    `${evaluations} of at most ${mostEvaluations} evaluations${remainingTime}`,
    `cases: ${cases.train} train, ${cases.validation} validation, ${cases.heldOut} held-out`,
    ...candidates.flatMap(({ index, parent, state, score, reason, changes }) => [
      oneLine(
        [
          `text ${index}`,
          parent === null ? 'live' : `from ${parent}`,
          parent === null ? null : (STATES[state] ?? state),
          score === null ? null : `score ${score.toFixed(3)}`,
          reason,
        ]
          .filter((one) => one !== null)
          .join('  '),
      ),
      ...changes.map(({ change, text }) => `  ${change === 'added' ? '+' : '-'} ${oneLine(text)}`),
    ]),
    ...(report === null ? [] : ['', RESULTS[report.result]!]),
    ...comparedSet('validation', report?.validation),
    ...comparedSet('held-out', report?.heldOut),
  ];
}

type Comparisons = NonNullable<ShownEvolutionDetail['report']>['heldOut'];

function comparedSet(name: string, rows: Comparisons = []): string[] {
  return rows
    .filter(({ cases }) => cases > 0)
    .map(({ objective, cases, live, candidate, difference, interval }) => {
      const range =
        interval === null
          ? ''
          : `, difference ${shownNumber(difference)} (95 % interval ${shownNumber(interval.low)} to ${shownNumber(interval.high)})`;
      return `${name} ${objective}: ${shownNumber(live)} -> ${shownNumber(candidate)} on ${cases} cases${range}`;
    });
}

const shownNumber = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
const usd = (amount: number): string =>
  `$${amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)}`;

function dollars(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Expected an amount in US dollars above 0, for example 5.');
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Expected a whole number above 0.');
}

function weightsFrom(text: string): Record<string, number> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  const weights = Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), Number(value)]));
  if (pairs.every((pair) => pair.length === 2) && Object.values(weights).every((one) => one >= 0 && one <= 1))
    return weights;
  throw new InvalidArgumentError('Expected weights from 0 to 1, for example citations=0.4,status=0.6.');
}
