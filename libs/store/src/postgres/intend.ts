import type { IntentRequest, Telemetry, ToolIntentRequest } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { budgetExhausted } from '../plan/budget.js';
import { placeTaken } from '../plan/store-errors.js';
import { KNOWN_BUDGETS } from './budget-sql.js';
import type { Database } from './database.js';
import type { HotWrite } from './hot-write.js';
import { stageIntents, toolIntents, type IntentRow } from './intent-sql.js';
import { isUuid } from './row-set.js';

/** Writes many intents in one statement. Each fails by itself: CasefileError `interaction_exists`, `budget_exhausted`. */
export function intendWrite(database: Database, telemetry: Telemetry): HotWrite<IntentRequest, boolean> {
  const again = (request: IntentRequest) => async () => {
    const { text, params } = stageIntents([request]);
    const [row] = await database.rows<IntentRow>(text, params);
    return row;
  };
  return {
    statement: stageIntents,
    results: (requests, rows) => {
      const held = new Map((rows as IntentRow[]).map((row) => [row.i, row]));
      return requests.map((request, i) =>
        answerOf(database, telemetry, request, held.get(i), again(request)),
      );
    },
  };
}

/**
 * Writes the intent of a model call that a tool makes, in a transaction of its own: in the lane its lock on the tool call
 * would come after budgets that others of the flush have locked.
 */
export async function intendForTool(
  database: Database,
  telemetry: Telemetry,
  request: ToolIntentRequest,
): Promise<boolean> {
  if (!isUuid(request.lease.toolCallId)) return false;
  const ask = async () => {
    const { text, params } = toolIntents([request]);
    const [row] = await database.rows<IntentRow>(text, params);
    return row;
  };
  return answerOf(database, telemetry, request, await ask(), ask);
}

type AnyRequest = Pick<IntentRequest, 'interaction' | 'reservations'>;

async function answerOf(
  database: Database,
  telemetry: Telemetry,
  request: AnyRequest,
  row: IntentRow | undefined,
  again: () => Promise<IntentRow | undefined>,
): Promise<boolean> {
  if (row?.crossed) telemetry.count(METRICS.budgetSoft, {}, row.crossed);
  if (row === undefined) return false;
  if (row.written) return true;
  if (row.refused === null) throw placeTaken(request);
  if (!row.worth_another) throw budgetExhausted(row.refused);
  await makeKnown(database, request);
  // One that was refused for others of its batch, or because its budget is new, is asked alone; then the word stands.
  const second = await again();
  if (second?.crossed) telemetry.count(METRICS.budgetSoft, {}, second.crossed);
  if (second?.refused && !second.written) throw budgetExhausted(second.refused);
  if (second?.written === false) throw placeTaken(request);
  return second !== undefined;
}

async function makeKnown(database: Database, { reservations = [] }: AnyRequest): Promise<void> {
  const of = (part: (one: (typeof reservations)[number]) => unknown) => reservations.map(part);
  await database.rows(KNOWN_BUDGETS, [
    of(({ key }) => key),
    of(({ window }) => window),
    of(({ measure }) => measure),
    of(({ limit }) => limit),
  ]);
}
