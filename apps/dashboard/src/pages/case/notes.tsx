import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { EventRecord, JsonObject } from '@casefile/contracts';
import { countOf } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { Dot, type Tone } from '../../ui/badge.js';
import { Stamp } from '../../ui/stamp.js';

/** What happened on the way through a stage. */
export function Notes({ notes }: { notes: EventRecord[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <li key={note.id}>
          <Dot tone={toneOf(note.type)} />
          <span>{sentenceOf(note)}</span>
          <span className="quiet">
            <Stamp at={note.at} clock />
          </span>
        </li>
      ))}
    </ul>
  );
}

function toneOf(type: string): Tone {
  if (type === 'stage.suspended' || type === 'resolution.read') return 'blue';
  if (type === 'signal.given') return 'violet';
  return type.startsWith('operator.') || type === 'run.redriven' ? 'violet' : 'amber';
}

function sentenceOf({ type, data }: EventRecord): string {
  const why = whyOf(data);
  switch (type) {
    case 'stage.failed':
      return `Failed and was tried again after ${wait(data, 'retryInMs')}. ${why}`;
    case 'stage.postponed':
      return `Put off for ${wait(data, 'delayMs')}. ${why}`;
    case 'stage.suspended':
      return `Waited for ${data['signal'] === undefined ? calls(data['calls']) : 'an answer to what it asked'}; the worker was free meanwhile.`;
    case 'signal.given':
      return `${String(data['by'])} answered what it asked.`;
    case 'run.stopped':
      return `Stopped for good. ${why}`;
    case 'run.quarantined':
      return `Quarantined. ${why}`;
    case 'run.redriven':
    case 'operator.redrove':
      return 'An operator sent it on its way again.';
    case 'operator.dropped':
      return 'An operator gave it up.';
    case 'interaction.diverged':
      return 'A recorded model call did not fit what was to be asked, so it was asked again.';
    case 'interaction.refused':
      return `A model was not asked. ${why}`;
    case 'evidence.missed':
      return `Evidence miss: the record that was read again has ${missed(data)}.`;
    case 'resolution.read':
      return 'The stage read here that the alert is over, as its sender said.';
    default:
      return `${type} ${why}`;
  }
}

function whyOf({ reasonCode, message }: JsonObject): string {
  const words = typeof reasonCode === 'string' && reasonCode !== '' ? [reasonInWords(reasonCode)] : [];
  return [...words, ...(typeof message === 'string' && message !== '' ? [message] : [])].join(': ');
}

function missed({ what, tool, step }: JsonObject): string {
  return what === 'tool' ? `no such call of ${String(tool)}` : `no answer to step ${String(step)}`;
}

function wait(data: JsonObject, name: string): string {
  const ms = data[name];
  return typeof ms === 'number' ? durationText(ms) : 'a while';
}

function calls(count: unknown): string {
  return typeof count === 'number' ? countOf(count, 'tool call') : 'some tool calls';
}
