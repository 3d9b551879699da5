import { go, useView } from '../store/view-store.ts';
import { markOf } from '../vault/secret-mark.tsx';
import { useSecretRows } from '../vault/use-secret-rows.ts';
import { Row, Section } from './section.tsx';

/** The names of the lab's secrets; each opens the vault. */
export function VaultList() {
  const rows = useSecretRows() ?? [];
  const isHere = useView(({ place }) => place.kind === 'vault');
  const missing = rows.filter(({ set }) => set === null).length;
  return (
    <Section title="Vault" count={rows.length}>
      <ul className="px-1">
        <li>
          <Row
            isCurrent={isHere}
            title="Secrets of this lab: values are never shown"
            onOpen={() => go({ kind: 'vault' })}
          >
            <span aria-hidden="true" className="w-3.5 shrink-0 text-center text-quiet">
              ⚿
            </span>
            <span className="truncate">Secrets</span>
            {missing > 0 && <span className="ml-auto shrink-0 pr-1 text-[11px] text-waiting">{missing} not set</span>}
          </Row>
        </li>
        {rows.map((row) => {
          const { sign, colour, words } = markOf(row);
          return (
            <li key={row.name}>
              <Row isCurrent={false} title={words} onOpen={() => go({ kind: 'vault' })}>
                <span className={`w-3.5 shrink-0 text-center ${colour}`}>
                  <span aria-hidden="true">{sign}</span>
                  <span className="sr-only">{words}</span>
                </span>
                <code className="truncate font-mono text-[12px]">{row.name}</code>
                {row.set !== null && (
                  <span aria-hidden="true" className="ml-auto shrink-0 pr-1 text-quiet">
                    •••
                  </span>
                )}
              </Row>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
