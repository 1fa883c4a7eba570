import { cell, code, table } from './markdown.js';
import { sourceFiles } from './sources.js';

/** Meaning of every type of event in the event log. */
const EVENTS: Readonly<Record<string, string>> = {
  'alert.accepted': 'An alert was accepted. It opened a case or joined one.',
  'alert.resolved': 'A sender reported that its alert is over.',
  'batch.applied': 'A person applied the verdicts of a batch.',
  'batch.applying': 'A person applies the verdicts of a batch.',
  'batch.created': 'A batch was created: cases that are judged again together.',
  'batch.discarded': 'A person discarded the verdicts of a batch.',
  'batch.done': 'Every case of a batch is judged.',
  'batch.paused': 'A batch is paused, by a person or because its budget is used up.',
  'batch.running': 'A paused batch continues.',
  'budget.exhausted': 'A budget had no room for a call.',
  'budget.soft': 'A budget reached the share from which it counts as nearly used.',
  'case.created': 'A case was opened.',
  'case.erased': 'The content of a case was erased.',
  'case.escalated': 'An alert reported that a case became worse.',
  'case.flapping': 'The alert of a case ends and begins again more often than it is judged.',
  'destination.added': 'A person added a destination.',
  'destination.changed': 'A person changed a destination.',
  'destination.removed': 'A person removed a destination.',
  'erasure.requested': 'A person requested an erasure.',
  'evolution.done': 'The search for a better prompt ended.',
  'evolution.paused': 'A person paused the search for a better prompt.',
  'evolution.resumed': 'A person continued the search for a better prompt.',
  'evolution.started': 'The search for a better prompt began.',
  'evolution.stopped': 'A person stopped the search for a better prompt.',
  'experiment.case_missed': 'The second run of an experiment could not be opened for a case.',
  'experiment.created': 'A person created an experiment.',
  'experiment.promoted': 'A person made the new arm of an experiment the normal way to judge.',
  'experiment.reset': 'A person reset the health of an arm.',
  'experiment.share_changed': 'A person changed the share of cases that the new arm judges.',
  'experiment.started': 'A person started an experiment.',
  'experiment.stopped': 'A person stopped an experiment.',
  'feedback.given': 'A person or a system reported the correct result of a case.',
  'feedback.withdrawn': 'A report of a correct result was withdrawn.',
  'flag.changed': 'A person switched a flag.',
  'flag.stepped_back': 'Casefile switched an arm off, because its verdicts became worse.',
  'interaction.completed': 'A model call has an answer on the record.',
  'interaction.diverged': 'A step that ran again would have sent another request than the recorded one.',
  'interaction.refused': 'A model call was not made, for example because a budget has no room.',
  'interaction.started': 'A model call is about to be made.',
  'key.created': 'An access key was created.',
  'key.revoked': 'An access key was revoked.',
  'key.rotated': 'An access key was replaced.',
  'operator.acknowledged-page': 'A person acknowledged a page by its link.',
  'operator.approved-tool': 'A person approved the definition of a tool of an MCP server.',
  'operator.closed-engagement': 'A person closed an engagement session.',
  'operator.decided-pattern': 'A person accepted or refused a scam pattern that was learned from answers.',
  'operator.dropped': 'A person dropped a dead letter.',
  'operator.paused-destination': 'A person paused a destination.',
  'operator.queue-board': 'A person changed a job on the queue board.',
  'operator.raised-budget': 'A person raised a budget.',
  'operator.redrove': 'A person redrove a dead letter.',
  'operator.resent-deliveries': 'A person sent the messages of a destination again.',
  'operator.resent-delivery': 'A person sent a message to a destination again.',
  'operator.resumed-destination': 'A person resumed a destination.',
  'operator.tried-provider': 'A person let the next call test a provider whose circuit is open.',
  'prompt.state_changed': 'A prompt version became live, a candidate or retired.',
  'prompt.version_added': 'A prompt version was added.',
  'provider.circuit': 'The circuit of a provider opened or closed.',
  'provider.fallback': 'Another provider of the list is used.',
  'recalibration.added': 'A recalibration of confidence was added.',
  'record.read': 'A person read a case.',
  'review.acknowledged': 'A reviewer read the verdict and gave no answer.',
  'review.agreed': 'A reviewer agreed with the verdict.',
  'review.assigned': 'A review was assigned to a person.',
  'review.commented': 'A reviewer wrote a comment.',
  'review.corrected': 'A reviewer corrected the verdict.',
  'review.skipped': 'A reviewer skipped the verdict.',
  'review.snoozed': 'A reviewer postponed the verdict.',
  'review.undone': 'A reviewer took an answer back.',
  'run.created': 'A run was opened.',
  'run.parked': 'A run waits for a person or for a budget.',
  'run.quarantined': 'A run was set aside after repeated crashes.',
  'run.redriven': 'A run continues after a person redrove it or raised a budget.',
  'run.stopped': 'A run ended without a verdict, with a reason code.',
  'session.ended': 'A person signed out.',
  'session.opened': 'A person signed in.',
  'session.revoked': 'The sessions of a person were ended by an administrator.',
  'signal.given': 'A person answered the question of a run.',
  'silence.created': 'A person created a silence.',
  'silence.ended': 'A silence was ended early or cancelled.',
  'stage.completed': 'A stage ended with its artifact.',
  'stage.failed': 'A stage failed, with a reason code. It is tried again, or the run ends.',
  'stage.postponed': 'A stage is tried again later, for example after an outage.',
  'stage.suspended': 'A stage waits for look-ups or for an answer of a person.',
  'verdict.applied': 'A verdict of a batch or a person replaced the one in force.',
  'verdict.decided': 'A run has its verdict.',
};

/** Messages to destinations. They are no entries of the event log. */
const MESSAGES =
  /^(?:audit\.head|case\.(?:acknowledged|resolved)|condition\.\w+|delivery\.\w+|destination\.(?:test|url)|review\.(?:answered|needed|overdue))$/;

/** Returns the page on the event log. */
export function eventPage(): string {
  return [
    '# Events',
    'Generated by `npm run reference`. An event is written in the transaction of the change that it reports. `GET /api/v1/events` streams the events, and `GET /api/v1/cases/{caseId}` has those of a case in `trace`. Most events of people are also in the [audit log](../operate/audit.md). Messages to destinations have [types of their own](../integrate/destinations.md#conditions-and-reviews).',
    table(
      ['event', 'meaning'],
      Object.entries(EVENTS).map(([type, meaning]) => [code(type), cell(meaning)]),
    ),
  ].join('\n\n');
}

/** Types whose names the sources compose, such as `batch.` and the new state. */
const COMPOSED = /^(?:batch|evolution|operator|run)\./;

/** Returns the types of events in the sources that have no meaning here, and those here that no source has. */
export function unknownEvents(): { undocumented: string[]; unused: string[] } {
  const groups = [...new Set(Object.keys(EVENTS).map((type) => type.split('.')[0]))].join('|');
  const literal = new RegExp(`'((?:${groups})\\.[a-z]+(?:[_-][a-z]+)*)'`, 'g');
  const inSources = new Set(
    sourceFiles()
      .filter(({ of }) => /^(?:libs\/(?:contracts|engine|runtime|store|knowledge)|apps\/console)$/.test(of))
      .flatMap(({ text }) => [...text.matchAll(literal)].map(([, type = '']) => type)),
  );
  return {
    undocumented: [...inSources].filter((type) => EVENTS[type] === undefined && !MESSAGES.test(type)),
    unused: Object.keys(EVENTS).filter((type) => !inSources.has(type) && !COMPOSED.test(type)),
  };
}
