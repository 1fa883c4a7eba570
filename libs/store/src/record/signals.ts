import {
  CasefileError,
  InvalidInput,
  type OpenQuestion,
  type Signals,
  type UnitStatus,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { NEXT_CHECK_AT, isUuid } from '../row-set.js';
import { nothingDone } from '../store-errors.js';
import { rowNudge, signalOf, type UnitNudgeRow } from '../rows.js';

type GivenSignal = Parameters<Signals['give']>[0];

interface Place {
  run_id: string;
  unit: string;
  stage: string;
  round: number;
  step: number;
}

const WAITS = `u.status = 'suspended' and u.stage = s.stage and u.round = s.round and u.wait_step = s.step and u.wait_signal = s.name`;
// Prefers a question that still waits for an answer, then the newest one.
const FIND = `
  select s.run_id, s.unit, s.stage, s.round, s.step
  from signals s join units u on u.run_id = s.run_id and u.unit = s.unit
  where s.case_id = $1 and s.name = $2 order by (${WAITS}) desc, s.asked_at desc limit 1`;
const PLACE = 's.run_id = $1 and s.unit = $2 and s.stage = $3 and s.round = $4 and s.step = $5';
const LOCK_UNIT = 'select u.status from units u where u.run_id = $1 and u.unit = $2 for no key update';
const READ = `
  select s.*, (${WAITS}) as waits, u.status from signals s join units u on u.run_id = s.run_id and u.unit = s.unit where ${PLACE}`;
const GIVE = `update signals s set value = $6, "by" = $7, given_at = now() where ${PLACE} returning s.*`;
const WAKE = `
  update units u set status = 'due', nudges = u.nudges + 1, wait_over = false, held = false,
    resume_at = ${NEXT_CHECK_AT}
  where u.run_id = $1 and u.unit = $2 returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`;
const TELL = `
  insert into events (type, case_id, run_id, data) values ('signal.given', $1, $2, json_build_object('stage', $3::text,
    'round', $4::int, 'unit', $5::text, 'signal', $6::text, 'option', $7::text, 'by', $8::text))`;

const OPEN = `
  select s.case_id, c.playbook, s.name, s.question, s.asked_at
  from signals s join units u on u.run_id = s.run_id and u.unit = s.unit join cases c on c.id = s.case_id
  where s.value is null and u.lane = 'live' and ${WAITS} order by s.asked_at, s.run_id limit $1`;

/** Answers of people to waiting runs, in Postgres. */
export function postgresSignals(database: Database): Signals {
  return {
    give: (answer) => database.transaction((tx) => give(tx, answer)),
    open: async (limit) => (await database.rows<OpenRow>(OPEN, [limit])).map(openQuestion),
  };
}

interface OpenRow {
  case_id: string;
  playbook: string;
  name: string;
  question: string;
  asked_at: Date;
}

function openQuestion({ case_id, asked_at, ...row }: OpenRow): OpenQuestion {
  return { ...row, caseId: case_id, askedAt: asked_at.toISOString() };
}

async function give(tx: Queryable, { caseId, name, option, by }: GivenSignal) {
  const [pendingPlace] = isUuid(caseId) ? await tx.rows<Place>(FIND, [caseId, name]) : [];
  if (pendingPlace === undefined) throw await nothingAsked(tx, caseId, name);
  const place = [
    pendingPlace.run_id,
    pendingPlace.unit,
    pendingPlace.stage,
    pendingPlace.round,
    pendingPlace.step,
  ];
  // Takes the lock that a claim and the end of a wait also take, so that the row read below does not change.
  await tx.rows(LOCK_UNIT, place.slice(0, 2));
  const [row] = await tx.rows<Place & { waits: boolean; status: UnitStatus }>(READ, place);
  if (row === undefined) throw await nothingAsked(tx, caseId, name);
  const signal = signalOf(row);
  const known = signal.options.map(({ value }) => value);
  if (!known.includes(option))
    throw new InvalidInput([{ path: 'option', message: `expected one of ${known.join(', ')}` }], 'signal');
  if (signal.value === option) return { runId: row.run_id, signal, repeated: true, nudges: [] };
  if (signal.value !== null)
    throw new CasefileError('conflict', `it was answered before, with "${signal.value}"`);
  if (!row.waits)
    throw new CasefileError('conflict', `the run no longer waits for this answer: it is ${row.status}`);
  const [written] = await tx.rows(GIVE, [...place, option, by]);
  const units = await tx.rows<UnitNudgeRow>(WAKE, place.slice(0, 2));
  await tx.rows(TELL, [caseId, row.run_id, row.stage, row.round, row.unit, name, option, by]);
  const nudges = units.map(rowNudge);
  return { runId: row.run_id, signal: signalOf(written!), repeated: false, nudges };
}

function nothingAsked(tx: Queryable, caseId: string, name: string): Promise<CasefileError> {
  return nothingDone(
    tx,
    caseId,
    new CasefileError('not_found', `no run of the case asks for the signal "${name}"`),
  );
}
