import { rich, t } from '../../strings/text.js';
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
    <Answer of={proposals} what={t('inbox.thePatterns')}>
      {(data) => {
        const proposal = data.proposals.find(({ id }) => id === row.id);
        return proposal === undefined ? (
          <p>{t('inbox.thePatternDoesNotWait')}</p>
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
      toast({ title: t('inbox.thePatternIs', { state }) });
      settled();
    },
    onError: (failure) =>
      toast({ title: t('inbox.thePatternWasNotChanged'), text: errorMessage(failure), isError: true }),
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
        {rich('inbox.readTheTextFirstIt', {
          ownProposal: ownProposal
            ? t('inbox.agreedWithTheVerdictOf', { by: visible(by) })
            : t('inbox.confirmedBy', { by: visible(by) }),
          link: <Link href={`/cases/${id}`}>{t('inbox.wholeCase')}</Link>,
        })}
      </p>
      <div className="item-acts">
        <Button kind="primary" disabled={decide.isPending} onClick={() => decide.mutate('approved')}>
          {rich('inbox.approve', { kbd: <kbd>a</kbd> })}
        </Button>
        <Button disabled={decide.isPending} onClick={() => decide.mutate('rejected')}>
          {t('inbox.reject')}
        </Button>
      </div>
    </>
  );
}
