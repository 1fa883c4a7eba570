import { rich, t } from '../strings/text.js';
import type { SignInState } from '@casefile/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { signInByKey, signInHref, useSignIn } from '../api/access.js';
import { Button } from '../ui/button.js';
import { errorMessage } from '../ui/states.js';
import './sign-in.css';

/** Command that creates a key without a sign-in. */
const NEW_KEY_COMMAND = 'casefile keys create NAME --role admin --direct';

/** Shows the sign-in instead of the pages while the console requires a proof and no person is signed in. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { data } = useSignIn();
  const isShut = data !== undefined && data.required && data.person === null;
  return isShut ? <SignInPage ways={data.ways} /> : children;
}

function SignInPage({ ways }: Pick<SignInState, 'ways'>) {
  const hasProvider = ways.includes('oidc');
  return (
    <main className="sign-in">
      <h1>{t('shell.signInToCasefile')}</h1>
      {hasProvider && (
        <a className="button button-primary" href={signInHref()}>
          {t('shell.signInWithYourOrganisation')}
        </a>
      )}
      {ways.includes('key') && <KeyForm isMain={!hasProvider} />}
      <p className="sign-in-help">
        {rich('shell.noKeyAnAdministratorCreates', { code: <code>{NEW_KEY_COMMAND}</code> })}
      </p>
    </main>
  );
}

function KeyForm({ isMain }: { isMain: boolean }) {
  const [key, setKey] = useState('');
  const sending = useMutation({
    mutationFn: signInByKey,
    // Every read of the page starts again, as this person.
    onSuccess: () => window.location.reload(),
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    sending.mutate(key.trim());
  };
  return (
    <form className="sign-in-key" onSubmit={send}>
      <label htmlFor="access-key">{t('shell.personalAccessKey')}</label>
      <input
        id="access-key"
        className="field"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="cf_..."
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button
        type="submit"
        kind={isMain ? 'primary' : 'plain'}
        disabled={key.trim() === '' || sending.isPending}
      >
        {t('shell.signInWithAKey')}
      </Button>
      {sending.isError && (
        <p className="sign-in-problem" role="alert">
          {errorMessage(sending.error)}
        </p>
      )}
    </form>
  );
}
