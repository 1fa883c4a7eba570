import { t } from '../strings/text.js';
import { Settings2 } from 'lucide-react';
import type { Zone } from '../format/time.js';
import { LANGUAGE_NAMES } from '../strings/language.js';
import { LANGUAGE_CHOICES, THEMES, usePreferences, type LanguageChoice, type Theme } from './preferences.js';
import './menu.css';
import { LOCAL_ZONE } from '../format/time.js';

const THEME_NAMES: Record<Theme, string> = {
  system: t('shell.asTheSystem'),
  light: t('shell.light'),
  dark: t('shell.dark'),
};
const LANGUAGE_CHOICE_NAMES: Record<LanguageChoice, string> = {
  browser: t('shell.asTheBrowser'),
  ...LANGUAGE_NAMES,
};
const ZONES: readonly Zone[] = ['local', 'utc'];

/** Theme, language and time zone, in a popover of the browser's own. */
export function SettingsMenu() {
  const { theme, language, zone, setTheme, setLanguage, setZone } = usePreferences();
  const zoneNames: Record<Zone, string> = { local: localZone(), utc: 'UTC' };
  return (
    <>
      <button
        type="button"
        className="button button-bare icon-button"
        aria-label={t('shell.themeAndTimeZone')}
        popoverTarget="settings"
      >
        <Settings2 aria-hidden="true" size={16} />
      </button>
      <div id="settings" popover="auto" className="menu">
        <Choice
          label={t('shell.theme')}
          value={theme}
          options={THEMES}
          names={THEME_NAMES}
          choose={setTheme}
        />
        <Choice
          label={t('shell.language')}
          value={language}
          options={LANGUAGE_CHOICES}
          names={LANGUAGE_CHOICE_NAMES}
          choose={setLanguage}
        />
        <Choice label={t('shell.timesIn2')} value={zone} options={ZONES} names={zoneNames} choose={setZone} />
        <a className="menu-item" href="/api/docs">
          {t('shell.apiReference')}
        </a>
      </div>
    </>
  );
}

interface SettingChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly T[];
  names: Record<T, string>;
  choose(value: T): void;
}

function Choice<T extends string>({ label, value, options, names, choose }: SettingChoiceProps<T>) {
  return (
    <fieldset className="menu-group">
      <legend className="menu-label">{label}</legend>
      {options.map((option) => (
        <label key={option} className="menu-item">
          <input
            type="radio"
            className="radio"
            name={label}
            checked={option === value}
            onChange={() => choose(option)}
          />
          {names[option]}
        </label>
      ))}
    </fieldset>
  );
}

function localZone(): string {
  return t('shell.local', { zone: LOCAL_ZONE });
}
