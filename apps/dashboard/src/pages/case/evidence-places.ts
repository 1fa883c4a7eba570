import type { Draft, EvidenceItem, Evidence, ShownRun } from '@casefile/contracts';
import type { EvidenceLinks } from '../../ui/link-citations.js';

/**
 * Returns the evidence of a unit's newest round. If there is none, returns the evidence from before the run
 * was split into units.
 */
export function runEvidence(run: ShownRun, unit: string): EvidenceItem[] {
  const newest = (of: string): EvidenceItem[] | undefined =>
    run.artifacts
      .filter(({ artifact, unit: its }) => artifact === 'evidence' && its === of)
      .sort((a, b) => b.round - a.round)
      .map(({ body }) => (body as unknown as Evidence).items)[0];
  return newest(unit) ?? newest('') ?? [];
}

/** Returns the items that a round added to those of the round before. */
export function newEvidence(run: ShownRun, unit: string, round: number): EvidenceItem[] {
  const items = (at: (round: number) => boolean): EvidenceItem[] =>
    run.artifacts
      .filter((it) => it.artifact === 'evidence' && it.unit === unit && at(it.round))
      .flatMap(({ body }) => (body as unknown as Evidence).items);
  const before = new Set(items((it) => it < round).map(({ id }) => id));
  return items((it) => it === round).filter(({ id }) => !before.has(id));
}

/** Returns the newest evidence of each unit of a run. A unit without evidence of its own is left out. */
export function evidenceSources(run: ShownRun): { unit: string; item: EvidenceItem }[] {
  const units = new Set(
    run.artifacts.filter(({ artifact }) => artifact === 'evidence').map(({ unit }) => unit),
  );
  return [...units].flatMap((unit) => runEvidence(run, unit).map((item) => ({ unit, item })));
}

/** Returns the element id of an item of evidence. */
export function evidencePlace(unit: string, id: string): string {
  return unit === '' ? id : `${unit}.${id}`;
}

/**
 * Returns the results of the reasoner's own calls for a unit. They can be cited in addition to the evidence.
 */
export function readByCalls(run: ShownRun, unit: string): NonNullable<Draft['read']> {
  const drafts = run.artifacts.filter((it) => it.artifact === 'draft' && it.unit === unit);
  return (drafts.at(-1)?.body as unknown as Draft | undefined)?.read ?? [];
}

/** Returns the links to a unit's evidence and to those calls that can be cited as well. */
export function evidenceLinks(run: ShownRun, unit: string): EvidenceLinks {
  const own = run.artifacts.some(({ artifact, unit: its }) => artifact === 'evidence' && its === unit)
    ? unit
    : '';
  return new Map([
    ...readByCalls(run, unit).map(({ id, toolCallId }) => [id, `#tool-${toolCallId}`] as const),
    ...runEvidence(run, unit).map(({ id }) => [id, `#${evidencePlace(own, id)}`] as const),
  ]);
}
