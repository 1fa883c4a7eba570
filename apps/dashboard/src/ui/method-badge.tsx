import type { Verdict } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

/** A word and a sentence for each method of judging. */
const METHODS: Record<Verdict['method'], { word: string; says: string; tone: Tone }> = {
  llm: { word: 'by the model', says: 'A language model answered', tone: 'violet' },
  heuristic: { word: 'by rules', says: 'Decided by rules, without a language model', tone: 'neutral' },
  demonstration: {
    word: 'demonstration',
    says: 'The answer was written by hand for this bundled sample; no language model was asked',
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
