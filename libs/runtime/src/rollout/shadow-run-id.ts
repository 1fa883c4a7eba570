import { createHash } from 'node:crypto';

/**
 * Returns the id of a run in the lane `shadow`, so that a repeated pass opens the run once. It begins like the id of its
 * case, whose time it has.
 * @param words what the run is made for; equal words give an equal id
 */
export function shadowRunId(caseId: string, words: readonly string[]): string {
  const hash = createHash('sha256').update(words.join('\0')).digest('hex');
  return `${caseId.slice(0, 13)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
