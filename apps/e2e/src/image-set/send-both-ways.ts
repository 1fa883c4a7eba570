import { readdirSync, readFileSync } from 'node:fs';
import { briefSchema, z, type CaseDocument, type Entities } from '@casefile/contracts';
import type { Browser } from 'playwright-core';
import type { World } from '../testing/world.js';
import { renderMessage, type Look } from './render-message.js';

const here = (name: string) => new URL(name, import.meta.url.replace('/dist/', '/src/'));
/** Messages written for this set, with reserved names and numbers. */
export const MESSAGES = z
  .object({ scams: z.array(z.string()).length(20), harmless: z.array(z.string()).length(20) })
  .parse(JSON.parse(readFileSync(here('messages.json'), 'utf8')));

/** Images of scams that OCR reads poorly or in part. The name states the cause. */
export const HARD = readdirSync(here('hard/')).sort();

type Sender = Pick<World, 'accept' | 'ended'>;
export type Kind = 'scam-verdict' | 'message-screening';

/** One message as a text and as a screenshot. */
export interface BothWays {
  text: Outcome;
  image: Outcome;
}

export interface Outcome {
  disposition: string | undefined;
  degradedBy: readonly string[];
  reasons: readonly string[];
  entities: Entities;
  notes: readonly string[];
}

/** Sends a message as a text and as a screenshot, and returns both outcomes. */
export async function sendBothWays(
  world: Sender,
  browser: Browser,
  message: string,
  { kind, look }: { kind: Kind; look: Look },
): Promise<BothWays> {
  const image = await renderMessage(browser, message, look);
  const [text, screenshot] = await Promise.all([
    outcomeOf(world, { playbook: kind, text: message }),
    outcomeOf(world, { playbook: kind, image: pngOf(image) }),
  ]);
  return { text, image: screenshot };
}

/** Sends one of the images that OCR reads poorly. */
export async function sendHard(world: Sender, name: string, kind: Kind): Promise<Outcome> {
  return outcomeOf(world, { playbook: kind, image: pngOf(readFileSync(here(`hard/${name}`))) });
}

const pngOf = (bytes: Buffer) => ({ mediaType: 'image/png', base64: bytes.toString('base64') });

async function outcomeOf(world: Sender, alert: object): Promise<Outcome> {
  const { caseId } = await world.accept(alert);
  return readOutcome(await world.ended(caseId));
}

function readOutcome({ runs }: CaseDocument): Outcome {
  const [run] = runs;
  const brief = briefSchema.parse(run?.artifacts.find(({ artifact }) => artifact === 'brief')?.body);
  return {
    disposition: run?.verdict?.disposition,
    degradedBy: run?.verdict?.degradedBy ?? [],
    reasons: run?.verdict?.reasons ?? [],
    entities: brief.entities,
    notes: brief.notes,
  };
}

/** Returns whether text and screenshot yielded the same entities. */
export function hasSameEntities({ text, image }: BothWays): boolean {
  const listed = (entities: Entities) =>
    Object.entries(entities)
      .flatMap(([type, values]) => values.map((value) => `${type} ${value}`))
      .sort()
      .join('\n');
  return listed(text.entities) === listed(image.entities);
}

/** Images of the set that are read completely, so nothing is reported. */
const READ_WHOLE = ['blurred-1.png', 'wallpaper-gradient.png'];

/**
 * Returns whether the record states which part of a hard image could not be read, or what helped to read it
 * (a turn, a code).
 */
export function reportsReading(name: string, { degradedBy, notes }: Outcome): boolean {
  return (
    READ_WHOLE.includes(name) ||
    degradedBy.includes('unreadable') ||
    degradedBy.includes('no_text') ||
    notes.some((note) => /turned by|QR code/.test(note))
  );
}
