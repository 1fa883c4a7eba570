import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 220;

/** Returns the text that a field shows while the user types. Calls `change` after the user stops typing. */
export function useTyped(value: string, change: (value: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const latest = useRef(change);
  useEffect(() => void (latest.current = change));
  // The value changed without typing here: back navigation or a cleared filter.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
