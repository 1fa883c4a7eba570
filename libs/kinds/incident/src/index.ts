import { defineKind } from '@casefile/kit/kind';
import { pastIncident } from './past-cases.js';
import { incident } from './playbook.js';

export default defineKind({
  playbook: incident,
  pastCaseRule: pastIncident,
  commandLine: () => import('./command-line.js'),
});
