import type { Draft, EvidenceItem, Evidence, ShownRun } from '@casefile/contracts';
import type { EvidenceLinks } from '../../ui/link-citations.js';

/** The evidence of a unit: what its newest round holds, or else what was there before the run was split into units. */
export function evidenceOf(run: ShownRun, unit: string): EvidenceItem[] {
  const newest = (of: string): EvidenceItem[] | undefined =>
    run.artifacts
      .filter(({ artifact, unit: its }) => artifact === 'evidence' && its === of)
      .sort((a, b) => b.round - a.round)
      .map(({ body }) => (body as unknown as Evidence).items)[0];
  return newest(unit) ?? newest('') ?? [];
}

/** Items that a round brought, without those it took over from the round before. */
export function newEvidence(run: ShownRun, unit: string, round: number): EvidenceItem[] {
  const items = (at: (round: number) => boolean): EvidenceItem[] =>
    run.artifacts
      .filter((it) => it.artifact === 'evidence' && it.unit === unit && at(it.round))
      .flatMap(({ body }) => (body as unknown as Evidence).items);
  const before = new Set(items((it) => it < round).map(({ id }) => id));
  return items((it) => it === round).filter(({ id }) => !before.has(id));
}

/** Where an item is on the page. */
export function evidencePlace(unit: string, id: string): string {
  return unit === '' ? id : `${unit}.${id}`;
}

/** What a unit's reasoner read by calls of its own, which may be cited beside the evidence. */
export function readByCalls(run: ShownRun, unit: string): NonNullable<Draft['read']> {
  const drafts = run.artifacts.filter((it) => it.artifact === 'draft' && it.unit === unit);
  return (drafts.at(-1)?.body as unknown as Draft | undefined)?.read ?? [];
}

/** The way to each item of a unit's evidence, and to each call that may be cited beside it. */
export function evidenceLinks(run: ShownRun, unit: string): EvidenceLinks {
  const own = run.artifacts.some(({ artifact, unit: its }) => artifact === 'evidence' && its === unit)
    ? unit
    : '';
  return new Map([
    ...readByCalls(run, unit).map(({ id, toolCallId }) => [id, `#tool-${toolCallId}`] as const),
    ...evidenceOf(run, unit).map(({ id }) => [id, `#${evidencePlace(own, id)}`] as const),
  ]);
}
