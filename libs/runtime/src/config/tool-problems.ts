import type { FieldProblem } from '@casefile/contracts';
import { toolNames } from '@casefile/evidence';
import { flow } from '@casefile/pipeline';
import type { SettingsFile } from './settings-schema.js';

/** Returns problems of names in these settings: tools and stages that do not exist, so that none is ignored. */
export function toolProblems({
  tools,
  evidence,
  concurrency,
}: Pick<SettingsFile, 'tools' | 'evidence' | 'concurrency'>): FieldProblem[] {
  const stageNames = flow.map(({ name }) => name);
  return [
    ...unknownNames('tools', tools, 'tool', toolNames),
    ...unknownNames('evidence.allowedHosts', evidence.allowedHosts, 'tool', toolNames),
    ...unknownNames('concurrency', concurrency, 'stage', stageNames),
  ];
}

function unknownNames(path: string, entries: object, noun: string, known: readonly string[]): FieldProblem[] {
  return Object.keys(entries)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `${path}.${name}`,
      message: `there is no such ${noun}; expected one of ${known.join(', ')}`,
    }));
}
