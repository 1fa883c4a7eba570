import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KIT_VERSION } from '@casefile/kit/version';

const VERSION = /^[\^~]?(\d+)\.(\d+)(?:\.\S{1,40})?$/;

/**
 * Returns why a kind that was written for another version of the kit is refused, with file, field and expectation; null:
 * it fits this one, or its package.json names none. Versions fit that have the same major number, and below 1.0 the same
 * minor number too.
 */
export function kitProblem(folder: string): string | null {
  const file = join(folder, 'package.json');
  const wanted = existsSync(file) ? wantedKit(readFileSync(file, 'utf8')) : undefined;
  if (wanted === undefined || series(wanted) === series(KIT_VERSION)) return null;
  return `${file}: peerDependencies["@casefile/kit"]: expected a version that fits the kit of this program, such as ^${KIT_VERSION}; found ${JSON.stringify(wanted)}`;
}

function wantedKit(manifest: string): unknown {
  try {
    return (JSON.parse(manifest) as { peerDependencies?: Record<string, unknown> } | null)
      ?.peerDependencies?.['@casefile/kit'];
  } catch {
    // The entry of a folder is read from the same file, which reports this.
    return undefined;
  }
}

/** Returns the part of a version that programs and kinds must have in common; null: it is no version. */
function series(version: unknown): string | null {
  const [, major, minor] = VERSION.exec(String(version)) ?? [];
  return major === undefined ? null : major === '0' ? `0.${minor}` : major;
}
