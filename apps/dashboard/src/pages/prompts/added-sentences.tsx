import { useId } from 'react';
import { Link } from 'wouter';
import { usePrompt, usePromptDiff, type PromptAddress } from '../../api/prompts.js';
import { visible } from '../../format/visible.js';
import { Failed, Skeleton } from '../../ui/states.js';

/** Sentences that a version adds to the live one, which a person reads before the version becomes live. */
export function AddedSentences({ of, from, to }: { of: PromptAddress; from: number; to: number }) {
  const { data, error, refetch } = usePromptDiff(of, from, to);
  const heading = useId();
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={2} label="The added sentences are loading" />
    ) : (
      <Failed what="The added sentences could not be read" error={error} retry={() => void refetch()} />
    );
  const { added } = data;
  if (added.length === 0) return <p className="quiet">Version {to} adds no sentence to the live version.</p>;
  return (
    <>
      <h3 id={heading}>Sentences that version {to} adds to the live version</h3>
      <ul aria-labelledby={heading}>
        {added.map((sentence) => (
          <li key={sentence}>{visible(sentence)}</li>
        ))}
      </ul>
    </>
  );
}

/** What a version of a prompt adds to the live one, with the way to its page, for the person who promotes an arm that uses it. */
export function AddedByVersion({ of, version }: { of: PromptAddress; version: number }) {
  const live = usePrompt(of).data?.versions.find(({ state }) => state === 'live');
  if (live === undefined || live.version === version) return null;
  const page = `/prompts/${encodeURIComponent(of.playbook)}/${encodeURIComponent(of.name)}?version=${version}`;
  return (
    <div>
      <AddedSentences of={of} from={live.version} to={version} />
      <Link href={page}>
        {visible(of.name)}, version {version}: text and origin
      </Link>
    </div>
  );
}
