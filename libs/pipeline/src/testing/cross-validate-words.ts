import { againstDismissal } from '../playbooks/scam-verdict/decide.js';
import { options } from '../playbooks/scam-verdict/options.js';
import { heldAgainst, partRead, readByRules } from '../text-signals/read-text-signals.js';
import { tokensOf } from '../text-signals/tokens.js';
import { likenessBy } from '../text-signals/word-model.js';
import { evidenceOf, textSignals } from './scam-builders.js';
import { trainWordModel, type Lesson } from './train-word-model.js';

/** Share of words in common from which two messages are of one fold: neither may be known from the other. */
const ALIKE = 0.4;

/** What the words of a message that the model has not learned from come to. */
export interface JudgedLesson extends Lesson {
  likeness: number | null;
  /** Nothing in the text itself speaks against dismissing it. */
  isDismissed: boolean;
}

/**
 * Judges each labelled message by the rules and a model that was trained without its fold; patterns are learned from in
 * every fold. What the texts name is not looked up. The rules are those of today, which were fitted on most messages.
 */
export function crossValidate(lessons: readonly Lesson[], folds = 10): JudgedLesson[] {
  const messages = lessons.filter(({ share }) => share === 1);
  const patterns = lessons.filter(({ share }) => share < 1);
  const foldOf = groupsOf(messages).map((group) => group % folds);
  return Array.from({ length: folds }, (_, fold) => {
    const likeness = likenessBy(
      trainWordModel([...messages.filter((_message, i) => foldOf[i] !== fold), ...patterns]),
    );
    return messages.filter((_message, i) => foldOf[i] === fold).map((one) => judged(one, likeness));
  }).flat();
}

function judged(lesson: Lesson, likenessOf: ReturnType<typeof likenessBy>): JudgedLesson {
  const text = partRead(lesson.text);
  const tokens = tokensOf(text);
  const likeness = likenessOf(text, tokens);
  const found = { nearestPatterns: [], ...heldAgainst(likeness, readByRules(text, tokens)) };
  const evidence = evidenceOf({ ...textSignals(), result: JSON.parse(JSON.stringify(found)) });
  const against = againstDismissal({ entities: {} }, evidence, options.read({}));
  return { ...lesson, likeness, isDismissed: against.length === 0 };
}

/** The number of the group each message is in: chains of messages that are alike. */
function groupsOf(messages: readonly Lesson[]): number[] {
  const words = messages.map(({ text }) => new Set(tokensOf(text).map(({ plain }) => plain)));
  const groups = messages.map((_, i) => i);
  words.forEach((one, i) => {
    for (const [j, other] of words.slice(0, i).entries()) {
      const common = [...one].filter((word) => other.has(word)).length;
      if (common / (one.size + other.size - common) <= ALIKE) continue;
      const [from, to] = [groups[i], groups[j] ?? j];
      groups.forEach((group, at) => {
        if (group === from) groups[at] = to;
      });
    }
  });
  return groups;
}
