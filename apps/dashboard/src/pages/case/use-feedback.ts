import type { Feedback, FeedbackList, GiveFeedback } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../shell/toasts.js';
import { messageOf } from '../../ui/states.js';
import { getJson, postJson } from '../../api/request.js';

/** Who the labels of the console are by: it knows no person. */
const BY = 'console';

/** The labels of a case, and ways to give one and to withdraw it. A new label replaces the earlier one. */
export function useFeedback(caseId: string) {
  const client = useQueryClient();
  const toast = useToast();
  const path = `/cases/${caseId}/feedback`;
  const queryKey = ['feedback', caseId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => getJson<FeedbackList>(path, signal),
  });
  const onSettled = () => client.invalidateQueries({ queryKey });
  const give = useMutation({
    mutationFn: (label: Pick<GiveFeedback, 'agree' | 'outcome'>) =>
      postJson<Feedback>(path, { ...label, by: BY }),
    onSuccess: ({ agrees }) =>
      toast({ title: agrees ? 'You agree with the verdict' : 'The answer is saved' }),
    onError: (error) => toast({ title: 'Nothing was saved', text: messageOf(error), isError: true }),
    onSettled,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => postJson<Feedback>(`${path}/${id}/withdraw`, {}),
    onError: (error) => toast({ title: 'Nothing was withdrawn', text: messageOf(error), isError: true }),
    onSettled,
  });
  const labels = data?.feedback ?? [];
  return { labels, give, withdraw, isOwn: (label: Feedback) => label.by === BY };
}
