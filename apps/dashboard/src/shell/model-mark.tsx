import { FlaskConical, Scale, Sparkles } from 'lucide-react';
import { useMeta } from '../api/queries.js';
import { Badge } from '../ui/badge.js';

/** Which model is asked; a simulator and having none at all are marked as what they are. */
export function ModelMark() {
  const { data } = useMeta();
  if (data === undefined) return null;
  if (data.isSimulator) {
    return (
      <Badge tone="violet" title={`${data.provider} · ${data.model ?? ''}: answers are made up`}>
        <FlaskConical aria-hidden="true" size={13} />
        <span>Simulator</span>
        <span className="wide-only">· answers are made up</span>
      </Badge>
    );
  }
  if (data.demonstration === true) {
    return (
      <Badge
        tone="amber"
        title="Answers to the bundled samples were written by hand; no language model is asked"
      >
        <FlaskConical aria-hidden="true" size={13} />
        <span>Demonstration</span>
      </Badge>
    );
  }
  if (data.provider === 'none') {
    return (
      <Badge tone="amber" title="No language model is configured: verdicts come from heuristics">
        <Scale aria-hidden="true" size={13} />
        <span>Heuristics only</span>
      </Badge>
    );
  }
  return (
    <Badge title={`Provider ${data.provider}`}>
      <Sparkles aria-hidden="true" size={13} />
      <span className="wide-only">{data.provider} ·</span>
      <span className="cut">{data.model ?? data.provider}</span>
    </Badge>
  );
}
