import { named } from '../named.js';
import type { Reviewer } from '../reviewer.js';
import { mechanical } from './mechanical.js';

/** Every way a draft can be criticised. */
export const reviewers: readonly Reviewer[] = [mechanical];

/** @throws CasefileError `unknown_reviewer` that lists the known ones. */
export const reviewerNamed = named('reviewer', reviewers);
