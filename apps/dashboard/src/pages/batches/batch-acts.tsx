import type { Batch, BatchAct, BatchPreview, BatchState } from '@casefile/contracts';
import { useState } from 'react';
import { useActOnBatch, useBatchPreview } from '../../api/batches.js';
import { countOf, countText } from '../../format/numbers.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { errorMessage } from '../../ui/states.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { batchFacts, WORDS_OF_BATCHES } from './batch-words.js';

/** Available actions for each state of a batch. */
const ACTS: Partial<Record<Batch['state'], BatchAct[]>> = {
  running: ['pause'],
  paused: ['resume', 'discard'],
  done: ['apply', 'discard'],
};
const NAMES: Record<BatchAct, string> = {
  pause: 'Pause',
  resume: 'Resume',
  apply: 'Apply',
  discard: 'Discard',
};

/** Buttons for the actions that the state of a batch allows. `leftOut`: cases that are not to be applied. */
export function BatchActs({ batch, leftOut }: { batch: Batch; leftOut: ReadonlySet<string> }) {
  const act = useActOnBatch(batch.id);
  const preview = useBatchPreview(batch.id);
  const toast = useToast();
  const [pendingAct, setPendingAct] = useState<BatchAct | null>(null);
  const choice = { exceptCaseIds: [...leftOut] };
  const go = (what: BatchAct) =>
    act.mutate(what === 'apply' ? { act: what, choice } : { act: what }, {
      onError: (failure) =>
        toast({ title: 'The batch was not changed', text: errorMessage(failure), isError: true }),
      onSettled: () => setPendingAct(null),
    });
  const begin = (what: BatchAct) => {
    if (what === 'pause' || what === 'resume') return go(what);
    if (what === 'apply') preview.mutate(choice);
    setPendingAct(what);
  };
  return (
    <div className="batch-acts">
      {(ACTS[batch.state] ?? []).map((what) => (
        <Button
          key={what}
          kind={what === 'apply' ? 'primary' : 'plain'}
          disabled={act.isPending}
          onClick={() => begin(what)}
        >
          {NAMES[what]}
        </Button>
      ))}
      <Confirm
        open={pendingAct !== null}
        title={pendingAct === 'apply' ? 'Apply these verdicts?' : 'Discard these verdicts?'}
        action={NAMES[pendingAct ?? 'discard']}
        danger={pendingAct === 'discard'}
        busy={act.isPending || (pendingAct === 'apply' && preview.data === undefined)}
        close={() => setPendingAct(null)}
        confirm={() => pendingAct !== null && go(pendingAct)}
      >
        {pendingAct !== 'apply'
          ? 'The cases keep their current verdicts. The runs stay on the record.'
          : preview.error !== null
            ? errorMessage(preview.error)
            : preview.data === undefined
              ? 'Counting the messages …'
              : effectInWords(preview.data, leftOut.size)}
      </Confirm>
    </div>
  );
}

/** Describes what applying does: the cases that change, the messages and their receivers, and what stays. */
function effectInWords(preview: BatchPreview, leftOut: number): string {
  const { applied, messages, decidedByPerson, unchanged, overtaken, receivers, examined, hasMore } = preview;
  const to = receivers.map(({ destination, messages: count }) => `${destination} ${countText(count)}`);
  const kept = [
    ...(decidedByPerson === 0
      ? []
      : [
          `${countOf(decidedByPerson, 'case')} decided by a person ${decidedByPerson === 1 ? 'keeps its answer' : 'keep their answers'}.`,
        ]),
    ...(unchanged === 0
      ? []
      : [
          `${countOf(unchanged, 'case')} ${unchanged === 1 ? 'stays' : 'stay'} as before, because nothing changes for receivers.`,
        ]),
    ...(overtaken === 0
      ? []
      : [`${countOf(overtaken, 'case')} ${overtaken === 1 ? 'has' : 'have'} a newer verdict.`]),
    ...(leftOut === 0
      ? []
      : [
          `${countOf(leftOut, 'case')} not chosen ${leftOut === 1 ? 'keeps its verdict' : 'keep their verdicts'}.`,
        ]),
  ];
  const sent =
    messages === 0
      ? 'No message is sent.'
      : `${countOf(messages, 'message')} ${messages === 1 ? 'is' : 'are'} sent, each with the run that it replaces: to the queue of verdicts${to.length === 0 ? '' : ` and to ${to.join(', ')}`}.`;
  const part = hasMore ? [`Only the first ${countText(examined)} new verdicts are counted here.`] : [];
  return [
    `${countOf(applied, 'case')} ${applied === 1 ? 'gets' : 'get'} the new verdict.`,
    sent,
    ...kept,
    ...part,
  ].join(' ');
}

const TONES: Record<BatchState, Tone> = {
  running: 'blue',
  paused: 'amber',
  done: 'violet',
  applying: 'blue',
  applied: 'green',
  discarded: 'neutral',
};

/** The state of a batch as one word. */
export function BatchStateBadge({ state }: { state: BatchState }) {
  return <Badge tone={TONES[state]}>{WORDS_OF_BATCHES[state]}</Badge>;
}

/** The progress and result of a batch on one line. */
export function BatchFacts({ batch }: { batch: Batch }) {
  return <span>{batchFacts(batch).join(' · ')}</span>;
}
