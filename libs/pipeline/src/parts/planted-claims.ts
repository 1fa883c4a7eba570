import { createHash } from 'node:crypto';
import { seededRandom, type PlantedChange } from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import type { Claim, Matter } from './examined-matter.js';
import { changes } from './planted-changes.js';
import { PlantedRecord } from './planted-record.js';

/** A false claim, made from words of the record by a change of one value. */
export interface PlantedClaim extends Claim {
  change: PlantedChange;
}

/** Planted claims of one examination by default, and at most. */
export const PLANTED_BY_DEFAULT = 2;
export const MOST_PLANTED = 5;

/** Characters of a statement that a claim is made from, and the number of statements that are tried. */
const STATEMENT = { least: 12, most: 300, count: 40 } as const;

/** Words that a planted claim is made from. */
interface Base {
  text: string;
  sources: readonly string[];
  /** Source of which the words are; null: the words are of a claim. */
  of: string | null;
}

/**
 * Returns false claims for an examination. Each is a claim of the draft, or a statement of a source, with one value
 * changed to one that does not occur in the record. It is therefore not true on the record, whether or not the
 * draft is. The same seed gives the same claims.
 * @returns at most `count` claims; none if there is nothing to make them from.
 */
export function plantClaims(
  { about, claims, sources, asClaim = (statement) => statement }: Matter,
  count: number,
  seed: string,
): PlantedClaim[] {
  const random = randomOf(`${seed}/planted`);
  const record = new PlantedRecord(about, claims, sources);
  const ofClaims = claims.map(({ text, sources: cited }): Base => ({ text, sources: cited, of: null }));
  const statements = shuffled(statementsOf({ claims, sources }), random).slice(0, STATEMENT.count);
  const bases = inTurn(shuffled(ofClaims, random), statements);
  const planted: PlantedClaim[] = [];
  const add = (base: Base, change: PlantedChange, text: string): void => {
    const claim = base.of === null ? text : asClaim(text);
    planted.push({ id: `P${planted.length + 1}`, text: claim, sources: base.sources, change });
  };
  for (const base of bases) {
    if (planted.length === count) break;
    // Different changes first, so that an examination tests more than one skill.
    const used = new Set(planted.map(({ change }) => change));
    const order = shuffled(changes, random).toSorted(
      (a, b) => Number(used.has(a.name)) - Number(used.has(b.name)),
    );
    for (const { name, apply } of order) {
      const text = apply(base, record, random);
      if (text === null) continue;
      add(base, name, text);
      break;
    }
  }
  const [first] = ofClaims;
  // A claim without any value that can be changed is stated of a subject that the record does not have.
  if (planted.length === 0 && count > 0 && first !== undefined)
    add(first, 'subject', `${first.text} (${record.newName('x-1', random)})`);
  return planted;
}

/** Returns the items in an order drawn from a random source. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random() * (last + 1));
    [order[last], order[at]] = [order[at]!, order[last]!];
  }
  return order;
}

/** Returns the items of two lists, one of each in turn. */
function inTurn<T>(one: readonly T[], other: readonly T[]): T[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_none, at) => [...one.slice(at, at + 1), ...other.slice(at, at + 1)]).flat();
}

/** Returns a random source for a text. */
export const randomOf = (seed: string): (() => number) =>
  seededRandom(createHash('sha256').update(seed).digest().readUInt32BE(0));

/** Returns the lines and sentences of the cited sources. */
function statementsOf({ claims, sources }: Pick<Matter, 'claims' | 'sources'>): Base[] {
  const cited = new Set(claims.flatMap((claim) => claim.sources));
  return sources
    .filter(({ id }) => cited.has(id))
    .flatMap(({ id, text }) =>
      text
        .split(/\n|(?<=[。！？])|(?<=[.!?;])\s+/u)
        .map((line) => inLine(line).trim())
        .filter((line) => line.length >= STATEMENT.least && line.length <= STATEMENT.most)
        .map((line): Base => ({ text: line, sources: [id], of: id })),
    );
}
