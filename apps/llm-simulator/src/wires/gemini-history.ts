import { isObject, type JsonObject } from '@casefile/contracts';
import { isSealed } from '../seal.js';
import type { GeminiContent } from './gemini-content.js';
import { wordOf } from './text-of-content.js';
import { refusal } from './wire.js';

/** Models that require the signature of a function call in the history. */
const STRICT = /^gemini-(?:[3-9]|\d\d)/;
/** Values that Google documents for calls that did not come from its models. */
const NO_SIGNATURE = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

const geminiContentCalls = ({ parts }: GeminiContent) =>
  parts.filter(({ functionCall }) => isObject(functionCall));
const contentResults = (content: GeminiContent | undefined) =>
  (content?.parts ?? []).filter(({ functionResponse }) => isObject(functionResponse));

/** @throws a refusal for a history that Google rejects: calls without results, or foreign signatures. */
export function checkContents(contents: GeminiContent[], model: string): void {
  const questionIndex = contents.findLastIndex(
    (content) => content.role !== 'model' && contentResults(content).length === 0,
  );
  contents.forEach((content, index) => {
    checkPairs(content, contents[index + 1]);
    for (const part of content.parts) checkSignature(part);
    if (index > questionIndex && STRICT.test(model)) checkSigned(content, index);
  });
}

function checkPairs(content: GeminiContent, next: GeminiContent | undefined): void {
  const calls = geminiContentCalls(content).length;
  if (content.role !== 'model' || calls === 0 || calls === contentResults(next).length) return;
  throw refusal(
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  );
}

function checkSignature({ thoughtSignature }: JsonObject): void {
  if (thoughtSignature === undefined || thoughtSignature === null) return;
  if (isSealed(thoughtSignature) || NO_SIGNATURE.includes(wordOf(thoughtSignature))) return;
  throw refusal('Corrupted thought signature.');
}

/** Only the first of several parallel calls is signed. */
function checkSigned(content: GeminiContent, index: number): void {
  const [first] = geminiContentCalls(content);
  if (content.role !== 'model' || first === undefined || first.thoughtSignature) return;
  const name = isObject(first.functionCall) ? wordOf(first.functionCall.name) : '';
  throw refusal(
    `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`${name}\`, position ${index + 1}.`,
  );
}
