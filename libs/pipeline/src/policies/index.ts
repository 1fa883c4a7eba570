import { named } from '../named.js';
import type { Policy } from '../policy.js';
import { combineCriteria } from './combine-criteria.js';
import { engageProbeIgnore } from './engage-probe-ignore.js';
import { riskLevel } from './risk-level.js';

/** Every way results become a verdict. */
export const policies: readonly Policy[] = [combineCriteria, engageProbeIgnore, riskLevel];

/** @throws CasefileError `unknown_policy` that lists the known ones. */
export const policyNamed = named('policy', policies);
