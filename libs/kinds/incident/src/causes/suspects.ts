import { contentWords } from '@casefile/pipeline/claims/index';
import type { Incident } from '../alert.js';
import { alarmsIn } from '../contradictions.js';
import { showsStateNow, type Read } from '../look-ups.js';
import { CHANGE } from '../timeline.js';
import { alertSystems, isLinked } from './link.js';
import { earlierLines, onsetOf, onsetOfSeries, type EarlierLines, type Onset } from './onset.js';
import { samplesIn, seriesIn } from './samples.js';

/** A fault or change on the record that may have caused the alert, whether or not a model names it. */
export interface Suspect {
  /** Id of its look-up. */
  id: string;
  line: string;
  onset: Onset;
}

type Alerted = Pick<Incident, 'labels' | 'startsAt' | 'name' | 'expression' | 'summary' | 'annotations'>;

const MOST_LINES = 2_000;
const MOST_LINE = 1_000;
const MOST_CHANGES = 20;
const MOST_SUSPECTS = 20;

/**
 * Returns the suspects of the look-ups: series that left their range at the start of the alert, changes before it, and
 * states that show a problem. A line is none if it reports the alert itself, if it is about another system, or if it was
 * the same well before the alert.
 */
export function suspectsIn(incident: Alerted, reads: readonly Read[]): Suspect[] {
  const startsAt = Date.parse(incident.startsAt ?? '');
  if (Number.isNaN(startsAt)) return [];
  const answered = reads.filter((read) => read.gap === null && showsStateNow(read));
  const earlier = earlierLines(answered, startsAt);
  const near = { systems: alertSystems(incident), reads: answered };
  const found = answered
    .filter((read) => !isOfAlert(read, incident))
    .flatMap((read) =>
      [...movedSeries(read, startsAt), ...reportedLines(read, incident, startsAt, earlier)].filter(
        ({ line }) => !line.includes(incident.name) && isLinked(line, read, near),
      ),
    );
  const each = new Map(found.map((one) => [one.line.replace(/\d+/g, '#'), one]));
  return [...each.values()].slice(0, MOST_SUSPECTS);
}

/** Returns whether a look-up evaluated the expression of the alert: it shows the effect and no cause. */
export function isOfAlert(
  { args }: Pick<Read, 'args'>,
  { expression }: Pick<Incident, 'expression'>,
): boolean {
  return (
    expression !== null &&
    typeof args === 'object' &&
    args !== null &&
    !Array.isArray(args) &&
    args['expr'] === expression
  );
}

/** Returns the stems of words by which an alert describes its effect. */
export const effectWords = ({ name, expression, summary, annotations }: Alerted): Set<string> =>
  contentWords(
    [
      name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'),
      expression ?? '',
      summary,
      ...Object.values(annotations),
    ].join(' '),
  );

/** The last line of each series that left its range. */
const movedSeries = ({ id, text }: Read, startsAt: number): Suspect[] =>
  seriesIn(text).flatMap((samples) => {
    const onset = onsetOfSeries(samples, startsAt);
    return onset.when === 'before' ? [{ id, line: samples.at(-1)!.line, onset }] : [];
  });

/** Changes, and states that show a problem. */
function reportedLines(read: Read, { startsAt }: Alerted, startMs: number, earlier: EarlierLines): Suspect[] {
  const ofSeries = new Set(samplesIn(read.text).map(({ line }) => line));
  const changes = read.text
    .split('\n', MOST_LINES)
    .filter((line) => !ofSeries.has(line) && CHANGE.test(line.slice(0, MOST_LINE)));
  const states = alarmsIn(read, startsAt).map(({ words }) => words);
  return [...new Set([...changes.slice(-MOST_CHANGES), ...states])]
    .filter((line) => !ofSeries.has(line))
    .map((line) => ({ id: read.id, line, onset: onsetOf(line, read, startMs, earlier) }))
    .filter(({ onset: { when } }) => when === 'before' || when === 'unknown');
}
