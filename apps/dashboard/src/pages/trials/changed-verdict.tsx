import { percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';

/** What a comparison knows of a verdict. `disposition` null: there is none. */
interface ComparedVerdict {
  disposition: string | null;
  action: string | null;
  confidence: number | null;
}

/** A verdict in words next to another one. Parts that differ from the other one are marked. */
export function ChangedVerdict({ of, other }: { of: ComparedVerdict; other: ComparedVerdict }) {
  const parts = verdictParts(of);
  if (parts.length === 0) return <span>none</span>;
  const others = verdictParts(other);
  return (
    <span className="verdict-pair">
      {parts.map((part, i) => (
        <span key={i}>
          {i > 0 && ' '}
          {others.length === 0 || others.includes(part) ? part : <mark>{part}</mark>}
        </span>
      ))}
    </span>
  );
}

function verdictParts({ disposition, action, confidence }: ComparedVerdict): string[] {
  if (disposition === null) return [];
  return [disposition, action, confidence === null ? null : percentText(confidence)]
    .filter((part) => part !== null)
    .map(visible);
}
