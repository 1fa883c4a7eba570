import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Zone } from '../format/time.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

interface Preferences {
  theme: Theme;
  zone: Zone;
  setTheme(theme: Theme): void;
  setZone(zone: Zone): void;
}

const PreferencesContext = createContext<Preferences | null>(null);

/** What this browser shows and how; kept in it. */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useKept<Theme>('casefile.theme', THEMES, 'system');
  const [zone, setZone] = useKept<Zone>('casefile.zone', ['local', 'utc'], 'local');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const value = useMemo(() => ({ theme, zone, setTheme, setZone }), [theme, zone, setTheme, setZone]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  const found = useContext(PreferencesContext);
  if (found === null) throw new Error('there is no PreferencesProvider above');
  return found;
}

function useKept<T extends string>(key: string, allowed: readonly T[], initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(
    () => allowed.find((it) => it === localStorage.getItem(key)) ?? initial,
  );
  const keep = useMemo(
    () => (next: T) => {
      localStorage.setItem(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, keep];
}
