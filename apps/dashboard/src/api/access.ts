import type { SignInState } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { askJson } from './request.js';

/** Key of the query for the signed-in person. */
export const SIGN_IN = ['sign-in'];

/** Reads who is signed in, and how a person can sign in. */
export function useSignIn() {
  return useQuery({
    queryKey: SIGN_IN,
    queryFn: ({ signal }) => askJson<SignInState>('/auth/session', { signal }),
    staleTime: Infinity,
  });
}

/** Opens a session with a personal key. @throws ApiProblem. */
export function signInByKey(key: string): Promise<unknown> {
  return askJson('/auth/key', posted({ key }));
}

/** Ends the session. Returns the page of the provider that ends its session; null: there is none. */
export async function signOut(): Promise<string | null> {
  const answer = await askJson<{ endSessionUrl: string | null }>('/auth/sign-out', posted({}));
  return answer.endSessionUrl;
}

/** Returns the address that begins a sign-in and returns to this page. */
export function signInHref({ pathname, search, hash }: Location = window.location): string {
  return `/auth/sign-in?to=${encodeURIComponent(pathname + search + hash)}`;
}

const posted = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
