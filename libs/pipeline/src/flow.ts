import type { Stage } from './stage.js';
import { collect } from './stages/collect.js';
import { critique } from './stages/critique.js';
import { decide } from './stages/decide.js';
import { reason } from './stages/reason.js';
import { triage } from './stages/triage.js';
import { write } from './stages/write.js';

/** The pipeline: the order of this list is the wiring. */
export const flow: readonly Stage[] = [triage, collect, reason, critique, write, decide];

/** Where a revision and a search for more evidence open the next round. */
export const ROUND_ENTRY = { revise: reason.name, search: collect.name } as const;
