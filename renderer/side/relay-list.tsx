import { FolderOpen, Plus, X } from 'lucide-react';
import { useEnabled } from '../commands/command-button.tsx';
import { giveCommand } from '../commands/commands.ts';
import { forgetRelay } from '../relay/forget-relay.ts';
import { useLab } from '../store/lab-store.ts';
import { go, openDialog, useView } from '../store/view-store.ts';
import { Row, RowButton, Section } from './section.tsx';

/** Folders that a person opened, then the scenarios' own relays. */
export function RelayList() {
  const relays = useLab(({ relays }) => relays);
  const current = useView(({ place }) => (place.kind === 'relay' ? place.folder : null));
  const isConnected = useEnabled('open-relay');
  const ordered = [...relays].sort((a, b) => Number(a.origin === 'scenario') - Number(b.origin === 'scenario'));
  return (
    <Section
      title="Relays"
      count={relays.length}
      tools={
        <RowButton label="Open relay…" isDisabled={!isConnected} onPress={() => giveCommand('open-relay')}>
          <FolderOpen size={13} aria-hidden="true" />
        </RowButton>
      }
    >
      <ul className="px-1">
        {ordered.map(({ folder, name, origin, problem }) => (
          <li key={folder}>
            <Row
              isCurrent={current === folder}
              title={problem?.message ?? folder}
              onOpen={() => go({ kind: 'relay', folder })}
              tools={
                <>
                  {origin === 'opened' && (
                    <RowButton
                      label={`Forget ${name}; its folder and its runs stay`}
                      isDisabled={!isConnected}
                      onPress={() => void forgetRelay(folder)}
                    >
                      <X size={12} aria-hidden="true" />
                    </RowButton>
                  )}
                  <RowButton
                    label={`New run of ${name}…`}
                    isDisabled={!isConnected}
                    onPress={() => openDialog({ kind: 'new-run', folder })}
                  >
                    <Plus size={13} aria-hidden="true" />
                  </RowButton>
                </>
              }
            >
              <span className={`w-3.5 shrink-0 text-center ${problem === null ? 'text-quiet' : 'text-failed'}`}>
                <span aria-hidden="true">{problem === null ? '▪' : '!'}</span>
                {problem !== null && <span className="sr-only">has a problem</span>}
              </span>
              <span className="truncate">{name}</span>
              {origin === 'opened' && <span className="ml-auto shrink-0 text-[11px] text-quiet">opened</span>}
            </Row>
          </li>
        ))}
      </ul>
    </Section>
  );
}
