import type {
  DeliveryAttempt,
  DeliveryKind,
  DestinationEntry,
  DestinationState,
  EscalationReason,
  OutboundDelivery,
  OutboundDeliveryQuery,
} from '../ops-api-destinations.js';
import type { Condition } from '../ops-api-conditions.js';
import type { Act } from '../act.js';

/** A delivery to write. A cause (`key`) makes one per destination. */
export interface NewOutboundDelivery {
  id: string;
  destination: string;
  kind: DeliveryKind;
  key: string;
  caseId: string | null;
  runId: string | null;
  /**
   * Time until which a resolved alert makes another delivery, in milliseconds since the epoch; null: never.
   */
  openUntil: number | null;
  /** Subject other than a case, whose deliveries are sent in order. Default: there is none. */
  subject?: string;
  /** Event that is not on the record of a case. */
  event?: DeliveryEvent;
  /** The silence because of which it is recorded and not sent. Default: none. */
  silenceId?: string;
  /** Time until which the caller sends it, in milliseconds since the epoch. Default: any process may send it now. */
  takenUntil?: number;
}

/** Content of a delivery in addition to the record of its case. */
export interface DeliveryEvent {
  /** The `deliveryId` of the verdict on the queue. Default: the delivery's `key`. */
  verdictId?: string;
  /** Destination that got the message first. Default: it is not escalated. */
  escalatedFrom?: string;
  /** Default: the destination did not accept it in time. */
  escalatedWhy?: EscalationReason;
  /** The condition that opened or closed. */
  condition?: NoticedCondition;
  /** Since when the verdict waits for a reviewer, and within how many hours an answer is due. */
  review?: { since: string; withinHours: number | null };
  /** Head of the audit log, `COUNT:HASH`. */
  auditHead?: string;
}

/** A condition in a message, as it was when it opened. */
export interface NoticedCondition extends Condition {
  /** When Casefile noticed that it opened. */
  openedAt: string;
  /** When Casefile noticed that it closed; null: it is open. */
  closedAt: string | null;
}

/** The last message about a condition to a destination. */
export interface ConditionNotice {
  destination: string;
  conditionId: string;
  isOpen: boolean;
  condition: NoticedCondition;
  /** Time of the last opening message. */
  openedAt: string;
  /** Time of the last closing message; null: there was none yet. */
  closedAt: string | null;
  /** Number of messages so far. */
  version: number;
}

/** A message about a condition to write: the state after it, and its delivery. */
export interface NewConditionNotice extends Omit<ConditionNotice, 'version'> {
  /** Version of the state that it replaces; 0: there is none. */
  replaces: number;
  delivery: NewOutboundDelivery;
}

/** Where messages go that a destination did not accept in time, or no person acknowledged in time. */
export interface Escalation {
  from: string;
  to: string;
  afterMs: number;
  /** Time until which a resolved alert makes another delivery to `to`, in milliseconds since the epoch; null: never. */
  openUntil: number | null;
  /** Subjects of conditions that no longer hold. Their openings are not escalated. */
  closedSubjects: readonly string[];
  /** Ids of pages of `unacknowledged` to escalate. One that was acknowledged meanwhile is left out. */
  unacknowledged: readonly string[];
}

/** A page that a destination accepted and no person acknowledged in time. */
export interface UnacknowledgedPage {
  id: string;
  runId: string;
}

/** A delivery that this process sends now. */
export interface TakenDelivery {
  id: string;
  kind: DeliveryKind;
  /** Cause of the delivery: for a verdict, its `deliveryId` on the queue. */
  key: string;
  caseId: string | null;
  runId: string | null;
  attempts: number;
  message: string | null;
  createdAt: string;
  event: DeliveryEvent | null;
}

/** Result of an attempt. */
export interface AttemptEnd {
  deliveryId: string;
  destination: string;
  /** Its `problem` is null if the attempt succeeded. */
  attempt: DeliveryAttempt;
  message: string | null;
  /** Time of the next attempt in milliseconds since the epoch; null: there is none. */
  nextAt: number | null;
  /** The receiver is gone, so the destination is paused; null: it is not. */
  pauseWhy: string | null;
  /**
   * Whether a failure counts against the destination: it refused a request or was not reached, or its definition is
   * wrong. false: the message could not be composed.
   */
  countsAsFailure: boolean;
}

/** Limits from which a destination is paused: all deliveries failed for `forMs`, at least `deliveries` of them. */
export interface PauseLimits {
  forMs: number;
  deliveries: number;
}

/** A destination that was added on the page. */
export interface AddedDestination {
  name: string;
  entry: DestinationEntry;
  changedBy: string;
  changedAt: string;
}

/**
 * Messages to destinations. Times are from the clock of the sending process, so that one clock decides what
 * is due.
 */
export interface Destinations {
  /** Writes deliveries that do not exist yet. */
  add(deliveries: readonly NewOutboundDelivery[], now: number): Promise<void>;
  /** Does the same unless a silence is in force. @returns false: one is, and nothing was written. */
  addUnlessSilent(deliveries: readonly NewOutboundDelivery[], now: number): Promise<boolean>;
  /**
   * Takes due deliveries of a destination until `until`, in order. Only the oldest pending delivery of a case or subject
   * is due. If the destination is paused, only tests are due.
   */
  take(destination: string, now: number, until: number, limit: number): Promise<TakenDelivery[]>;
  /** Records an attempt. @returns why the attempt paused the destination; null: it did not. */
  settle(end: AttemptEnd, now: number, limits: PauseLimits): Promise<string | null>;
  /**
   * Writes a delivery for each case of these destinations whose alert was resolved.
   * @returns the number of deliveries.
   */
  addResolved(destinations: readonly string[], now: number): Promise<number>;
  /**
   * Writes a delivery for each case of these destinations whose alert recurred more often than it is judged: one in
   * 24 hours. Those in `resolving` get the end of the alert, if it is reported until `openUntil`.
   * Those of runs in `silenced` are withheld.
   * @returns the number of deliveries.
   */
  addFlapping(
    to: {
      destinations: readonly string[];
      resolving: readonly string[];
      openUntil: number;
      silenced: readonly { runId: string; silenceId: string }[];
    },
    now: number,
  ): Promise<number>;
  /** Returns the runs whose verdicts `addFlapping` would report. */
  flappingRuns(destinations: readonly string[], now: number): Promise<string[]>;
  /**
   * Acknowledges the pages of a case that were sent so far. For each of these pagers that got one, writes a delivery
   * that acknowledges the newest one. Repeating it changes nothing.
   * @returns the pagers that got a page of this case; null: no destination got one.
   */
  acknowledge(caseId: string, pagers: readonly string[], by: string, now: number): Promise<string[] | null>;
  /**
   * Returns the pages that `from` accepted at least `withinMs` ago and no person acknowledged. Left out are pages that
   * were escalated to `to`, that a newer page of the case followed, and that no longer need anybody: their alert ended,
   * a person answered, or the verdict in force dismisses the alert.
   */
  unacknowledged(
    page: { from: string; to: string; withinMs: number },
    now: number,
  ): Promise<UnacknowledgedPage[]>;
  /**
   * Writes a delivery to another destination for each message that a destination did not accept in time, for each page
   * that no person acknowledged, and for what follows such a message: the closing of its condition, and later verdicts of
   * its case. An escalated message is not escalated again.
   * @returns the number of deliveries.
   */
  escalate(escalation: Escalation, now: number): Promise<number>;
  /**
   * Ends the messages about reviews that no longer wait: writes one to each of these destinations that may have got such
   * a message as the last one about the case, and cancels those that were not sent yet.
   * @returns the number of new deliveries.
   */
  endReviews(destinations: readonly string[], now: number): Promise<number>;
  /**
   * Cancels what waits for destinations other than these, and forgets their messages about conditions.
   * @returns the number of cancelled deliveries.
   */
  endRemoved(names: readonly string[], now: number): Promise<number>;
  /** Returns the last message about each condition to each destination. */
  notices(): Promise<ConditionNotice[]>;
  /**
   * Writes messages about conditions with their deliveries, in one transaction. A message whose replaced version is
   * no longer the newest is left out, because another process wrote it.
   * @returns the number of written messages.
   */
  addNotices(notices: readonly NewConditionNotice[], now: number): Promise<number>;
  /** Returns the time until which events of a kind were reported, in milliseconds since the epoch; null: never. */
  reportedUntil(kind: string): Promise<number | null>;
  setReportedUntil(kind: string, at: number): Promise<void>;
  /** Returns the thread that a destination keeps for a case; null: none yet. */
  thread(destination: string, caseId: string): Promise<string | null>;
  keepThread(destination: string, caseId: string, thread: string): Promise<void>;
  /** Returns the labels of the alert of a run. */
  labels(runId: string): Promise<Record<string, string>>;
  /** Returns the destinations that were added on the page, by name. */
  added(): Promise<AddedDestination[]>;
  /**
   * Adds or changes a destination that is not in the configuration.
   * @returns null: the destination to change does not exist.
   * @throws CasefileError `conflict` if the name is used already, or if the act's id belongs to another act.
   */
  put(
    what: 'add' | 'change',
    destination: { name: string; entry: DestinationEntry },
    act: Act,
  ): Promise<AddedDestination | null>;
  /**
   * Removes a destination of the page with its pause. What waits for it is cancelled.
   * @returns false: there is none, and this act did not remove it.
   */
  remove(name: string, act: Act): Promise<boolean>;
  states(names: readonly string[]): Promise<DestinationState[]>;
  list(query: OutboundDeliveryQuery): Promise<{ deliveries: OutboundDelivery[]; nextCursor: string | null }>;
  pause(name: string, by: string, reason: string, now: number): Promise<void>;
  /** Ends the pause. Waiting deliveries become due immediately. A failure lasts until a delivery succeeds. */
  resume(name: string, by: string, reason: string, now: number): Promise<void>;
  /**
   * Sends a delivery now, with its id: one that waits for its next attempt, or again one that has ended. Messages about
   * a condition that follow it are sent again too, so that the receiver ends with the newest state.
   * @returns whether there is such a delivery that was not cancelled.
   */
  resend(id: string, by: string, now: number): Promise<boolean>;
  /** Sends deliveries in these states that were created since a time. @returns the number of deliveries. */
  resendSince(
    destination: string,
    since: string,
    states: readonly OutboundDelivery['state'][],
    by: string,
    now: number,
  ): Promise<number>;
}
