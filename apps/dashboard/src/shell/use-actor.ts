import { useSignIn } from '../api/access.js';
import { usePreferences } from './preferences.js';

/** Name of acts without a name. */
const NAMELESS = 'console';

export interface Actor {
  /** Name of the acts of this person. */
  name: string;
  /** Whether the name is that of the session, so that the person does not type it. */
  isSignedIn: boolean;
}

/** Returns under which name this person acts: that of the session, or the one typed in the review desk. */
export function useActor(): Actor {
  const { data } = useSignIn();
  const { reviewer } = usePreferences();
  const person = data?.person ?? null;
  if (person !== null) return { name: person.name, isSignedIn: true };
  return { name: reviewer.trim() === '' ? NAMELESS : reviewer.trim(), isSignedIn: false };
}
