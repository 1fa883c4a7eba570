import type {
  Alert,
  Brief,
  Evidence,
  EvidenceItem,
  FrozenTool,
  Json,
  JsonObject,
  ToolCall,
} from '@casefile/contracts';
import { prepareIncident } from '../alert.js';
import { RUNBOOK_TOOL } from '../runbook.js';
import type { ReasonInput } from '@casefile/pipeline/strategy';

const AT = '2026-03-02T09:00:00.000Z';

/** Returns an alert of a monitoring system, as accepted. */
export function aMonitoredAlert(
  labels: Record<string, string> = {},
  more: JsonObject = {},
): Alert & { payload: JsonObject } {
  const alert = {
    status: 'firing',
    labels: {
      alertname: 'DiskAlmostFull',
      severity: 'critical',
      service: 'orders-db',
      instance: 'db-2',
      ...labels,
    },
    annotations: { summary: 'The disk of db-2 is 97 % full' },
    startsAt: '2026-03-02T08:55:00Z',
    fingerprint: 'f00d',
    ...more,
  };
  return { id: 'a', playbook: 'incident', payload: { alert }, receivedAt: AT };
}

/** Returns the brief that triage makes of an alert. */
export function anIncidentBrief(alert: Alert = aMonitoredAlert()): Brief {
  const { text, input } = prepareIncident(alert);
  return {
    text,
    textSource: 'payload',
    input,
    entities: {},
    given: [],
    collect: true,
    receivedAt: AT,
    notes: [],
  };
}

const textArgs = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

/** Tools of a made-up cluster. */
export const CLUSTER_TOOLS: readonly FrozenTool[] = [
  {
    name: 'cluster__disk_usage',
    description: 'How full the disks of a host are.',
    parameters: textArgs('instance'),
  },
  { name: 'cluster__logs', description: 'Lines of a log.', parameters: textArgs('service', 'query') },
  {
    name: 'cluster__deployments',
    description: 'What was deployed, newest first.',
    parameters: textArgs('service'),
  },
].map((tool) => ({ ...tool, source: 'cluster', hash: 'a'.repeat(64), required: false }));

export const RUNBOOK = [
  '# Disk of a database almost full',
  '1. See how full it is: `cluster__disk_usage`',
  '2. Look for what grows: `cluster__logs {"service": "$labels.service", "query": "wal"}`',
  '3. If old WAL segments pile up, look for a replica that no longer reads them.',
].join('\n');

export function anItem(
  id: string,
  toolName: string,
  result: Json,
  more: Partial<EvidenceItem> = {},
): EvidenceItem {
  return {
    id,
    toolName,
    entityType: '',
    entityValue: '',
    result,
    success: true,
    source: toolName,
    at: AT,
    durationMs: 5,
    ...more,
  };
}

export function aRunbookItem(text = RUNBOOK): EvidenceItem {
  const result = {
    found: true,
    title: 'Disk almost full',
    text,
    source: 'runbooks/disk.md',
    pin: 'sha256:ab',
    why: 'the label service',
    ambiguous: [],
  };
  return anItem('E1', RUNBOOK_TOOL, result);
}

/** Returns the evidence that collect found for an alert. */
export function incidentEvidence(
  items: readonly EvidenceItem[] = [aRunbookItem()],
  more: Partial<Evidence> = {},
): Evidence {
  return { items: [...items], tools: [...CLUSTER_TOOLS], toolsOut: [], ...more };
}

export function anIncidentInput(evidence = incidentEvidence(), brief = anIncidentBrief()): ReasonInput {
  return { brief, evidence, previous: {} };
}

/** A call of the model's that succeeded. */
export function aLookUp(tool: string, result: Json, args: JsonObject = {}): ToolCall {
  return {
    runId: 'run-1',
    unit: '',
    stage: 'reason',
    round: 1,
    id: `call-${tool}`,
    step: 2,
    seq: 0,
    tool,
    args,
    state: 'succeeded',
    attempts: 1,
    result,
    source: 'cluster',
    reasonCode: null,
    message: null,
    durationMs: 3,
    createdAt: AT,
    settledAt: AT,
  };
}
