import {
  asCasefileError,
  done,
  isOfTheWorker,
  ownValue,
  waitForSignal,
  type Alert,
  type Brief,
  type Entities,
  type EvidenceItem,
  type GivenEvidence,
  type ImageReading,
  type TextRead,
} from '@casefile/contracts';
import { repairLinks, unwrapLines, type Repaired } from '../entities/repair-links.js';
import type { Clarification, Prepared } from '../playbook.js';
import type { StagePorts } from '../stage-ports.js';
import { readMail } from '../mail/read-mail.js';
import { defineStage, type FlowPorts } from '../stage.js';

type Reading = Pick<Brief, 'text' | 'textSource' | 'ocrConfidence' | 'image' | 'notes'>;

/** The step at which somebody is asked. */
const CLARIFIED = 1;

/** Makes the alert ready: its text (read from the image when there is none), its entities, what upstream gave. */
export const triage = defineStage({
  name: 'triage',
  app: 'ingest',
  readsAlert: true,
  reads: [],
  appends: 'brief',
  async run({ alert }, ports) {
    const read = await ports.playbook.prepare?.(alert, ports.tools, ports.run.settings);
    const open = read === undefined ? null : await clarificationOf(alert, read, ports);
    const chosen = open === null ? null : ports.signals.chosen(CLARIFIED, open.asked);
    if (open !== null && chosen === null) return waitForSignal(CLARIFIED, open.asked, open.waitMs);
    const prepared = open === null || chosen === null ? read : open.settled(chosen);
    const reading = prepared === undefined ? await readText(alert, ports) : readingOf(prepared);
    const extraction = ports.playbook.extract(reading.text);
    const brief: Brief = {
      ...reading,
      ...(prepared === undefined ? {} : { input: prepared.input }),
      ...(await ports.playbook.route?.(reading.text, ports.run.settings.options)),
      ...(alert.conversation === undefined
        ? {}
        : { conversation: { id: alert.conversation, source: alert.source ?? '' } }),
      entities: joined(alert.entities ?? {}, extraction.entities),
      given: [...(alert.evidence ?? []), ...(prepared?.given ?? [])].map((item, i) =>
        givenItem(item, i, alert.receivedAt),
      ),
      collect: alert.collect ?? true,
      receivedAt: alert.receivedAt,
      notes: [...reading.notes, ...extraction.notes],
    };
    return done(brief, prepared?.units);
  },
});

// A question about the question is a courtesy: a failure of it holds no run.
async function clarificationOf(
  alert: Alert,
  prepared: Prepared,
  ports: FlowPorts,
): Promise<Clarification | null> {
  if (ports.playbook.clarify === undefined) return null;
  try {
    return await ports.playbook.clarify(alert, prepared, ports);
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (ports.signal.aborted || isOfTheWorker(error)) throw thrown;
    ports.log.warn({ reason: error.reasonCode }, 'nobody is asked what the alert means');
    return null;
  }
}

const readingOf = ({ text }: Prepared): Reading => ({ text, textSource: 'payload', notes: [] });

async function readText(alert: Alert, ports: StagePorts): Promise<Reading> {
  const { text, notes } = await readMail(alert.text ?? '');
  const typed: Reading | null = text.trim() === '' ? null : { text, textSource: 'text', notes };
  if (alert.image !== undefined) return readImage(typed, alert.image.base64, ports);
  if (typed !== null) return typed;
  if (alert.payload !== undefined)
    return { text: JSON.stringify(alert.payload, null, 2), textSource: 'payload', notes: [] };
  return { text: '', textSource: 'none', notes: [] };
}

// What upstream knows comes first; what the text says besides is kept too.
function joined(given: Entities, read: Entities): Entities {
  const types = [...new Set([...Object.keys(given), ...Object.keys(read)])];
  const valuesOf = (type: string) => [...(ownValue(given, type) ?? []), ...(ownValue(read, type) ?? [])];
  return Object.fromEntries(types.map((type) => [type, [...new Set(valuesOf(type))]]));
}

// An image that cannot be read is a fact about the alert, not a failure of the run: the verdict reports it.
async function readImage(typed: Reading | null, base64: string, ports: StagePorts): Promise<Reading> {
  try {
    const read = await ports.reader.read(Buffer.from(base64, 'base64'), ports.signal);
    return typed === null ? ofImage(read) : withImage(typed, read);
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (error.reasonCode !== 'unreadable_image') throw error;
    ports.log.warn({ reason: error.reasonCode }, 'the image of the alert cannot be read');
    const note = `The image could not be read: ${error.message}`;
    if (typed === null) return { text: '', textSource: 'none', notes: [note] };
    const reading = { text: '', confidence: 0, unread: [note], notes: [] };
    return withImage(typed, { text: '', confidence: 0, reading });
  }
}

function ofImage({ text, confidence, reading }: TextRead): Reading {
  const read = { text, textSource: 'ocr' as const, ocrConfidence: confidence, notes: [] };
  if (reading === undefined) return read;
  const repaired = repairedText(text);
  return { ...read, text: repaired.text, image: reading, notes: notesOf(reading, repaired) };
}

// People write "Is this real?" next to a screenshot: the image is what they ask about.
function withImage(typed: Reading, { text, reading }: TextRead): Reading {
  if (reading === undefined) return typed;
  const repaired = repairedText(text);
  const both = text === '' ? typed.text : `${typed.text.trimEnd()}\n\n${repaired.text}`;
  return { ...typed, text: both, image: reading, notes: notesOf(reading, repaired) };
}

function repairedText(text: string): Repaired {
  const { text: whole, notes } = repairLinks(text);
  return { text: unwrapLines(whole), notes };
}

function notesOf({ unread, notes }: ImageReading, repaired: Repaired): string[] {
  return [...unread, ...notes, ...repaired.notes];
}

// What the sender says it found must not pass for a look-up of ours.
function givenItem(item: GivenEvidence, index: number, receivedAt: string): EvidenceItem {
  const source = item.source === '' ? 'upstream' : `upstream: ${item.source}`.slice(0, 500);
  return { ...item, id: `E${index + 1}`, source, at: item.at ?? receivedAt, given: true };
}
