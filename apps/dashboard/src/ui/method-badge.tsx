import { t } from '../strings/text.js';
import type { Verdict } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

/** A word and a sentence for each method of judging. */
const METHODS: Record<Verdict['method'], { word: string; says: string; tone: Tone }> = {
  llm: { word: t('ui.byTheModel'), says: t('ui.aLanguageModelAnswered'), tone: 'violet' },
  heuristic: { word: t('ui.byRules'), says: t('ui.decidedByRulesWithoutA'), tone: 'neutral' },
  demonstration: {
    word: t('ui.demonstration'),
    says: t('ui.theAnswerWasWrittenBy'),
    tone: 'amber',
  },
};

/** Badge of the method that made a verdict. */
export function MethodBadge({ method }: { method: Verdict['method'] }) {
  const { word, says, tone } = METHODS[method];
  return (
    <Badge tone={tone} title={says}>
      {word}
    </Badge>
  );
}
