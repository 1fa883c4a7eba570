import { counted, t } from '../../strings/text.js';
import type { EventRecord, JsonObject } from '@casefile/contracts';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import { durationText } from '../../format/time.js';
import type { Tone } from '../../ui/badge.js';

const TROUBLE = new Set([
  'stage.failed',
  'stage.postponed',
  'run.stopped',
  'run.quarantined',
  'interaction.diverged',
  'interaction.refused',
  'evidence.missed',
]);

/** Colour of an event: what people did, waits, failures. */
export function eventTone(type: string): Tone {
  if (type === 'stage.suspended' || type === 'resolution.read') return 'blue';
  if (type === 'signal.given') return 'violet';
  if (type.startsWith('operator.') || type === 'run.redriven') return 'violet';
  return TROUBLE.has(type) ? 'amber' : 'neutral';
}

/** Describes an event of a run in one sentence. */
export function eventSentence({ type, data }: EventRecord): string {
  const why = reasonText(data);
  switch (type) {
    case 'stage.failed':
      return t('case.failedRetriedAfter', { data: wait(data, 'retryInMs'), why });
    case 'stage.postponed':
      return t('case.postponedFor', { data: wait(data, 'delayMs'), why });
    case 'stage.suspended':
      return t('case.waitedForTheWorkerWas', {
        data: data['signal'] === undefined ? calls(data['calls']) : t('case.anAnswerToItsQuestion'),
      });
    case 'signal.given':
      return t('case.answeredItsQuestion', { data: String(data['by']) });
    case 'run.stopped':
      return t('case.stoppedPermanently', { why });
    case 'run.quarantined':
      return t('case.quarantined', { why });
    case 'run.redriven':
    case 'operator.redrove':
      return t('case.redrivenByAnOperator');
    case 'operator.dropped':
      return t('case.droppedByAnOperator');
    case 'interaction.diverged':
      return t('case.aRecordedModelCallDid');
    case 'interaction.refused':
      return t('case.aModelWasSkipped', { why });
    case 'evidence.missed':
      return t('case.evidenceMissTheReplayedRecord', { data: missedText(data) });
    case 'resolution.read':
      return t('case.theSenderHadReportedThe');
    default:
      return `${capitalized(type.replaceAll('.', ' '))}${why === '' ? '.' : `: ${why}`}`;
  }
}

function reasonText({ reasonCode, message }: JsonObject): string {
  const words = typeof reasonCode === 'string' && reasonCode !== '' ? [reasonInWords(reasonCode)] : [];
  return [...words, ...(typeof message === 'string' && message !== '' ? [message] : [])].join(': ');
}

function missedText({ what, tool, step }: JsonObject): string {
  return what === 'tool'
    ? t('case.noSuchCallOf', { tool: String(tool) })
    : t('case.noAnswerToStep', { step: String(step) });
}

function wait(data: JsonObject, name: string): string {
  const ms = data[name];
  return typeof ms === 'number' ? durationText(ms) : t('case.aWhile');
}

function calls(count: unknown): string {
  return typeof count === 'number' ? counted('count.toolCall', count) : t('case.someToolCalls');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
