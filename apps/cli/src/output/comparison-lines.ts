import type { ArmFigures, ExperimentDetail, ShownAgreement, ShownMean, ShownRate } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';

/** Differing cases that are printed. `--json` has all that the API returns. */
const SHOWN = 20;

/** Returns the comparison of the arms of an experiment, for people. */
export function comparisonLines({
  arms,
  comparison,
  costUsd,
  expectedCases,
  margin,
}: ExperimentDetail): string[] {
  const { sentence, agreement, noise, missing, sampleRatio, underWay, difference } = comparison;
  const [control, changed] = comparison.arms;
  const lines = [
    sentence,
    `reviewed ${difference.reviewed} of ${expectedCases} expected cases; the shares that are right differ by ${points(difference.value)} (interval ${points(difference.low)} to ${points(difference.high)}); margin ${points(margin)}`,
    ...(underWay === 0 ? [] : [`${underWay} runs are under way`]),
    '',
    ...table(
      arms.map(({ name }) => name),
      control,
      changed,
    ),
  ];
  if (agreement !== null) lines.push('', ...agreementLines('outcome', agreement.outcome));
  if (noise !== null && noise.outcome.same.n > 0)
    lines.push(`control judged again: ${rateText(noise.outcome.same)} the same`);
  if (missing.n > 0) {
    const why = missing.reasons.map(({ reason, cases }) => `${reason} ${cases}`).join(', ');
    lines.push(oneLine(`missing shadow runs: ${rateText(missing)}${why === '' ? '' : ` (${why})`}`));
  }
  if (sampleRatio !== null)
    lines.push(
      `cases per arm: ${sampleRatio.cases.join(' / ')}, expected share ${points(sampleRatio.expected)}${sampleRatio.fits ? '' : ': they do not fit'}`,
    );
  lines.push(`cost: $${costUsd.toFixed(4)}`);
  return [...lines, ...differingLines(comparison)];
}

function table(names: string[], control?: ArmFigures, changed?: ArmFigures): string[] {
  if (control === undefined || changed === undefined) return [];
  const rows: [what: string, of: (arm: ArmFigures) => string][] = [
    ['cases', ({ cases }) => String(cases)],
    ['right by feedback', ({ right }) => rateText(right)],
    ['citations supported', ({ citations }) => rateText(citations)],
    ['need review', ({ abstentions }) => rateText(abstentions)],
    ['errors', ({ errors }) => rateText(errors)],
    ['fallbacks', ({ fallbacks }) => rateText(fallbacks)],
    ['rounds', ({ rounds }) => meanText(rounds, 1)],
    ['tokens', ({ tokens }) => meanText(tokens, 0)],
    ['cost in $', ({ costUsd }) => meanText(costUsd, 5)],
    ['model time in ms', ({ latencyMs }) => meanText(latencyMs, 0)],
  ];
  const values = [
    ...new Set([control, changed].flatMap(({ outcomes }) => outcomes.map(({ value }) => value))),
  ];
  for (const value of values)
    rows.push([
      oneLine(`outcome ${value}`),
      ({ outcomes, cases }) => {
        const match = outcomes.find((one) => one.value === value);
        return match === undefined ? `0 % (0 of ${cases})` : rateText(match);
      },
    ]);
  const width = Math.max(...rows.map(([what]) => what.length));
  const cells = rows.map(([what, of]) => [what, of(control), of(changed)] as const);
  const column = Math.max(...cells.map(([, one]) => one.length), names[0]?.length ?? 0);
  const line = (what: string, one: string, two: string) =>
    `${what.padEnd(width)}  ${one.padEnd(column)}  ${two}`.trimEnd();
  return [line('', names[0] ?? '', names[1] ?? ''), ...cells.map((row) => line(...row))];
}

function agreementLines(what: string, { same, kappa, low, high, labels, counts }: ShownAgreement): string[] {
  const value =
    kappa === null
      ? 'kappa undefined: all cases have one label'
      : `kappa ${kappa.toFixed(3)}${low === null || high === null ? '' : ` (${low.toFixed(3)} to ${high.toFixed(3)})`}`;
  const names = labels.map(oneLine);
  const width = Math.max(...names.map((name) => name.length), 'control'.length);
  const row = (name: string, cells: readonly (string | number)[]) =>
    [name, ...cells]
      .map((cell) => String(cell).padEnd(width))
      .join('  ')
      .trimEnd();
  return [
    `same ${what}: ${rateText(same)}, ${value}`,
    ...(labels.length < 2
      ? []
      : [row('control', names), ...names.map((name, i) => row(name, counts[i] ?? []))]),
  ];
}

function differingLines({ differing, differingTotal }: ExperimentDetail['comparison']): string[] {
  if (differing.length === 0) return [];
  const lines = differing.slice(0, SHOWN).map(({ caseId, control, changed, right, controlRunId, runId }) => {
    const word = ({ action, disposition }: typeof control) => action ?? disposition;
    const by = right === null ? '' : `  right: ${right}`;
    return oneLine(
      `${caseId}  ${word(control)} -> ${word(changed)}${by}  casefile diff ${controlRunId} ${runId}`,
    );
  });
  const more = differingTotal > SHOWN ? [`and ${differingTotal - SHOWN} more`] : [];
  return ['', `${differingTotal} cases differ:`, ...lines, ...more];
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const points = percent;

function rateText({ rate, x, n, low, high }: ShownRate): string {
  if (rate === null) return '-';
  return `${percent(rate)} (${x} of ${n}; ${percent(low)} to ${percent(high)})`;
}

function meanText({ mean, low, high }: ShownMean, digits: number): string {
  if (mean === null) return '-';
  const interval =
    low === null || high === null ? '' : ` (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  return `${mean.toFixed(digits)}${interval}`;
}
