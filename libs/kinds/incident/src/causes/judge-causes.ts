import type { Hypothesis, JudgedCause } from '@casefile/contracts';
import { contentWords, namesIn } from '@casefile/pipeline/claims/index';
import { countShared, holdsWords } from '@casefile/pipeline/reading/index';
import type { Incident } from '../alert.js';
import { checkCause } from '../claims.js';
import { citationProblem, type Read } from '../look-ups.js';
import { alertSystems, isLinked } from './link.js';
import { earlierLines, onsetOf, onsetOfSeries } from './onset.js';
import { seriesIn } from './samples.js';
import { effectWords, isOfAlert, suspectsIn, type Suspect } from './suspects.js';

/** A cause with the lines that it cites. */
export type StatedCause = Pick<Hypothesis, 'cause' | 'citations'>;

/** Rival causes, compared with the record. */
export interface Separation {
  /** In the order in which they were given. */
  causes: JudgedCause[];
  /** The confirmed cause; null: none. */
  confirmed: JudgedCause | null;
  /** All suspects of the record. */
  suspects: Suspect[];
  /** Suspects of the record that no refuted cause and not the confirmed one explains. */
  unexplained: Suspect[];
}

/** One cause as the record shows it. */
interface Weighed {
  stated: StatedCause;
  standing: 'fits' | 'refuted' | 'open';
  why: string;
  /** Time of its earliest change, in milliseconds; null: unknown. */
  at: number | null;
  lines: readonly string[];
}

/**
 * Compares rival causes with the record. A cause is confirmed only if all of this holds:
 * 1. Its claim holds in the lines that it cites.
 * 2. One of these lines names the thing that the cause blames, and not only the effect that the alert reports.
 * 3. That line is about the system of the alert, or another line links the two.
 * 4. It changed at or before the start, and was otherwise well before.
 * 5. At least one rival is named, and each rival with a line on the record is refuted.
 * 6. Each other change or fault on the record came later, belongs to the cause or to a refuted rival.
 * A cause is refuted if its claim is contradicted, or if what it cites was the same well before the start or changed only
 * after it.
 */
export function judgeCauses(
  stated: readonly StatedCause[],
  reads: readonly Read[],
  incident: Incident,
): Separation {
  const suspects = suspectsIn(incident, reads);
  const weighed = stated.map((one) => weigh(one, reads, incident));
  const fitting = weighed.filter(({ standing }) => standing === 'fits');
  const unexplainedBy = (cause: Weighed | null) =>
    suspects.filter(
      (suspect) =>
        (cause === null || !explains(cause, suspect)) &&
        !weighed.some(
          (one) => one.standing === 'refuted' && one.lines.some((line) => sameLine(line, suspect)),
        ),
    );
  const [only] = fitting;
  const rivals = weighed.filter((one) => one !== only);
  const isAlone =
    only !== undefined &&
    fitting.length === 1 &&
    rivals.some(({ standing }) => standing === 'refuted') &&
    rivals.every(({ standing, lines }) => standing === 'refuted' || lines.length === 0);
  const unexplained = unexplainedBy(isAlone ? only : null);
  const isConfirmed = isAlone && unexplained.length === 0;
  const causes = weighed.map((one): JudgedCause => {
    const {
      standing,
      why,
      stated: { cause },
    } = one;
    if (standing !== 'fits') return { cause, standing, why };
    if (isConfirmed) return { cause, standing: 'confirmed', why: 'its rivals are refuted' };
    return { cause, standing: 'open', why: whyNotConfirmed(one, weighed, unexplained) };
  });
  const confirmed = causes.find(({ standing }) => standing === 'confirmed') ?? null;
  return { causes, confirmed, suspects, unexplained };
}

function whyNotConfirmed(one: Weighed, all: readonly Weighed[], [suspect]: readonly Suspect[]): string {
  const rival = all.find((other) => other !== one && other.standing !== 'refuted' && other.lines.length > 0);
  if (rival !== undefined) return `nothing refutes its rival: ${rival.stated.cause}`.slice(0, 300);
  if (all.length < 2 || all.every((other) => other === one || other.lines.length === 0))
    return 'no rival was compared with it';
  return suspect === undefined
    ? 'no rival is refuted'
    : `the record also shows [${suspect.id}] ${suspect.line}`.slice(0, 300);
}

/** A suspect belongs to a cause that cites it, shares its words, or changed no later. */
function explains({ lines, at, stated: { cause } }: Weighed, suspect: Suspect): boolean {
  if (lines.some((line) => sameLine(line, suspect))) return true;
  if (suspect.onset.when === 'before') return at !== null && suspect.onset.at > at;
  return countShared(contentWords(cause), contentWords(suspect.line)) > 1;
}

const sameLine = (line: string, suspect: Suspect): boolean =>
  line.replace(/\d+/g, '#').startsWith(suspect.line.replace(/\d+/g, '#').slice(0, 200));

function weigh(stated: StatedCause, reads: readonly Read[], incident: Incident): Weighed {
  const startsAt = Date.parse(incident.startsAt ?? '');
  const citations = stated.citations.filter((citation) => citationProblem(citation, reads) === null);
  const cited = citations.flatMap(({ id, quote }) => {
    const read = reads.find((one) => one.id === id)!;
    return isOfAlert(read, incident)
      ? []
      : read.text.split('\n').flatMap((line) => (holdsWords(line, quote) ? [{ line, read }] : []));
  });
  const lines = cited.map(({ line }) => line);
  const open = (why: string): Weighed => ({ stated, standing: 'open', why, at: null, lines });
  const refuted = (why: string): Weighed => ({ stated, standing: 'refuted', why, at: null, lines });
  if (lines.length === 0) return open('no line of a look-up is cited for it');
  const { result, parts } = checkCause(
    { ...stated, citations },
    reads.filter(({ gap }) => gap === null),
    incident,
  );
  const against = parts.find((part) => part.result === 'contradicted');
  if (against !== undefined) return refuted(`${against.dimension}: “${against.says}”`.slice(0, 300));
  const effect = effectWords(incident);
  const systems = alertSystems(incident);
  const names = new Set([
    ...contentWords(systems.join(' ')),
    ...contentWords(namesIn(stated.cause).join(' ')),
  ]);
  const own = new Set(
    [...contentWords(stated.cause)].filter((word) => !effect.has(word) && !names.has(word)),
  );
  const answered = reads.filter(({ gap }) => gap === null);
  const near = { systems, reads: answered };
  const isTelling = (line: string) => countShared(own, wordsOfLine(line)) > 0;
  const measured = answered
    .filter((read) => !isOfAlert(read, incident))
    .flatMap((read) => seriesIn(read.text).map((samples) => ({ samples, read })))
    .filter(({ samples: [sample], read }) => isTelling(sample!.line) && isLinked(sample!.line, read, near));
  const earlier = earlierLines(answered, startsAt);
  // Measured values say more than a line that only states a problem, also those that the model does not cite.
  const onsets = Number.isNaN(startsAt)
    ? []
    : measured.length > 0
      ? measured.map(({ samples }) => onsetOfSeries(samples, startsAt))
      : cited.map(({ line, read }) => onsetOf(line, read, startsAt, earlier));
  const times = onsets.flatMap((onset) => (onset.when === 'before' ? [onset.at] : []));
  const wrong = onsets.find(({ when }) => when === 'steady' || when === 'after');
  if (wrong !== undefined && times.length === 0)
    return refuted(
      wrong.when === 'steady'
        ? 'it was the same well before the alert began'
        : 'it changed only after the alert began',
    );
  if (result !== 'holds') return open('the lines that it cites do not show it');
  const telling = cited.filter(({ line }) => isTelling(line));
  if (telling.length === 0) return open('the lines that it cites show the effect, not this cause');
  if (!telling.some(({ line, read }) => isLinked(line, read, near)))
    return open('no look-up links it with the system of the alert');
  if (times.length === 0) return open('no look-up shows that it changed when the alert began');
  return { stated, standing: 'fits', why: '', at: Math.min(...times), lines };
}

/** Words of a line without the names of labels. */
const wordsOfLine = (line: string): Set<string> => contentWords(line.replace(/\w{1,60}="/g, '"'));
