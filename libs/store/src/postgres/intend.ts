import { type IntentRequest } from '@casefile/contracts';
import { placeTaken } from '../plan/store-errors.js';
import type { HotWrite } from './hot-write.js';
import { recordResults, RESULT_EVENTS } from './journal-sql.js';
import {
  HOLDS,
  inLockOrder,
  LEASE_COLUMNS,
  leaseRow,
  lockUnits,
  RESULT_COLUMNS,
  resultRow,
} from './record-rows.js';
import { RowSets } from './row-set.js';

interface IntentRow {
  i: number;
  /** Was it written now, or by an earlier try of the same request? */
  written: boolean;
}

const INTENT_COLUMNS = `${LEASE_COLUMNS}, id uuid, step int, attempt int, provider text, model text, prompt_id text,
  request_hash text, request json, draw json`;

// The unit's row is locked, so that nobody claims it between the look at the epoch and the intent.
function statement(requests: IntentRequest[]): { text: string; params: string[] } {
  const sets = new RowSets();
  const source = sets.add('q', INTENT_COLUMNS, inLockOrder(requests.map(intentRow)));
  const results = requests.flatMap((request, i) => request.results.map((result) => resultRow(i, result)));
  const journal =
    results.length > 0 ? `${recordResults(sets.add('p', RESULT_COLUMNS, results), 'held')},` : '';
  const text = `
    with req as (select * from ${source}),
    held as (${lockUnits('req', HOLDS, 'q.i, u.run_id, u.case_id')}),
    ${journal}
    intent as (
      insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id,
        request_hash, request, draw)
      select q.id, q.run_id, q.unit, q.stage, q.round, q.step, q.attempt, q.provider, q.model, q.prompt_id,
        q.request_hash, q.request, q.draw
      from req q join held h on h.i = q.i on conflict do nothing returning id),
    told as (
      insert into events (type, case_id, run_id, data)
      select t.type, h.case_id, h.run_id, t.data from (
        select q.i, 0 as n, 'interaction.started' as type, json_build_object('interactionId', q.id, 'stage', q.stage,
          'round', q.round, 'unit', q.unit, 'step', q.step, 'attempt', q.attempt, 'provider', q.provider,
          'model', q.model, 'promptId', q.prompt_id) as data
        from req q join intent n on n.id = q.id
        ${results.length > 0 ? `union all ${RESULT_EVENTS}` : ''}) t
      join held h on h.i = t.i order by t.i, t.n)
    select h.i, exists (select from intent n where n.id = q.id) or exists (
      select from llm_interactions x where x.id = q.id and x.run_id = q.run_id and x.request_hash = q.request_hash
        and x.state = 'pending') as written
    from held h join req q on q.i = h.i`;
  return { text, params: sets.params };
}

/** Writes many intents in one statement. Each fails by itself with CasefileError `interaction_exists`. */
export const intendWrite: HotWrite<IntentRequest, boolean> = {
  statement,
  results: (requests, rows) => {
    const held = new Map((rows as IntentRow[]).map((row) => [row.i, row]));
    return requests.map(async (request, i) => {
      const row = held.get(i);
      if (row?.written === false) throw placeTaken(request);
      return row !== undefined;
    });
  },
};

function intentRow(request: IntentRequest, i: number) {
  const { interaction } = request;
  return {
    ...leaseRow(i, request.lease),
    id: interaction.id,
    step: interaction.step,
    attempt: interaction.attempt,
    provider: interaction.provider,
    model: interaction.model,
    prompt_id: interaction.promptId,
    request_hash: interaction.requestHash,
    request: interaction.request,
    draw: interaction.draw,
  };
}
