import { createContext, Fragment, useCallback, useContext, useState, type ReactNode } from 'react';
import './new-keys.css';

/** A card with a new key. `card` receives the function that closes it. */
interface ShownKey {
  readonly id: string;
  readonly card: (close: () => void) => ReactNode;
}

const ShownKeysContext = createContext<(shown: ShownKey) => void>(() => undefined);

/** Returns a function that shows a card until it is closed. */
export function useKeepCard(): (shown: ShownKey) => void {
  return useContext(ShownKeysContext);
}

/**
 * Shows new keys on every page and on the sign-in. A key is shown once, so neither a change of the page nor the end
 * of a session may remove it.
 */
export function NewKeys({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownKey[]>([]);
  const show = useCallback((one: ShownKey) => setShown((before) => [...before, one]), []);
  const close = (id: string): void => setShown((before) => before.filter((one) => one.id !== id));
  return (
    <ShownKeysContext value={show}>
      {children}
      <div className="new-keys" role="status">
        {shown.map(({ id, card }) => (
          <Fragment key={id}>{card(() => close(id))}</Fragment>
        ))}
      </div>
    </ShownKeysContext>
  );
}
