import {
  asCasefileError,
  done,
  type Alert,
  type Brief,
  type Entities,
  type ImageReading,
  type RunSettings,
  type TextRead,
  ownValue,
  type EvidenceItem,
  type GivenEvidence,
} from '@casefile/contracts';
import { repairLinks, unwrapLines, type RepairedText } from '../entities/links.js';
import { readMail } from '../mail/read-mail.js';
import type { Triage } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';

/** Entities extracted from a text. */
export interface Extraction {
  entities: Entities;
  /** Undone obfuscations and found hidden characters, for the reader. */
  notes: string[];
}

/** The alert whose text is searched for entities, and the settings of its run. */
export interface ExtractionContext {
  alert: Pick<Alert, 'entities' | 'conversation' | 'source' | 'labels'>;
  settings: Pick<RunSettings, 'options'>;
}

type Extract = (text: string, context: ExtractionContext) => Extraction | Promise<Extraction>;

type TextReading = Pick<Brief, 'text' | 'textSource' | 'ocrConfidence' | 'image' | 'mail' | 'notes'>;

/**
 * Triage of playbooks that judge a text: reads the text of the alert and of its image, and extracts the
 * entities.
 */
export function fromText(extract: Extract): Triage {
  return async (alert, ports) => {
    const reading = await withoutSecrets(await readText(alert, ports), alert, ports);
    const { entities, notes } = await extract(reading.text, { alert, settings: ports.run.settings });
    return done(
      alertBrief(alert, { ...reading, entities, suppliedEvidence: [], notes: [...reading.notes, ...notes] }),
    );
  };
}

// Intake scanned the text as sent. Text of images and of encoded mail parts is readable only now.
async function withoutSecrets(
  reading: TextReading,
  { text }: Alert,
  ports: Pick<StagePorts, 'withoutSecrets'>,
): Promise<TextReading> {
  if (reading.text === text && reading.image === undefined) return reading;
  const masked = { ...reading, text: await ports.withoutSecrets(reading.text) };
  if (reading.image === undefined) return masked;
  return { ...masked, image: { ...reading.image, text: await ports.withoutSecrets(reading.image.text) } };
}

async function readText(alert: Alert, ports: StagePorts): Promise<TextReading> {
  const { text, notes, images: attached, mail } = await readMail(alert.text ?? '');
  const facts = mail === null ? {} : { mail };
  const typed: TextReading | null = text.trim() === '' ? null : { text, textSource: 'text', notes, ...facts };
  const images = [
    ...(alert.image === undefined ? [] : [Buffer.from(alert.image.base64, 'base64')]),
    ...attached,
  ];
  if (images.length > 0) return readImages(typed, images, ports);
  if (typed !== null) return typed;
  if (alert.payload !== undefined)
    return { text: JSON.stringify(alert.payload, null, 2), textSource: 'payload', notes: [] };
  return { text: '', textSource: 'none', notes: [] };
}

async function readImages(
  typed: TextReading | null,
  images: readonly Uint8Array[],
  ports: StagePorts,
): Promise<TextReading> {
  const reads: TextRead[] = [];
  const failures: string[] = [];
  for (const image of images) {
    const read = await readImage(image, ports);
    if (typeof read === 'string') failures.push(read);
    else reads.push(read);
  }
  if (reads.length === 0 && typed === null) return { text: '', textSource: 'none', notes: failures };
  const read = joinedReads(reads, failures);
  return typed === null ? ofImage(read) : withImage(typed, read);
}

// An image that cannot be read is a fact about the alert, not a failure of the run. The verdict reports it.
async function readImage(image: Uint8Array, ports: StagePorts): Promise<TextRead | string> {
  try {
    return await ports.reader.read(image, ports.signal);
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (error.reasonCode !== 'unreadable_image') throw error;
    ports.log.warn({ reason: error.reasonCode }, 'an image of the alert cannot be read');
    return `The image could not be read: ${error.message}`;
  }
}

// In a replay, each image gets the joined reading of the original run, so the reading is used for the first
// image only.
function joinedReads(reads: readonly TextRead[], failures: readonly string[]): TextRead {
  const [only, ...others] = new Set(reads);
  if (only !== undefined && others.length === 0 && failures.length === 0) return only;
  const readings = [...new Set(reads)].flatMap(({ reading }) => reading ?? []);
  const texts = readings.map(({ text }) => text).filter((text) => text !== '');
  const text = texts.join('\n\n');
  const confidence = readings.length === 0 ? 0 : Math.min(...readings.map((one) => one.confidence));
  const unread = [...readings.flatMap((one) => one.unread), ...failures];
  return {
    text,
    confidence,
    reading: { text, confidence, unread, notes: readings.flatMap(({ notes }) => notes) },
  };
}

function ofImage({ text, confidence, reading }: TextRead): TextReading {
  const read = { text, textSource: 'ocr' as const, ocrConfidence: confidence, notes: [] };
  if (reading === undefined) return read;
  const repaired = repairedText(text);
  return { ...read, text: repaired.text, image: reading, notes: notesOf(reading, repaired) };
}

// A short text next to an image, such as "Is this real?", asks about the image.
function withImage(typed: TextReading, { text, reading }: TextRead): TextReading {
  if (reading === undefined) return typed;
  const repaired = repairedText(text);
  const both = text === '' ? typed.text : `${typed.text.trimEnd()}\n\n${repaired.text}`;
  return { ...typed, text: both, image: reading, notes: notesOf(reading, repaired) };
}

function repairedText(text: string): RepairedText {
  const { text: whole, notes } = repairLinks(text);
  return { text: unwrapLines(whole), notes };
}

function notesOf({ unread, notes }: ImageReading, repaired: RepairedText): string[] {
  return [...unread, ...notes, ...repaired.notes];
}

/** Content that a triage part has read from an alert. */
export interface BriefReading extends Pick<
  Brief,
  'text' | 'textSource' | 'ocrConfidence' | 'image' | 'mail' | 'input' | 'notes'
> {
  /** Entities in the text. */
  entities: Entities;
  /** Evidence in the payload. It is numbered after the evidence of the alert itself. */
  suppliedEvidence: readonly GivenEvidence[];
}

/** Returns the brief of an alert: the content read by triage and the fields of the alert itself. */
export function alertBrief(
  alert: Alert,
  { entities, suppliedEvidence, notes, ...read }: BriefReading,
): Brief {
  const { conversation, chosenBy, source = '', receivedAt } = alert;
  return {
    ...read,
    ...(conversation === undefined ? {} : { conversation: { id: conversation, source } }),
    ...(chosenBy === undefined ? {} : { chosenBy }),
    entities: joined(alert.entities ?? {}, entities),
    given: [...(alert.evidence ?? []), ...suppliedEvidence].map((item, i) => givenItem(item, i, receivedAt)),
    collect: alert.collect ?? true,
    receivedAt,
    notes,
  };
}

// Values that the sender supplied come first, then those found in the text.
function joined(supplied: Entities, read: Entities): Entities {
  const types = [...new Set([...Object.keys(supplied), ...Object.keys(read)])];
  const valuesOf = (type: string) => [...(ownValue(supplied, type) ?? []), ...(ownValue(read, type) ?? [])];
  return Object.fromEntries(types.map((type) => [type, [...new Set(valuesOf(type))]]));
}

// Marks evidence of the sender, so that it does not look like the result of a look-up by Casefile.
function givenItem(item: GivenEvidence, index: number, receivedAt: string): EvidenceItem {
  const source = item.source === '' ? 'upstream' : `upstream: ${item.source}`.slice(0, 500);
  return { ...item, id: `E${index + 1}`, source, at: item.at ?? receivedAt, given: true };
}
