import {
  InvalidInput,
  type AcceptRequest,
  type Json,
  type Lane,
  type SubmitQuery,
} from '@casefile/contracts';

/** How an alert is taken in. */
export interface AcceptOptions {
  idempotencyKey?: string;
  /** What the key stands for; left out: the body. */
  keyedPart?: Json;
  /** The webhook format whose signature the alert came with: its alerts join no case of unsigned ones, and close none. */
  provenBy?: string;
  lane?: Lane;
  /** Judge it again, whatever the last verdict of its case is; `key`: the case that the idempotency key opened. */
  again?: AcceptRequest['again'];
  /** The labelled set it is judged for, to measure: it opens a case of its own, in the lane `batch`, that lists leave out. */
  dataset?: string;
  /** Only with `dataset`: in place of the strategy of its kind. */
  strategy?: string;
}

/**
 * What the query and the header `Idempotency-Key` of a submission ask for.
 * @throws InvalidInput naming the header where it is empty, too long, or missing with `again=key`.
 */
export function acceptOptionsOf(
  { again, lane = 'live', dataset, strategy }: SubmitQuery,
  key: string | undefined,
): AcceptOptions {
  const wrong = (message: string) => new InvalidInput([{ path: 'Idempotency-Key', message }], 'header');
  if (key !== undefined && (key === '' || key.length > 255)) throw wrong('expected 1 to 255 characters');
  if (key === undefined && again === 'key')
    throw wrong('expected the key of the case to judge, for again=key');
  const asked = { again: again === 'key' ? again : again === 'true', ...laneOf(lane, dataset, strategy) };
  return key === undefined ? asked : { ...asked, idempotencyKey: key };
}

function laneOf(
  lane: Lane,
  dataset: string | undefined,
  strategy: string | undefined,
): Pick<AcceptOptions, 'lane' | 'dataset' | 'strategy'> {
  if (dataset !== undefined)
    return { lane: 'batch', dataset, ...(strategy === undefined ? {} : { strategy }) };
  if (strategy === undefined) return { lane };
  throw new InvalidInput([{ path: 'strategy', message: 'is only for alerts of a dataset' }], 'query');
}
