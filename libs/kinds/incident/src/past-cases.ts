import type { CaseLikeness } from '@casefile/contracts';
import type { PastCaseRule } from '@casefile/pipeline/past-cases';
import { inLine } from '@casefile/pipeline/plain-text';
import type { Incident } from './alert.js';
import { reportedIn } from './proven.js';
import { incidentIn } from './runbook.js';

/** Labels that do not identify the problem. */
const NOT_COMPARED = ['alertname', 'rulename', 'title', 'prometheus', 'monitor', 'receiver', 'replica'];
const UNNAMED = 'unnamed alert';

/** Returns the name and the labels of an alert, by which incidents are compared; null: it has no name. */
export function alertLikeness({ name, labels }: Pick<Incident, 'name' | 'labels'>): CaseLikeness | null {
  if (name === UNNAMED) return null;
  const key = `alert ${name}`;
  const own = Object.entries(labels).filter(([label]) => !NOT_COMPARED.includes(label));
  return { keys: [key], terms: [key, ...own.map(([label, value]) => `${label}=${value}`).toSorted()] };
}

/** A confirmed incident is compared by the name and the labels of its alert. */
export const pastIncident: PastCaseRule = ({ brief }) => {
  const incident = incidentIn(brief);
  const likeness = alertLikeness(incident);
  if (likeness === null) return null;
  const reported = reportedIn(incident);
  const title = reported === incident.name ? incident.name : `${incident.name}: ${reported}`;
  return { ...likeness, title: inLine(title, 300) };
};
