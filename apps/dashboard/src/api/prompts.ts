import type {
  PromptDiff,
  PromptList,
  PromptName,
  RenderedPrompt,
  ShownPrompt,
  ShownPromptText,
  ShownPromptVersion,
} from '@casefile/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const KEY = 'prompts';
/** Polling interval in milliseconds, because acts of other people cause no event of a case. */
const EVERY_MS = 5_000;

const promptPath = ({ playbook, name }: PromptName): string =>
  `/prompts/${encodeURIComponent(playbook)}/${encodeURIComponent(name)}`;

/** Reads all prompts with their live versions. */
export function usePrompts() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => getJson<PromptList>('/prompts', signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads one prompt with its versions and history. */
export function usePrompt(of: PromptName) {
  return useQuery({
    queryKey: [KEY, of],
    queryFn: ({ signal }) => getJson<ShownPrompt>(promptPath(of), signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads the text of a version, which never changes. */
export function usePromptText(of: PromptName, version: number) {
  return useQuery({
    queryKey: [KEY, of, version, 'text'],
    queryFn: ({ signal }) => getJson<ShownPromptText>(`${promptPath(of)}/versions/${version}`, signal),
    staleTime: Infinity,
  });
}

/** Reads the differences between two versions. */
export function usePromptDiff(of: PromptName, from: number, to: number) {
  return useQuery({
    queryKey: [KEY, of, from, to],
    queryFn: ({ signal }) => getJson<PromptDiff>(`${promptPath(of)}/diff?from=${from}&to=${to}`, signal),
    staleTime: Infinity,
  });
}

/** Renders a text on a recorded case. Without an id, on the newest case that asked the prompt. */
export function useRenderedPrompt(of: PromptName, text: string, caseId: string) {
  return useQuery({
    queryKey: [KEY, of, 'render', text, caseId],
    queryFn: () =>
      postJson<RenderedPrompt>(`${promptPath(of)}/render`, {
        text,
        ...(caseId === '' ? {} : { caseId }),
      }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Author of acts on this page, because there are no accounts yet. */
const BY = 'console';

/** Adds a text as a candidate. */
export function useAddVersion(of: PromptName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: { text: string; message: string; parent: number }) =>
      postJson<ShownPromptVersion>(`${promptPath(of)}/versions`, { ...version, by: BY }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Moves a version to a state. */
export function useMoveVersion(of: PromptName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      version,
      ...move
    }: {
      version: number;
      state: 'live' | 'retired' | 'candidate';
      reason: string;
    }) => postJson<ShownPromptVersion>(`${promptPath(of)}/versions/${version}/state`, { ...move, by: BY }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
