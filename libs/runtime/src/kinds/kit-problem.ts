import { join } from 'node:path';
import { KIT_VERSION } from '@casefile/kit/version';
import { satisfies, validRange } from 'semver';

/**
 * Returns why a kind that was written for another version of the kit is refused, with file, field and expectation; null:
 * it fits this one, or it names none.
 * @param manifest content of the package.json of the kind's folder; null: it has none
 */
export function kitProblem(folder: string, manifest: Record<string, unknown> | null): string | null {
  const peers = manifest?.['peerDependencies'] as Record<string, unknown> | undefined;
  const wanted = peers?.['@casefile/kit'];
  if (wanted === undefined) return null;
  if (typeof wanted === 'string' && validRange(wanted) !== null && satisfies(KIT_VERSION, wanted))
    return null;
  const file = join(folder, 'package.json');
  return `${file}: peerDependencies["@casefile/kit"]: expected a range of versions that includes ${KIT_VERSION}, the kit of this program, such as ^${KIT_VERSION}; found ${JSON.stringify(wanted)}`;
}
