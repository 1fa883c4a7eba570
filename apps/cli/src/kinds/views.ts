import type { ShownRun } from '../client/console-client.js';
import { investigation } from './incident/investigation-lines.js';
import type { RunSection } from './run-section.js';
import { rounds } from './research/research-lines.js';
import { turns } from './policy-check/turn-lines.js';

/** By the names of the views that playbooks declare. */
const SECTIONS: Record<string, readonly RunSection[] | undefined> = {
  criteria: [turns],
  incident: [investigation],
  research: [rounds],
};

/** What the view of a run's kind shows besides; none where it declares no view, or one that this release does not have. */
export function sectionsOf({ view }: Pick<ShownRun, 'view'>): readonly RunSection[] {
  return view !== null && Object.hasOwn(SECTIONS, view) ? (SECTIONS[view] ?? []) : [];
}
