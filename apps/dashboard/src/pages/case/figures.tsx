/** A row of named figures. A figure of null is not shown. */
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
