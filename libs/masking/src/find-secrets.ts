import { oneTimeCodes } from './codes.js';
import type { FoundValue } from './found-value.js';
import { NAMED_VALUE, secretManifests, secretObjects } from './kubernetes.js';
import type { NormalView } from './normal-view.js';
import { statedSecrets } from './phrases.js';
import { flatMatches, type Steps } from './pieces.js';
import { isSecretName, namedValues, privateKeys, secretForms } from './places.js';
import { MASK, mergedRanges, type Range } from './ranges.js';

/**
 * Returns the secrets and one-time codes in a text in their order, without overlaps; `plain` is what replaces each. Rules
 * read the text as written, because a link is cut at its own `&`, and its view, so that another spelling hides nothing.
 * @param known ranges of keys that the rule set of providers found.
 */
export function* findSecrets(text: string, view: NormalView, known: readonly Range[]): Steps<FoundValue[]> {
  if (text.length < SHORTEST) return [];
  const ranges = [
    ...known,
    ...(yield* secretRanges(text)),
    ...placed(view, view.isSame ? [] : yield* secretRanges(view.text)),
    ...placed(view, yield* statedSecrets(view.text)),
  ];
  const secrets = mergedRanges(ranges.filter(([from, to]) => to > from));
  const masked = secrets.map(([from, to]): FoundValue => ({ from, to, label: 'SECRET', plain: MASK }));
  const codes = (yield* oneTimeCodes(view.text)).map((code) => {
    const [from, to] = view.place(code.from, code.to);
    return { ...code, from, to };
  });
  return withoutOverlaps([...masked, ...codes]);
}

/** Shortest text with a finding: a code of four digits after a name of one character. */
const SHORTEST = 5;

const placed = (view: NormalView, ranges: readonly Range[]): Range[] =>
  ranges.map(([from, to]) => view.place(from, to));

function* secretRanges(text: string): Steps<Range[]> {
  if (text.length < 8) return [];
  return [
    ...(yield* namedValues(text)),
    ...(yield* secretForms(text)),
    ...(yield* privateKeys(text)),
    ...(yield* secretManifests(text)),
    ...(yield* secretObjects(text)),
    ...(yield* variables(text)),
  ];
}

function variables(text: string): Steps<Range[]> {
  return flatMatches(text, NAMED_VALUE, ([all, name = '', value = ''], index) => {
    if (!isSecretName(name)) return [];
    const from = index + all.length - value.length;
    return [[from, from + value.length] as const];
  });
}

/** Of overlapping values the one that begins first is kept, of those the longest. */
function withoutOverlaps(found: readonly FoundValue[]): FoundValue[] {
  const kept: FoundValue[] = [];
  for (const one of [...found].sort((a, b) => a.from - b.from || b.to - a.to))
    if (one.from >= (kept.at(-1)?.to ?? 0)) kept.push(one);
  return kept;
}
