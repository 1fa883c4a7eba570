import './labelled-field.css';

interface DateFieldProps {
  label: string;
  value: string | undefined;
  change(value: string): void;
}

/** Field for the first or last day of a list. */
export function DateField({ label, value, change }: DateFieldProps) {
  return (
    <label className="labelled-field">
      <span>{label}</span>
      <input
        className="field"
        type="date"
        data-set={value !== undefined || undefined}
        value={value?.slice(0, 10) ?? ''}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}
