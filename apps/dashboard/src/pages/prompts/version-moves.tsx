import type { ShownPromptVersion } from '@casefile/contracts';
import { useId, useState } from 'react';
import { useMoveVersion, usePromptDiff, type PromptAddress } from '../../api/prompts.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { errorMessage, Failed, Skeleton } from '../../ui/states.js';

/** Makes a version live or retires a candidate. Each move needs a reason. Shows what the version adds to the live one. */
export function VersionMoves({
  of,
  version: { version, state },
  live,
}: {
  of: PromptAddress;
  version: ShownPromptVersion;
  /** The live version. undefined: there is none. */
  live: number | undefined;
}) {
  const [reason, setReason] = useState('');
  const toast = useToast();
  const move = useMoveVersion(of);
  const field = useId();
  if (state === 'live') return null;
  const moveTo = (to: 'live' | 'retired') =>
    move.mutate(
      { version, state: to, reason },
      {
        onSuccess: () => {
          setReason((now) => (now === reason ? '' : now));
          toast({ title: `Version ${version} is ${to}` });
        },
        onError: (error) =>
          toast({ title: `Version ${version} was not moved`, text: errorMessage(error), isError: true }),
      },
    );
  const disabled = move.isPending || reason.trim() === '';
  return (
    <form
      className="prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) moveTo('live');
      }}
    >
      {live !== undefined && <AddedSentences of={of} from={live} to={version} />}
      <label htmlFor={field}>Reason</label>
      <input
        id={field}
        className="field"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" kind="primary" disabled={disabled}>
        Make version {version} live
      </Button>
      {state === 'candidate' && (
        <Button disabled={disabled} onClick={() => moveTo('retired')}>
          Retire version {version}
        </Button>
      )}
    </form>
  );
}

/** Sentences that a version adds to the live one, which a person reads before the version becomes live. */
function AddedSentences({ of, from, to }: { of: PromptAddress; from: number; to: number }) {
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
