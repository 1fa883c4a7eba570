import {
  QUALITY_GROUPS,
  type PromptDiff,
  type PromptList,
  type ShownEvolution,
  type ShownExperiment,
  type ShownFlag,
  type ShownPrompt,
  type ShownRecalibration,
  type ShownEvolutionDetail,
} from '@casefile/contracts';
import { manyLines, oneLine } from '@casefile/kit/output/escape';
import type { ViewsOf } from '../client/console-client.js';
import { comparisonLines } from '../output/comparison-lines.js';
import { qualityLines } from '../output/quality-lines.js';
import { row, rows, sentences, time, usd, type Column, type View } from './view.js';

const EXPERIMENT: Column<ShownExperiment>[] = [
  ({ id }) => id,
  ({ state }) => state,
  ({ mode }) => mode,
  ({ share }) => `${Number((share * 100).toFixed(2))} %`,
  ({ playbook }) => playbook,
  ({ arms }) => arms.map((arm) => arm.name).join(' / '),
  ({ name }) => name,
];

const FLAG: Column<ShownFlag>[] = [
  ({ name }) => name,
  ({ variant, latched }) => (latched ? `${variant} (stepped back: reset it)` : variant),
  ({ changedAt }) => time(changedAt),
  ({ by, reason }) => `${by}: ${reason}`,
];

const PROMPT: Column<PromptList['prompts'][number]>[] = [
  ({ playbook, name }) => `${playbook}/${name}`,
  ({ live }) => (live === null ? 'no live version' : `version ${live.version} by ${live.author}`),
  ({ versions, candidates }) =>
    `(${[counted(versions, 'version'), ...candidatesText(candidates)].join(', ')})`,
];

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const candidatesText = (count: number): string[] => (count === 0 ? [] : [counted(count, 'candidate')]);

const EVOLUTION: Column<ShownEvolution>[] = [
  ({ id }) => id,
  ({ playbook, prompt }) => `${playbook}/${prompt}`,
  ({ state, reason }) => `${state}${reason === null ? '' : ` (${reason})`}`,
  ({ costUsd, budgetUsd }) => `${usd(costUsd)} of ${usd(budgetUsd)}`,
  ({ version }) => (version === null ? '' : `candidate: version ${version}`),
];

const RECALIBRATION: Column<ShownRecalibration>[] = [
  ({ version }) => `recalibration ${version}`,
  ({ inForce }) => (inForce ? 'in force' : 'not in force'),
  ({ playbook, strategy, model, language, confidenceSource }) =>
    [playbook, strategy, model ?? '-', language ?? '-', confidenceSource].join(', '),
];

/** Most points of a curve in one line. */
const POINTS = 6;

const recalibrationDetails = (one: ShownRecalibration): string[] => [
  `${one.method} from ${one.labels} labels, ${time(one.from)} to ${time(one.to)}, by ${one.author} ${time(one.createdAt)}`,
  `mean squared error ${one.brierStated.toFixed(4)} -> ${one.brierRecalibrated.toFixed(4)} (cross-validated)`,
  one.points
    .filter((_, i) => i % Math.max(1, Math.floor(one.points.length / POINTS)) === 0)
    .map(({ stated, confidence }) => `${stated.toFixed(2)} -> ${confidence.toFixed(2)}`)
    .join(', '),
];

const SIGNS = { same: ' ', added: '+', removed: '-' };

function diffOfTexts({ from, to, same, added, lines }: PromptDiff): string[] {
  if (same) return [`versions ${from} and ${to} have the same text`];
  return [
    `version ${from} -> ${to}`,
    ...lines.map(({ change, text }) => manyLines(`${SIGNS[change]} ${text}`)),
    ...(added.length === 0 ? [] : ['', `sentences that version ${to} adds:`]),
    ...added.map((sentence) => `  ${oneLine(sentence)}`),
  ];
}

type PastAct = ShownPrompt['history'][number];

function actText({ by, version, from, to, replaced, reason }: PastAct): string {
  const act = from === null ? `added version ${version}` : `moved version ${version}: ${from} -> ${to}`;
  return `${by} ${act}${replaced === null ? '' : ` (version ${replaced} retired)`}: ${reason}`;
}

/** View of a prompt for `casefile prompts history`: who added and moved versions, and why. */
export const promptHistory: View<ShownPrompt> = rows(
  ({ history, versions }) => [
    ...history.map((act) => ({ at: act.at, text: actText(act) })),
    ...versions
      .filter(({ author }) => author === 'shipped' || author === 'folder')
      .map(({ createdAt, version, author }) => ({
        at: createdAt,
        text: `version ${version} was added: ${author}`,
      })),
  ],
  [({ at }) => time(at), ({ text }) => text],
);

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const experiment = row(EXPERIMENT);
const evolution = row(EVOLUTION);

/** Views of experiments, flags, prompts and quality. */
export const rolloutViews: ViewsOf = {
  'get /experiments': rows(({ experiments }) => experiments, EXPERIMENT, { none: 'No experiments.' }),
  'get /experiments/{id}': {
    lines: (answer, request) => [...experiment.lines(answer, request), '', ...comparisonLines(answer)],
  },
  'post /experiments': row(EXPERIMENT, ({ id }) => [
    `start it: casefile experiments start ${id} --reason TEXT`,
  ]),
  'post /experiments/{id}/start': experiment,
  'post /experiments/{id}/stop': experiment,
  'post /experiments/{id}/share': experiment,
  'post /experiments/{id}/promote': row(EXPERIMENT, ({ configuration }) =>
    configuration === null
      ? []
      : [
          'New runs use the other settings of the arm once a file of CASEFILE_CONFIG has them:',
          JSON.stringify(configuration),
        ],
  ),
  'post /experiments/{id}/reset': row(FLAG),
  'get /flags': rows(({ flags }) => flags, FLAG, { none: 'No flags: no experiment was started yet.' }),
  'post /flags/{name}': row(FLAG),
  'get /prompts': rows(({ prompts }) => prompts, PROMPT, { none: 'No prompts.' }),
  'get /prompts/{playbook}/{name}/diff': { lines: diffOfTexts },
  'post /prompts/{playbook}/{name}/versions/{version}/state': sentences(({ version, state }, { values }) => [
    `version ${version} of ${String(values['playbook'])}/${String(values['name'])} is ${state}`,
  ]),
  'get /evolutions': rows(({ evolutions }) => evolutions, EVOLUTION, { none: 'No evolutions.' }),
  'get /evolutions/{id}': row(EVOLUTION, evolutionLines),
  'post /evolutions': row(EVOLUTION, ({ id }) => [`show its progress: casefile evolve show ${id}`]),
  'post /evolutions/{id}/pause': evolution,
  'post /evolutions/{id}/resume': evolution,
  'post /evolutions/{id}/stop': evolution,
  'get /quality': {
    lines: (quality, { values }) =>
      qualityLines(
        quality,
        QUALITY_GROUPS.find((group) => group === values['by']),
      ),
  },
  'get /quality/recalibrations': rows(({ recalibrations }) => recalibrations, RECALIBRATION, {
    none: 'No recalibrations.',
    below: recalibrationDetails,
  }),
  'post /quality/recalibrations': row(
    RECALIBRATION,
    ({ version }) => [`compare it in an experiment: an arm with the settings {"recalibration":${version}}`],
    recalibrationDetails,
  ),
  'post /quality/experiments': sentences(({ suggestion, experiment: { id } }) => [
    `act from a confidence of ${suggestion.from.toFixed(2)}: ${suggestion.wrong} of ${suggestion.actedOn} labelled verdicts from there on are wrong`,
    `expected: ${percent(suggestion.recall)} of the right verdicts act, ${percent(suggestion.reviewLoad)} of all need review`,
    `start it: casefile experiments start ${id} --reason TEXT`,
  ]),
};

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

/** Returns the progress of an evolution, its texts with their scores, and its report. */
function evolutionLines({
  evaluations,
  mostEvaluations,
  etaSeconds,
  cases,
  candidates,
  report,
}: ShownEvolutionDetail): string[] {
  const remainingTime = etaSeconds === null ? '' : `, at most ${Math.ceil(etaSeconds / 60)} min left`;
  return [
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
