import { FlaskConical } from 'lucide-react';
import { useMeta } from '../api/queries.js';

/** Says on every page that what is seen of the samples was written by hand. */
export function DemonstrationBanner() {
  const { data } = useMeta();
  if (data?.demonstration !== true) return null;
  return (
    <p className="demonstration">
      <FlaskConical aria-hidden="true" size={14} />
      <span>
        <strong>Demonstration.</strong> Answers to the bundled samples were written by hand, and their prices
        are made up. No language model is asked; your own alerts are judged by rules.
      </span>
    </p>
  );
}
