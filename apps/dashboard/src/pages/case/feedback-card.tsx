import type { Feedback, FeedbackList } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { messageOf } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';

/** What people said of the verdict, and one key to agree with it. S4-59. */
export function FeedbackCard({ caseId }: { caseId: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const path = `/cases/${caseId}/feedback`;
  const { data } = useQuery({
    queryKey: ['feedback', caseId],
    queryFn: ({ signal }) => getJson<FeedbackList>(path, signal),
  });
  const agree = useMutation({
    mutationFn: () => postJson<Feedback>(path, { agree: true, by: 'console' }),
    onSuccess: () => toast({ title: 'You agree with the verdict' }),
    onError: (failure) =>
      toast({ title: 'It was not written down', text: messageOf(failure), isError: true }),
    onSettled: () => client.invalidateQueries({ queryKey: ['feedback', caseId] }),
  });
  useKeys({ a: () => !agree.isPending && agree.mutate() });
  const said = data?.feedback ?? [];
  return (
    <section className="case-feedback" aria-label="What people said">
      <Button small disabled={agree.isPending} onClick={() => agree.mutate()}>
        Agree <kbd>a</kbd>
      </Button>
      {said.length > 0 && (
        <ul>
          {said.map((one) => (
            <li key={one.id}>
              {visible(one.by)} {one.agrees ? 'agrees' : `says ${visible(shouldBe(one))}`}
              {one.note !== null && `: ${visible(one.note)}`}{' '}
              <span className="quiet">
                <Stamp at={one.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function shouldBe({ outcome }: Feedback): string {
  return Object.entries(outcome)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
