import { Facts } from '../design/page-section.tsx';

/** The relay's variables as they stand in its folder now. A run keeps those that it started with. */
export function RelayVariables({ variables }: { readonly variables: Readonly<Record<string, string>> }) {
  const names = Object.keys(variables).sort();
  if (names.length === 0) return <p className="text-quiet">It has none.</p>;
  return (
    <>
      <Facts
        rows={names.map((name) => [
          name,
          <code key={name} className="font-mono whitespace-pre-wrap">
            {variables[name] === '' ? <span className="text-quiet">(empty)</span> : variables[name]}
          </code>,
        ])}
      />
      <p className="mt-2 text-quiet">
        Part of what a run is bound to: once one is changed in relay.json, runs that started before it cannot be
        recovered, and say so.
      </p>
    </>
  );
}
