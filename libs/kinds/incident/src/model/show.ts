import { isObject, type FrozenTool, type Json, type LookUp } from '@casefile/contracts';
import { markHidden } from '@casefile/pipeline/language/without-disguises';
import { firstCodePoints, inLine, plainText } from '@casefile/pipeline/plain-text';
import type { Read } from '../look-ups.js';

/**
 * Length of one result in the conversation, in code points. Longer results were shortened when they arrived.
 */
const OBSERVED = 24_000;
/** Length of all results in a concluding question, in code points. Each result gets an equal share. */
const CONCLUDED = 60_000;
const DESCRIPTION = 400;
const SUMMARY = 2_000;

/** Returns the heading of a look-up: its id, the tool and the arguments. */
export function lookUpHead({ id, tool, args }: Pick<LookUp, 'id' | 'tool' | 'args'>): string {
  return `[${id}] ${inLine(tool, 100)} ${inLine(argsOf(args), 300)}`.trim();
}

function argsOf(args: Json): string {
  return isObject(args) && Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

/** Returns a look-up with its answer, up to a number of code points. */
export function shownRead(read: Read, most = OBSERVED): string {
  if (read.gap !== null) return `${lookUpHead(read)}\nGAP: ${inLine(read.gap, 500)}`;
  const text = markHidden(plainText(read.text));
  const shown = firstCodePoints(text, most);
  const more = shown === text ? '' : `\n(cut here: ${text.length} characters in all)`;
  const about =
    read.summary === undefined
      ? ''
      : `\nSummed up by another model, not to be cited: ${markHidden(inLine(read.summary, SUMMARY))}`;
  return `${lookUpHead(read)}\n${shown}${more}${about}`;
}

/** Everything that was looked up, for a question that concludes. */
export function shownReads(reads: readonly Read[]): string {
  if (reads.length === 0) return 'Nothing was looked up.';
  const most = Math.max(500, Math.floor(CONCLUDED / reads.length));
  return reads.map((read) => shownRead(read, most)).join('\n\n');
}

/**
 * Returns the tools as a prompt lists them: name, description and required arguments. The turn itself carries
 * their schemas.
 */
export function toolsAsJson(tools: readonly FrozenTool[]): string {
  const shown = tools.map(({ name, description, parameters }) => ({
    name,
    description: firstCodePoints(inLine(description, DESCRIPTION), DESCRIPTION),
    required: Array.isArray(parameters['required']) ? parameters['required'] : [],
  }));
  return `[\n${shown.map((tool) => JSON.stringify(tool)).join(',\n')}\n]`;
}
