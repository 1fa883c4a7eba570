import { isObject, type FrozenTool, type Json, type LookUp } from '@casefile/contracts';
import { markHidden } from '../../../entities/hidden-characters.js';
import { firstCodePoints, inLine, plainText } from '../../../plain-text.js';
import type { Read } from '../look-ups.js';

/** Of one result in the conversation, in code points: what is longer was shortened when it came. */
const OBSERVED = 24_000;
/** Of all results in a concluding question, in code points; each gets the same share of it. */
const CONCLUDED = 60_000;
const DESCRIPTION = 400;
const SUMMARY = 2_000;

/** The line by which a look-up is known: its id, the tool and what it was asked. */
export function headOf({ id, tool, args }: Pick<LookUp, 'id' | 'tool' | 'args'>): string {
  return `[${id}] ${inLine(tool, 100)} ${inLine(argsOf(args), 300)}`.trim();
}

function argsOf(args: Json): string {
  return isObject(args) && Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

/** A look-up with what it said, up to so many code points. */
export function shownRead(read: Read, most = OBSERVED): string {
  if (read.gap !== null) return `${headOf(read)}\nGAP: ${inLine(read.gap, 500)}`;
  const text = markHidden(plainText(read.text));
  const shown = firstCodePoints(text, most);
  const more = shown === text ? '' : `\n(cut here: ${text.length} characters in all)`;
  const about =
    read.summary === undefined
      ? ''
      : `\nSummed up by another model, not to be cited: ${markHidden(inLine(read.summary, SUMMARY))}`;
  return `${headOf(read)}\n${shown}${more}${about}`;
}

/** Everything that was looked up, for a question that concludes. */
export function shownReads(reads: readonly Read[]): string {
  if (reads.length === 0) return 'Nothing was looked up.';
  const most = Math.max(500, Math.floor(CONCLUDED / reads.length));
  return reads.map((read) => shownRead(read, most)).join('\n\n');
}

/** The tools as a prompt lists them: name, description and required arguments; their schemas go with the turn itself. S2-43. */
export function toolsAsJson(tools: readonly FrozenTool[]): string {
  const shown = tools.map(({ name, description, parameters }) => ({
    name,
    description: firstCodePoints(inLine(description, DESCRIPTION), DESCRIPTION),
    required: Array.isArray(parameters['required']) ? parameters['required'] : [],
  }));
  return `[\n${shown.map((tool) => JSON.stringify(tool)).join(',\n')}\n]`;
}
