import { parseInput, type Brief, type JsonObject, type ToolRequest, z } from '@casefile/contracts';
import { extractEntities } from '../../entities/extract-entities.js';
import { routeMessage, routingOptionsSchema } from './route-message.js';
import { withoutDisguises } from '../../language/without-disguises.js';
import { plainText } from '../../plain-text.js';
import { definePlaybook } from '../../playbook.js';
import { engageProbeIgnore, outward, sessionEffects, thresholdsSchema } from './decide.js';
import { mechanical } from '../../reviewers/mechanical.js';
import { byRules, grounded } from '../../strategies/one-answer.js';
import { expectTextOrImage, hasTextOrImage } from '../../text-or-image.js';
import { evidenceLine } from '../scam-verdict/evidence-line.js';
import { normalQuestion, strictQuestion } from './question.js';
import { writeReport } from './write.js';
import { afterFailure, judgeByRules } from './judge-by-rules.js';
import { readTextRequest, TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import { presenting } from './present.js';

const rules = { answer: judgeByRules, afterFailure };
const SIMILAR = 'find_similar_scams';
/** UTF-16 units by which known patterns are looked up: what a message is about stands near its beginning. */
const LOOKED_UP = 2_000;

/** Should the platform engage the sender of a message, probe, or leave it? In many languages. S3. */
export const messageScreening = definePlaybook({
  name: 'message-screening',
  version: '2',
  matches: hasTextOrImage,
  validate: expectTextOrImage('a message'),
  // The same text to two people is two messages, and each is answered.
  joinsRepeats: false,
  holdOffMs: 0,
  extract: (text) => {
    const { entities, notes } = extractEntities(text);
    return { entities, notes: [...notes, ...withoutDisguises(text).notes] };
  },
  route: (text, options) => routeMessage(text, options),
  tools: ['scam_db', TEXT_SIGNALS, SIMILAR],
  collectTimeoutMs: 20_000,
  // The patterns that the message is like have a look-up of their own.
  plan: ({ brief, settings: { options } }) => [
    ...lookUpRequest(brief, options),
    ...readTextRequest(brief, 0),
  ],
  strategy: 'grounded',
  strategies: {
    grounded: grounded({ normal: normalQuestion, strict: strictQuestion }, rules),
    rules: byRules('rules', rules),
    heuristic: byRules('heuristic', rules),
  },
  rules,
  reviewer: mechanical(evidenceLine),
  write: ([unit]) => writeReport(unit),
  decision: engageProbeIgnore,
  effects: sessionEffects,
  outward,
  presenting,
  maxRounds: 1,
  onOutage: 'fallback',
  options: {
    deadlineMs: 10_000,
    normalLanguages: ['en', 'hi', 'hi-Latn'],
    minCertainty: 0.45,
    matches: 5,
    normalEngageFrom: 0.7,
    normalProbeFrom: 0.5,
    strictEngageFrom: 0.85,
    strictProbeFrom: 0.7,
    strictEngageFlags: 3,
    strictProbeFlags: 2,
  },
  checkOptions: (options) => void parseInput(optionsSchema, options, 'options of message-screening'),
});

// S3-10, S3-20: only messages in a language of the knowledge base are looked up in it.
function lookUpRequest(brief: Brief, options: JsonObject): ToolRequest[] {
  const entityValue = plainText(withoutDisguises(brief.text).text.trim().slice(0, LOOKED_UP)).trim();
  if (brief.mode !== 'normal' || entityValue === '') return [];
  const language = brief.language?.code ?? 'und';
  const args: JsonObject = { entityType: 'message', entityValue, language, ...lookUpOptions(options) };
  return [{ tool: SIMILAR, args }];
}

// The tool has defaults for what is absent, and says which of these is wrong.
function lookUpOptions({ matches, highFrom, mediumFrom, levels }: JsonObject): JsonObject {
  const given = Object.entries({ matches, highFrom, mediumFrom, levels }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as JsonObject;
}

const similarity = z.number().min(0).max(1);
const levels = z.object({ highFrom: similarity.optional(), mediumFrom: similarity.optional() });
type Levels = z.infer<typeof levels>;
const inOrder = ({ highFrom = 1, mediumFrom = 0 }: Levels) => mediumFrom <= highFrom;
const OUT_OF_ORDER = { path: ['mediumFrom'], message: 'expected no more than highFrom' };

/** Everything of this playbook that configuration may set; a name that is none of these is a mistake. */
export const optionsSchema = z
  .strictObject({
    ...routingOptionsSchema.shape,
    ...thresholdsSchema.shape,
    /** For the question and its repair together, in milliseconds. */
    deadlineMs: z.number().int().min(100).max(600_000).optional(),
    /** What judges after a failure of the model: nothing (the default, S3-41), or the rules. */
    onFailure: z.enum(['ignore', 'rules']).optional(),
    /** Known patterns that the model is shown. S3-10. */
    matches: z.number().int().min(3).max(5).optional(),
    /** Similarities from which a match is called HIGH and MEDIUM, whatever the embedder; else those it is shipped with. S3-11. */
    ...levels.shape,
    /** The same by embedder: its model's name, or `words` for languages that are looked up by words alone. S3-14. */
    levels: z.record(z.string().min(1).max(200), levels.strict().refine(inOrder, OUT_OF_ORDER)).optional(),
  })
  .refine(inOrder, OUT_OF_ORDER);
