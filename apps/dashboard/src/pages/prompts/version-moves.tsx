import type { ShownPromptVersion } from '@casefile/contracts';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { useMoveVersion, type PromptAddress } from '../../api/prompts.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { trialHref } from '../trials/trial.js';
import { AddedSentences } from './added-sentences.js';

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
      <Link href={trialHref({ kind: of.playbook, change: { prompts: { [of.name]: version } } }, 'past')}>
        Try version {version} on past cases
      </Link>
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
