/** A row of figures with their names; one that is null is left out. */
export function Figures({ figures }: { figures: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className="figures">
      {figures.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
