import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Zone } from '../format/time.js';
import { LANGUAGE_KEY, LANGUAGES } from '../strings/language.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** `browser`: the first language of the browser that exists. */
export const LANGUAGE_CHOICES = ['browser', ...LANGUAGES] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];
const BANNERS = ['as fits', 'open', 'folded'] as const;
type Banner = (typeof BANNERS)[number];

interface Preferences {
  theme: Theme;
  language: LanguageChoice;
  zone: Zone;
  /** Size of the demonstration banner; `as fits`: one line on a phone, else all of it. */
  banner: Banner;
  setTheme(theme: Theme): void;
  /** Stores the language and loads the page again in it. */
  setLanguage(language: LanguageChoice): void;
  setZone(zone: Zone): void;
  setBanner(banner: Banner): void;
}

const PreferencesContext = createContext<Preferences | null>(null);

/** Preferences of display, stored in this browser. */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useStoredChoice<Theme>('casefile.theme', THEMES, 'system');
  const [language, storeLanguage] = useStoredChoice<LanguageChoice>(
    LANGUAGE_KEY,
    LANGUAGE_CHOICES,
    'browser',
  );
  const setLanguage = useMemo(
    () => (next: LanguageChoice) => {
      storeLanguage(next);
      window.location.reload();
    },
    [storeLanguage],
  );
  const [zone, setZone] = useStoredChoice<Zone>('casefile.zone', ['local', 'utc'], 'local');
  const [banner, setBanner] = useStoredChoice<Banner>('casefile.banner', BANNERS, 'as fits');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const value = useMemo(
    () => ({ theme, language, zone, banner, setTheme, setLanguage, setZone, setBanner }),
    [theme, language, zone, banner, setTheme, setLanguage, setZone, setBanner],
  );
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === null) throw new Error('there is no PreferencesProvider above');
  return preferences;
}

function useStoredChoice<T extends string>(
  key: string,
  allowed: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [value, keep] = useStoredText(key, initial);
  return [allowed.find((it) => it === value) ?? initial, keep];
}

function useStoredText(key: string, initial: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => localStorage.getItem(key) ?? initial);
  const keep = useMemo(
    () => (next: string) => {
      localStorage.setItem(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, keep];
}
