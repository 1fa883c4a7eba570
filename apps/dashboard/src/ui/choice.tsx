import './labelled-field.css';

interface SelectProps {
  label: string;
  value: string;
  /** `[value, text]` */
  options: readonly (readonly [string, string])[];
  /** Text of the choice without a value. Default: no such choice. */
  all?: string;
  change(value: string): void;
}

/** A labelled list of which one entry is chosen. An empty value chooses all. */
export function Choice({ label, value, options, all, change }: SelectProps) {
  return (
    <label className="labelled-field">
      <span>{label}</span>
      <select className="field" value={value} onChange={(event) => change(event.target.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
