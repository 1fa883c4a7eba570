import {
  InvalidInput,
  type AcceptRequest,
  type ChosenBy,
  type Json,
  type Lane,
  type SubmitQuery,
} from '@casefile/contracts';
import type { AlertSender } from '../access/alert-sender.js';

/** Options for accepting an alert. */
export interface AcceptOptions {
  /** Key of the sender. Only a keyed digest is stored, because senders use addresses and ids of messages. */
  idempotencyKey?: string;
  /** Key that Casefile made from its own ids, in place of one of the sender. It is stored as it is. */
  ownKey?: string;
  /** Part of the alert that the key identifies. Default: the body. */
  keyedPart?: Json;
  /**
   * Webhook format whose signature was verified. Signed alerts never join or close a case of unsigned ones.
   */
  provenBy?: string;
  /** Proven sender with its limits. Default: the sender proved nothing. */
  sender?: AlertSender;
  /** Queue on which the alert arrived. Default: none. */
  queue?: string;
  /** Reason for the alert's kind, if the URL it was posted to determined the kind. */
  chosenBy?: ChosenBy;
  lane?: Lane;
  /**
   * Judges the case again, regardless of its last verdict. `key`: the case that the idempotency key opened.
   */
  again?: AcceptRequest['again'];
  /**
   * Labelled data set of a measurement. The alert opens its own case, in the lane `batch`, which lists
   * exclude.
   */
  dataset?: string;
  /** Strategy that replaces the one of its kind. Only with `dataset`. */
  strategy?: string;
}

/**
 * Returns the options in the query and the header `Idempotency-Key` of a submission.
 * @throws InvalidInput that names the header if it is empty, too long, or missing with `again=key`.
 */
export function queryAcceptOptions(
  { again, lane = 'live', dataset, strategy }: SubmitQuery,
  key: string | undefined,
): AcceptOptions {
  const wrong = (message: string) => new InvalidInput([{ path: 'Idempotency-Key', message }], 'header');
  if (key !== undefined && (key === '' || key.length > 255)) throw wrong('expected 1 to 255 characters');
  if (key === undefined && again === 'key')
    throw wrong('expected the key of the case to judge, for again=key');
  const options = {
    again: again === 'key' ? again : again === 'true',
    ...laneOptions(lane, dataset, strategy),
  };
  return key === undefined ? options : { ...options, idempotencyKey: key };
}

function laneOptions(
  lane: Lane,
  dataset: string | undefined,
  strategy: string | undefined,
): Pick<AcceptOptions, 'lane' | 'dataset' | 'strategy'> {
  if (dataset !== undefined)
    return { lane: 'batch', dataset, ...(strategy === undefined ? {} : { strategy }) };
  if (strategy === undefined) return { lane };
  throw new InvalidInput([{ path: 'strategy', message: 'is only for alerts of a dataset' }], 'query');
}

/** Returns the lane of an alert with these options. */
export function optionsLane({ lane, dataset }: Pick<AcceptOptions, 'lane' | 'dataset'>): Lane {
  return lane ?? (dataset === undefined ? 'live' : 'batch');
}
