import type { PatternProposal, PatternProposalList } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { getJson, postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useActor } from '../../shell/use-actor.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import type { DeskRow } from './desk-row.js';

const KEY = ['patterns'];

/** A pattern that a confirmed case proposes, with its texts. */
export function PatternDetail({ row, settled }: { row: DeskRow; settled(): void }) {
  const proposals = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => getJson<PatternProposalList>('/pattern-proposals?limit=200', signal),
  });
  return (
    <Answer of={proposals} what="The patterns">
      {(data) => {
        const proposal = data.proposals.find(({ id }) => id === row.id);
        return proposal === undefined ? (
          <p>The pattern does not wait any more.</p>
        ) : (
          <Proposal proposal={proposal} settled={settled} />
        );
      }}
    </Answer>
  );
}

function Proposal({ proposal, settled }: { proposal: PatternProposal; settled(): void }) {
  const { id, pattern, by, ownProposal } = proposal;
  const { name } = useActor();
  const client = useQueryClient();
  const toast = useToast();
  const decide = useMutation({
    mutationFn: (state: 'approved' | 'rejected') =>
      postJson<PatternProposal>(`/pattern-proposals/${encodeURIComponent(id)}/state`, { state, by: name }),
    onSuccess: ({ state }) => {
      toast({ title: `The pattern is ${state}` });
      settled();
    },
    onError: (failure) =>
      toast({ title: 'The pattern was not changed', text: errorMessage(failure), isError: true }),
    onSettled: () => {
      for (const key of [KEY, ['inbox']]) void client.invalidateQueries({ queryKey: key });
    },
  });
  useKeys({ a: ({ repeat }) => (repeat || decide.isPending ? undefined : decide.mutate('approved')) });
  return (
    <>
      {Object.entries(pattern.texts).map(([language, text]) => (
        <blockquote key={language} lang={language} dir="auto">
          {visible(text)}
        </blockquote>
      ))}
      <p className="quiet">
        {ownProposal ? `${visible(by)} agreed with the verdict of Casefile` : `confirmed by ${visible(by)}`} ·{' '}
        <Link href={`/cases/${id}`}>Whole case</Link>. Read the text first: it may name people.
      </p>
      <div className="item-acts">
        <Button kind="primary" disabled={decide.isPending} onClick={() => decide.mutate('approved')}>
          Approve <kbd>a</kbd>
        </Button>
        <Button disabled={decide.isPending} onClick={() => decide.mutate('rejected')}>
          Reject
        </Button>
      </div>
    </>
  );
}
