import { Command } from 'cmdk';
import { playScenario } from '../commands/play-scenario.ts';
import { runMarks } from '../design/marks.ts';
import { shortId } from '../design/words.ts';
import { orderedRuns } from '../side/run-order.ts';
import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';
import { go, openDialog, runInView, select, useView } from '../store/view-store.ts';
import { Item } from './palette-item.tsx';

/** As many as can be looked through by typing without the list getting slow. */
const most = 200;

/** What can be gone to: scenarios, relays, runs, and operations of the run in view. */
export function LabItems({ isSearching }: { readonly isSearching: boolean }) {
  const isConnected = useLab(({ connection }) => connection.state === 'open');
  const scenarios = useLab(({ scenarios }) => scenarios);
  const relays = useLab(({ relays }) => relays);
  const services = useLab(({ status }) => status?.services);
  return (
    <>
      <Command.Group heading="Scenarios">
        {scenarios.flatMap(({ name, title }) => [
          <Item
            key={name}
            value={`scenario ${name}`}
            keywords={[title]}
            note="show"
            onChoose={() => go({ kind: 'scenario', name })}
          >
            {name}
          </Item>,
          isSearching && isConnected && (
            <Item
              key={`play ${name}`}
              value={`play scenario ${name}`}
              note="play"
              onChoose={() => {
                go({ kind: 'scenario', name });
                void playScenario(name);
              }}
            >
              <span aria-hidden="true">▶</span> Play {name}
            </Item>
          ),
        ])}
      </Command.Group>
      <Command.Group heading="Relays">
        {relays.flatMap(({ folder, name }) => [
          <Item key={folder} value={`relay ${name} ${folder}`} onChoose={() => go({ kind: 'relay', folder })}>
            {name}
          </Item>,
          isSearching && isConnected && (
            <Item
              key={`new ${folder}`}
              value={`new run of ${name} ${folder}`}
              note="new run"
              onChoose={() => openDialog({ kind: 'new-run', folder })}
            >
              New run of {name}…
            </Item>
          ),
        ])}
      </Command.Group>
      {isSearching && <OperationItems />}
      <RunItems isSearching={isSearching} />
      <Command.Group heading="Services">
        {services?.map(({ name }) => (
          <Item key={name} value={`service ${name}`} onChoose={() => go({ kind: 'service', name })}>
            {name}
          </Item>
        ))}
      </Command.Group>
    </>
  );
}

function OperationItems() {
  const run = useView(({ place }) => runInView(place));
  const history = useOpenRun(({ history }) => history);
  if (run === null || history.run !== run) return null;
  return (
    <Command.Group heading="Operations of the run">
      {history.operations.slice(0, most).map(({ id, name, kind }) => (
        <Item key={id} value={`operation ${id} ${name}`} note={kind} onChoose={() => select(id)}>
          <code className="font-mono text-quiet">{id}</code> {name}
        </Item>
      ))}
    </Command.Group>
  );
}

function RunItems({ isSearching }: { readonly isSearching: boolean }) {
  const runs = useLab(({ runs }) => runs);
  const shown = orderedRuns(runs, { state: null, text: '' }).slice(0, isSearching ? most : 5);
  return (
    <Command.Group heading="Runs">
      {shown.map(({ id, relay, state }) => (
        <Item
          key={id}
          value={`run ${relay} ${id} ${runMarks[state].words}`}
          note={runMarks[state].words}
          onChoose={() => go({ kind: 'run', run: id })}
        >
          <span className={runMarks[state].colour} aria-hidden="true">
            {runMarks[state].sign}
          </span>
          {relay} <code className="font-mono text-[12px] text-quiet">{shortId(id)}</code>
        </Item>
      ))}
    </Command.Group>
  );
}
