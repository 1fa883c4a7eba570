import type { EventRecord, JsonObject } from '@casefile/contracts';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import { countOf } from '../../format/numbers.js';
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
      return `Failed; retried after ${wait(data, 'retryInMs')}. ${why}`;
    case 'stage.postponed':
      return `Postponed for ${wait(data, 'delayMs')}. ${why}`;
    case 'stage.suspended':
      return `Waited for ${data['signal'] === undefined ? calls(data['calls']) : 'an answer to its question'}; the worker was free meanwhile.`;
    case 'signal.given':
      return `${String(data['by'])} answered its question.`;
    case 'run.stopped':
      return `Stopped permanently. ${why}`;
    case 'run.quarantined':
      return `Quarantined. ${why}`;
    case 'run.redriven':
    case 'operator.redrove':
      return 'Redriven by an operator.';
    case 'operator.dropped':
      return 'Dropped by an operator.';
    case 'interaction.diverged':
      return 'A recorded model call did not match the new request, so the model was called again.';
    case 'interaction.refused':
      return `A model was skipped. ${why}`;
    case 'evidence.missed':
      return `Evidence miss: the replayed record has ${missedText(data)}.`;
    case 'resolution.read':
      return 'The sender had reported the alert as resolved when this stage ran.';
    default:
      return `${capitalized(type.replaceAll('.', ' '))}${why === '' ? '.' : `: ${why}`}`;
  }
}

function reasonText({ reasonCode, message }: JsonObject): string {
  const words = typeof reasonCode === 'string' && reasonCode !== '' ? [reasonInWords(reasonCode)] : [];
  return [...words, ...(typeof message === 'string' && message !== '' ? [message] : [])].join(': ');
}

function missedText({ what, tool, step }: JsonObject): string {
  return what === 'tool' ? `no such call of ${String(tool)}` : `no answer to step ${String(step)}`;
}

function wait(data: JsonObject, name: string): string {
  const ms = data[name];
  return typeof ms === 'number' ? durationText(ms) : 'a while';
}

function calls(count: unknown): string {
  return typeof count === 'number' ? countOf(count, 'tool call') : 'some tool calls';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
