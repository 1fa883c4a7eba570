import { Settings2 } from 'lucide-react';
import type { Zone } from '../format/time.js';
import { THEMES, usePreferences, type Theme } from './preferences.js';
import './menu.css';
import { LOCAL_ZONE } from '../format/time.js';

const THEME_NAMES: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };
const ZONES: readonly Zone[] = ['local', 'utc'];

/** Theme and time zone, in a popover of the browser's own. */
export function SettingsMenu() {
  const { theme, zone, setTheme, setZone } = usePreferences();
  const zoneNames: Record<Zone, string> = { local: localZone(), utc: 'UTC' };
  return (
    <>
      <button
        type="button"
        className="button button-bare icon-button"
        aria-label="Theme and time zone"
        popoverTarget="settings"
      >
        <Settings2 aria-hidden="true" size={16} />
      </button>
      <div id="settings" popover="auto" className="menu">
        <Choice label="Theme" value={theme} options={THEMES} names={THEME_NAMES} choose={setTheme} />
        <Choice label="Times in" value={zone} options={ZONES} names={zoneNames} choose={setZone} />
        <a className="menu-item" href="/api/docs">
          API reference
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
  return `Local (${LOCAL_ZONE})`;
}
