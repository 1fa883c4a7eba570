import { InvalidInput } from '@casefile/contracts';
import { playbookNamed } from '@casefile/pipeline';
import type { DatasetKind } from '../eval/dataset.js';
import { labelledIncidents } from './incident/evaluation.js';
import { labelledMessages } from './message-screening/index.js';
import { labelledQuestions } from './research/evaluation.js';
import { labelledTexts } from './scam-verdict/index.js';
import { policyCases } from './policy-check/index.js';

/** Kinds of labelled sets, each for one playbook. To measure another playbook, add a line. */
const KINDS: readonly DatasetKind[] = [
  labelledMessages,
  labelledTexts,
  policyCases,
  labelledIncidents,
  labelledQuestions,
];

/** @throws InvalidInput if the verdicts of this playbook cannot be measured. */
export function kindOf(playbook: string): DatasetKind {
  const datasetKind = KINDS.find((kind) => kind.playbook === playbook);
  if (datasetKind !== undefined) return datasetKind;
  const knownNames = KINDS.map((kind) => kind.playbook).join(', ');
  throw new InvalidInput(
    [{ path: '--playbook', message: `only these can be measured: ${knownNames}` }],
    'command line',
  );
}

/** Returns the name of the kind's strategy that uses no model. @throws InvalidInput if it has none. */
export function rulesOf(playbook: string): string {
  const { strategies } = playbookNamed(playbook);
  const ruleStrategy = Object.entries(strategies).find(
    ([, { prompts }]) => Object.keys(prompts).length === 0,
  );
  if (ruleStrategy !== undefined) return ruleStrategy[0];
  throw new InvalidInput([{ path: '--rules', message: `${playbook} has no rules` }], 'command line');
}
