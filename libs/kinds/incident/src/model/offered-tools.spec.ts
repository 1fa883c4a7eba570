import type { FrozenTool } from '@casefile/contracts';
import { aMonitoredAlert, anIncidentBrief, incidentEvidence } from '../testing/incident-builders.js';
import { MOST_OFFERED, offeredTools } from './offered-tools.js';

const tool = (name: string, description = 'Reads something.', required = false): FrozenTool => ({
  name,
  source: name.split('__')[0]!,
  description,
  parameters: {},
  hash: 'h',
  required,
});
const many = (source: string, count: number) =>
  Array.from({ length: count }, (_none, i) => tool(`${source}__t${i}`));
const offered = (...tools: FrozenTool[]) =>
  offeredTools({
    brief: anIncidentBrief(aMonitoredAlert()),
    evidence: { ...incidentEvidence([]), tools },
  }).map(({ name }) => name);

describe('T-61 tools that a model is offered', () => {
  it('are all, in their order, if they are few', () => {
    const few = many('a', MOST_OFFERED);
    expect(offered(...few)).toEqual(few.map(({ name }) => name));
    expect(offered()).toEqual([]);
  });

  it('are at most 37, so that a question has 40 with those that read on, state causes and stop', () => {
    expect(offered(...many('a', 200))).toHaveLength(37);
  });

  it('have those that are required, one of each source, and those that share words with the alert', () => {
    const last = [
      tool('b__must', 'Reads something.', true),
      tool('b__other'),
      tool('a__disk', 'How full the disk of orders-db is.'),
      ...Array.from({ length: 20 }, (_none, i) => tool(`s${i}__only`)),
    ];
    const names = offered(...many('a', 200), ...last);
    expect(names).toEqual(expect.arrayContaining(['b__must', 'a__disk', 's0__only', 's19__only']));
    expect(names).not.toContain('b__other');
    expect(names).toHaveLength(37);
    expect(offered(...many('a', 200), ...last)).toEqual(names);
  });
});
