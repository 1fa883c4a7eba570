import { type Brief, type JsonObject, type ToolRequest, z } from '@casefile/contracts';
import { extractEntities } from '../../entities/extract-entities.js';
import { routeMessage } from './route-message.js';
import { withoutDisguises } from '../../language/without-disguises.js';
import { plainText } from '../../plain-text.js';
import { definePlaybook } from '../../playbook.js';
import { ACTIONS, engageProbeIgnore, outwardVerdict, sessionEffects } from './decide.js';
import { mechanical } from '../../reviewers/mechanical.js';
import { byRules, grounded } from '../../strategies/one-answer.js';
import { expectTextOrImage, hasTextOrImage } from '../../text-or-image.js';
import { evidenceLine } from '../scam-verdict/evidence-line.js';
import { normalQuestion, strictQuestion } from './question.js';
import { options, type ScreeningOptions } from './options.js';
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
  route: (text, frozen) => routeMessage(text, options.read(frozen)),
  tools: ['scam_db', TEXT_SIGNALS, SIMILAR],
  collectTimeoutMs: 20_000,
  // The patterns that the message is like have a look-up of their own.
  plan: ({ brief, settings }) => [
    ...lookUpRequest(brief, options.read(settings.options)),
    ...readTextRequest(brief, 0),
  ],
  strategy: 'grounded',
  strategies: {
    grounded: grounded({ normal: normalQuestion, strict: strictQuestion }, rules, options),
    rules: byRules('rules', rules),
    heuristic: byRules('heuristic', rules),
  },
  rules,
  reviewer: mechanical(evidenceLine),
  write: ([unit]) => writeReport(unit),
  decision: engageProbeIgnore,
  effects: sessionEffects,
  outwardVerdict,
  judged: z.object({ action: z.enum(ACTIONS), scamDetected: z.boolean() }),
  presenting,
  maxRounds: 1,
  onOutage: 'fallback',
  options,
});

// S3-10, S3-20: only messages in a language of the knowledge base are looked up in it.
function lookUpRequest(brief: Brief, own: ScreeningOptions): ToolRequest[] {
  const entityValue = plainText(withoutDisguises(brief.text).text.trim().slice(0, LOOKED_UP)).trim();
  if (brief.mode !== 'normal' || entityValue === '') return [];
  const language = brief.language?.code ?? 'und';
  const args: JsonObject = { entityType: 'message', entityValue, language, ...lookUpOptions(own) };
  return [{ tool: SIMILAR, args }];
}

// The tool has defaults for what is absent, and says which of these is wrong.
function lookUpOptions({ matches, highFrom, mediumFrom, levels }: ScreeningOptions): JsonObject {
  const given = Object.entries({ matches, highFrom, mediumFrom, levels }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as JsonObject;
}
