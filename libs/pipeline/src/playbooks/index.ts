import { named } from '../named.js';
import type { Playbook } from '../playbook.js';
import { messageScreening } from './message-screening.js';
import { policyCheck } from './policy-check.js';
import { scamVerdict } from './scam-verdict.js';

/** Every kind of case. An alert that names none gets the first that matches it. */
export const playbooks: readonly Playbook[] = [scamVerdict, messageScreening, policyCheck];

/** @throws CasefileError `unknown_playbook` that lists the known ones. */
export const playbookNamed = named('playbook', playbooks);
