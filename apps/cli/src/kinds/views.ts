import type { ShownRun } from '../client/console-client.js';
import { investigation } from './incident/investigation-lines.js';
import type { RunSection } from './run-section.js';
import { rounds } from './research/research-lines.js';
import { turns } from './policy-check/turn-lines.js';

/** Sections by the view name that a playbook declares. */
const SECTIONS: Record<string, readonly RunSection[] | undefined> = {
  criteria: [turns],
  incident: [investigation],
  research: [rounds],
};

/**
 * Returns the additional sections of a run's kind; empty if the kind declares no view, or one that this
 * release lacks.
 */
export function shownRunSections({ view }: Pick<ShownRun, 'view'>): readonly RunSection[] {
  return view !== null && Object.hasOwn(SECTIONS, view) ? (SECTIONS[view] ?? []) : [];
}
