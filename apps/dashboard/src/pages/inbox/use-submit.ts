import { useEffect, useRef } from 'react';

/** Calls `submit` for Ctrl+Enter or Cmd+Enter, also while the user types, unless the key is held. */
export function useSubmit(submit: (() => void) | null): void {
  const latest = useRef(submit);
  useEffect(() => void (latest.current = submit));
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat;
      if (!isSubmit || latest.current === null || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
