import type { ComparedLine } from '@casefile/contracts';
import { visible } from '../../format/visible.js';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** Lines of two texts, with a sign before each line that only one of the texts has. */
export function PromptLines({ lines, label }: { lines: readonly ComparedLine[]; label: string }) {
  return (
    <pre className="prompt-text" tabIndex={0} aria-label={label}>
      {lines.map(({ change, text }, i) => (
        <span key={i} className={`prompt-line prompt-${change}`}>
          {SIGNS[change]} {visible(text)}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
