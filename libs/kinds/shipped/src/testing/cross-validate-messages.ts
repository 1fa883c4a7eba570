import type { EvidenceItem } from '@casefile/contracts';
import { detectLanguage } from '@casefile/pipeline/language/detect-language';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import { judgeByRules } from '@casefile/message-screening/judge-by-rules';
import { reasonsAgainstDismissal } from '@casefile/pipeline/scam/against-dismissal';
import { options } from '@casefile/scam-verdict/options';
import { textFloor } from '@casefile/scam-verdict/text-floor';
import { isReadBy } from '@casefile/pipeline/text-signals/is-readable';
import { messageModel } from '@casefile/pipeline/text-signals/message-model';
import { combinedSignals, partRead, readByRules } from '@casefile/pipeline/text-signals/read-text-signals';
import { textTokens } from '@casefile/pipeline/text-signals/tokens';
import { aBrief, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { decide as screened } from '@casefile/message-screening/testing/screening-decisions';
import { trainMessageModel, type Lesson, type Lessons } from '@casefile/pipeline/testing/train-message-model';

/** Share of common words from which two messages are put into one fold: no model is tested on near copies of its training. */
const ALIKE = 0.4;
/** Messages with fewer words are not compared, because they can be similar by chance. */
const FEW_WORDS = 3;

/** Judgement of a message that the model was not trained on, from its text alone, without look-ups. */
export interface JudgedLesson extends Lesson {
  isReceived: boolean;
  score: number | null;
  /** Reasons why scam-verdict does not dismiss the message; empty: it dismisses the message. */
  against: string[];
  action: 'ignore' | 'probe' | 'engage';
  /** Whether the text alone is enough for scam-verdict to act. */
  isActedOn: boolean;
}

/**
 * Judges each labelled message by the rules and a model that was trained without its fold; patterns are learned from in
 * every fold. The rules are those of today, which were fitted on most of our own messages.
 */
export async function crossValidate(lessons: Lessons, folds = 5): Promise<JudgedLesson[]> {
  const patterns = lessons.own.filter(({ share }) => share < 1);
  const own = lessons.own.filter(({ share }) => share === 1);
  const messages = [...own, ...lessons.received];
  const received = new Set(lessons.received);
  const foldOf = new Map(groupsOf(messages).map((group, i) => [messages[i], group % folds]));
  const judged: JudgedLesson[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const isLearned = (one: Lesson) => foldOf.get(one) !== fold;
    const read = messageModel(
      trainMessageModel({
        ...lessons,
        own: [...own.filter(isLearned), ...patterns],
        received: lessons.received.filter(isLearned),
      }),
    );
    for (const one of messages) if (!isLearned(one)) judged.push(await judge(one, received.has(one), read));
  }
  return judged;
}

async function judge(
  lesson: Lesson,
  isReceived: boolean,
  read: ReturnType<typeof messageModel>,
): Promise<JudgedLesson> {
  const text = partRead(lesson.text);
  const tokens = textTokens(text);
  const isRead = isReadBy(tokens, await detectLanguage(text));
  const model = read(text, tokens, isRead);
  const { messageModel: reading, ...found } = combinedSignals(model, readByRules(text, tokens, isRead));
  const result = JSON.parse(JSON.stringify({ nearestPatterns: [], ...found, message_model: reading }));
  const evidence = evidenceOf({ ...textSignals(), result } as EvidenceItem);
  const against = reasonsAgainstDismissal(
    aBrief({ text: lesson.text, entities: isReceived ? extractEntities(lesson.text).entities : {} }),
    evidence,
    options.read({}),
  );
  const draft = judgeByRules({ evidence } as Parameters<typeof judgeByRules>[0]);
  const brief = aBrief({ entities: extractEntities(lesson.text).entities });
  const { outcome } = screened('normal', {}, { draft, evidence });
  return {
    ...lesson,
    isReceived,
    score: model?.score ?? null,
    against,
    action: outcome['action'] as JudgedLesson['action'],
    isActedOn: textFloor({ brief, evidence })?.riskLevel === 'high',
  };
}

export const FIGURES = ['messages', 'dismissed', 'review', 'act', 'engage', 'probe', 'ignore'] as const;

/** Counts by language, source and label. `dismissed`, `review` and `act` are of scam-verdict, the others of message-screening. */
export function figuresOf(
  judged: readonly JudgedLesson[],
): [group: string, figures: Record<(typeof FIGURES)[number], number>][] {
  const groups = new Map<string, JudgedLesson[]>();
  for (const one of judged) {
    const group = `${one.isReceived ? 'received' : one.language} ${one.isScam ? 'scam' : 'harmless'}`;
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups].map(([group, all]) => {
    const count = (is: (one: JudgedLesson) => boolean) => all.filter(is).length;
    const dismissed = count(({ against }) => against.length === 0);
    const done = (action: string) => count((one) => one.action === action);
    return [
      group,
      {
        messages: all.length,
        dismissed,
        review: all.length - dismissed - count(({ isActedOn }) => isActedOn),
        act: count(({ isActedOn }) => isActedOn),
        engage: done('engage'),
        probe: done('probe'),
        ignore: done('ignore'),
      },
    ];
  });
}

/** The number of the group each message is in: chains of messages that are alike. */
function groupsOf(messages: readonly Lesson[]): number[] {
  const words = messages.map(({ text }) => new Set(textTokens(text).map(({ plain }) => plain)));
  const leaders = messages.map((_, i) => i);
  const leaderOf = (i: number): number => {
    let at = i;
    while (leaders[at] !== at) at = leaders[at] ?? at;
    return at;
  };
  const seen = new Map<string, number[]>();
  words.forEach((one, i) => {
    if (one.size < FEW_WORDS) return;
    const common = new Map<number, number>();
    for (const word of one) {
      for (const j of seen.get(word) ?? []) common.set(j, (common.get(j) ?? 0) + 1);
      seen.set(word, [...(seen.get(word) ?? []), i]);
    }
    for (const [j, count] of common)
      if (count / (one.size + (words[j]?.size ?? 0) - count) > ALIKE) leaders[leaderOf(i)] = leaderOf(j);
  });
  return messages.map((_, i) => leaderOf(i));
}
