import type { ReasoningKind } from '@casefile/contracts';
import { Brain } from 'lucide-react';
import { useId, useState } from 'react';
import { visible } from '../format/visible.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { ErrorBoundary } from '../ui/error-boundary.js';
import './reasoning-display.css';

/** A model's own reasoning as it is on the record of an interaction. */
export interface Reasoning {
  hasReasoning: boolean;
  reasoningContent: string | null;
  reasoningSummary: string | null;
  reasoningSource: string | null;
  reasoningKind?: ReasoningKind | null;
}

/** Text shown for kinds of reasoning other than the model's own words. */
const WITHHELD: Partial<Record<ReasoningKind, string>> = {
  encrypted: 'The provider returned the reasoning encrypted.',
  redacted: 'The provider withheld the reasoning for safety (redacted).',
};

/**
 * The model's reasoning: a summary, the full text on request, its origin, and a copy button. If the reasoning
 * cannot be rendered, the component shows an error and the page around it stays usable.
 */
export function ReasoningDisplay({ reasoning, of }: { reasoning: Reasoning; of: string }) {
  return (
    <ErrorBoundary
      of={reasoning}
      fallback={<p className="reasoning reasoning-none">The reasoning is unavailable.</p>}
    >
      <Shown reasoning={reasoning} of={of} />
    </ErrorBoundary>
  );
}

function Shown({ reasoning, of }: { reasoning: Reasoning; of: string }) {
  const { hasReasoning, reasoningContent, reasoningSource } = reasoning;
  if (!hasReasoning) return <p className="reasoning reasoning-none">No reasoning came with this answer.</p>;
  if (reasoningContent === null || reasoningContent.trim() === '') {
    const why = WITHHELD[reasoning.reasoningKind ?? 'raw'] ?? 'The provider does not show the reasoning.';
    return <p className="reasoning reasoning-none">{why}</p>;
  }
  return (
    <Text
      of={of}
      content={reasoningContent}
      summary={reasoning.reasoningSummary}
      source={reasoningSource}
      isAccount={reasoning.reasoningKind === 'summary'}
    />
  );
}

interface TextProps {
  /** Id of the model call, unique on the page. */
  of: string;
  content: string;
  summary: string | null;
  source: string | null;
  /** Whether this is the provider's summary of the reasoning, not the reasoning itself. */
  isAccount: boolean;
}

function Text({ of, content, summary, source, isAccount }: TextProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const short = summary ?? content;
  const isLonger = content.trim() !== short.trim();
  return (
    <section className="reasoning" aria-label={`Reasoning of ${of}`}>
      <header className="reasoning-head">
        <Brain aria-hidden="true" size={14} />
        <h4>{isAccount ? 'Reasoning, summarized by its provider' : 'Reasoning'}</h4>
        {source !== null && <span className="reasoning-source mono">{source}</span>}
        <CopyButton text={content} label="the reasoning" />
      </header>
      <div id={id} className="reasoning-text" dir="auto">
        {visible(open ? content : short)}
      </div>
      {isLonger && (
        <Button kind="bare" small aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Show the summary' : `Show all of it (${content.length.toLocaleString('en')} characters)`}
        </Button>
      )}
    </section>
  );
}
