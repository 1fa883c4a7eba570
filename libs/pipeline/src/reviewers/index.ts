import { named } from '../named.js';
import type { Reviewer } from '../reviewer.js';
import { mechanical } from './mechanical.js';
import { verifiedCitations } from './verified-citations.js';

/** Every way a draft can be criticised. */
export const reviewers: readonly Reviewer[] = [mechanical, verifiedCitations];

/** @throws CasefileError `unknown_reviewer` that lists the known ones. */
export const reviewerNamed = named('reviewer', reviewers);
