import {
  asCasefileError,
  done,
  type Alert,
  type Brief,
  type Entities,
  type ImageReading,
  type RunSettings,
  type TextRead,
} from '@casefile/contracts';
import { repairLinks, unwrapLines, type Repaired } from '../entities/repair-links.js';
import { readMail } from '../mail/read-mail.js';
import type { Triage } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';
import { briefOf } from './brief.js';

/** What was read out of a text. */
export interface Extraction {
  entities: Entities;
  /** Obfuscations undone and hidden characters found: a reader should know of them. */
  notes: string[];
}

/** The alert whose text is searched for entities, and the settings of its run. */
export interface ExtractionContext {
  alert: Pick<Alert, 'entities' | 'conversation' | 'source' | 'labels'>;
  settings: Pick<RunSettings, 'options' | 'inputReading'>;
}

type Extract = (text: string, context: ExtractionContext) => Extraction | Promise<Extraction>;

type TextReading = Pick<Brief, 'text' | 'textSource' | 'ocrConfidence' | 'image' | 'notes'>;

/** Triage of kinds that judge a text: reads the text of the alert and of its image, and extracts the entities. */
export function fromText(extract: Extract): Triage {
  return async (alert, ports) => {
    const reading = await readText(alert, ports);
    const { entities, notes } = await extract(reading.text, { alert, settings: ports.run.settings });
    return done(briefOf(alert, { ...reading, entities, given: [], notes: [...reading.notes, ...notes] }));
  };
}

async function readText(alert: Alert, ports: StagePorts): Promise<TextReading> {
  const { text, notes } = await readMail(alert.text ?? '');
  const typed: TextReading | null = text.trim() === '' ? null : { text, textSource: 'text', notes };
  if (alert.image !== undefined) return readImage(typed, alert.image.base64, ports);
  if (typed !== null) return typed;
  if (alert.payload !== undefined)
    return { text: JSON.stringify(alert.payload, null, 2), textSource: 'payload', notes: [] };
  return { text: '', textSource: 'none', notes: [] };
}

// An image that cannot be read is a fact about the alert, not a failure of the run: the verdict reports it.
async function readImage(typed: TextReading | null, base64: string, ports: StagePorts): Promise<TextReading> {
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

function ofImage({ text, confidence, reading }: TextRead): TextReading {
  const read = { text, textSource: 'ocr' as const, ocrConfidence: confidence, notes: [] };
  if (reading === undefined) return read;
  const repaired = repairedText(text);
  return { ...read, text: repaired.text, image: reading, notes: notesOf(reading, repaired) };
}

// People write "Is this real?" next to a screenshot: the image is what they ask about.
function withImage(typed: TextReading, { text, reading }: TextRead): TextReading {
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
