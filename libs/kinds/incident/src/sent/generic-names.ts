import { words } from './words.js';
import type { SentField } from './sender-shape.js';

/** Common names of fields, without case and signs, the more specific ones first. */
export const GENERIC: Record<SentField, readonly string[]> = {
  name: words(
    'alertname alerttitle rulename alertrule monitorname checkname policyname conditionname ' +
      'eventname eventtitle problemtitle incidenttitle incidentname triggername sensorname sensor title name ' +
      'shortdescription subject headline summary message msg text description reason check monitor ' +
      'rule problem monitorfriendlyname friendlyname displayname alarmname',
  ),
  summary: words(
    'summary message msg description longdescription body text details detail reason output ' +
      'content error errormessage alertmessage stateexplanation ' +
      'alertdetails errordetails incidentdetails problemdetails',
  ),
  severity: words(
    'severity alertseverity eventseverity problemseverity priority alertpriority criticality ' +
      'urgency level loglevel importance importancelevel sev prio alertlevel alerttype',
  ),
  status: words(
    'status state alertstatus alertstate currentstate newstate monitorstate problemstate ' +
      'eventaction alerttransition notificationtype eventtype action condition ' +
      'alerttypefriendlyname alerttype actiongroup conclusion result outcome',
  ),
  startsAt: words(
    'startsat startedat starttime triggeredat firedat openedat occurredat createdat created ' +
      'timestamp datetime eventtime time date',
  ),
  links: words(
    'url link htmlurl weburl permalink href alerturl incidenturl issueurl problemurl ' +
      'dashboardurl monitorurl detailsurl',
  ),
  // `identity.ts` finds ids.
  key: [],
};

/** Objects that hold the rule or check of an alert. Their names stand above those of other objects next to them. */
export const RULE_OBJECTS = words(
  'rule alertrule monitor check policy condition trigger alarm detector watch problem incident finding',
);

/**
 * Returns whether a plain field name ends with a name or title of a rule or check, with other words before it:
 * `saved_search_name`, `event_definition_title`.
 */
export function isNameOfRule(plain: string): boolean {
  return NAMES_RULE.test(plain);
}
const NAMES_RULE =
  /(?:search|query|alert|alarm|rule|monitor|check|policy|condition|event|problem|incident|issue|trigger|detector|detection|definition|finding|watch|sensor|probe|test|scenario|job|pipeline|workflow|notification)(?:name|title)$/;

/** Fields that give the start of the problem. Other times may be those of the message. */
export const START_NAMES = words(
  'startsat startedat starttime triggeredat firedat openedat activatedat createdat created',
);

/** Labels that other senders give as fields, by the label's name. */
export const GENERIC_LABELS: Readonly<Record<string, readonly string[]>> = {
  host: ['host', 'hostname', 'node', 'nodename', 'server'],
  instance: ['instance', 'instancename', 'device'],
  service: ['service', 'servicename', 'app', 'application', 'component'],
  environment: ['environment', 'env', 'stage'],
  cluster: ['cluster', 'clustername'],
  namespace: ['namespace'],
  region: ['region'],
};
