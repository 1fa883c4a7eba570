import { rich, t } from '../strings/text.js';
import { useMutation } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { signOut, useSignIn } from '../api/access.js';
import { errorMessage } from '../ui/states.js';
import './menu.css';
import './sign-in.css';

/** The signed-in person with the role, and the sign-out. Nothing is shown if no person is signed in. */
export function PersonMenu() {
  const { data } = useSignIn();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: (endSessionUrl) => window.location.assign(endSessionUrl ?? '/'),
  });
  const person = data?.person ?? null;
  if (person === null) return null;
  return (
    <>
      <button
        type="button"
        className="button button-bare person"
        aria-label={t('shell.signedInAsRole', { name: person.name, role: person.role })}
        popoverTarget="person"
      >
        <UserRound aria-hidden="true" size={16} />
        <span className="wide-only cut">{person.name}</span>
      </button>
      <div id="person" popover="auto" className="menu">
        <p className="person-facts">
          {person.name}
          <small>{rich('shell.role', { role: person.role })}</small>
        </p>
        <button
          type="button"
          className="button button-bare menu-item"
          disabled={leaving.isPending}
          onClick={() => leaving.mutate()}
        >
          {t('shell.signOut')}
        </button>
        {leaving.isError && <p role="alert">{errorMessage(leaving.error)}</p>}
      </div>
    </>
  );
}
