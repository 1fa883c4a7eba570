import { useSignIn } from '../api/access.js';

/** Name of acts in a console without sign-in. */
const NAMELESS = 'console';

/** Returns under which name this person acts: that of the session. */
export function useActor(): { name: string } {
  const { data } = useSignIn();
  return { name: data?.person?.name ?? NAMELESS };
}
