import { useShortcuts } from './commands/shortcuts.ts';
import { useMedia } from './design/media.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { Columns, Rows } from './layout/columns.tsx';
import { Middle } from './layout/middle.tsx';
import { Overlay } from './layout/overlay.tsx';
import { Notices } from './notices/notices.tsx';
import { Inspector } from './run/inspector.tsx';
import { useTheme } from './settings/theme.ts';
import { Side } from './side/side.tsx';
import { ConnectionBanner } from './status/connection-banner.tsx';
import { StatusBar } from './status/status-bar.tsx';
import { TitleBar } from './status/title-bar.tsx';
import { useLab } from './store/lab-store.ts';
import { runInView, useView } from './store/view-store.ts';
import { TerminalPane } from './terminal/terminal-pane.tsx';

/** The page: side, middle and inspector, with the terminal below them. */
export function App() {
  useTheme();
  useShortcuts();
  const isNarrow = useMedia('(max-width: 999px)');
  return (
    <div className="flex h-full flex-col">
      <TitleBar isNarrow={isNarrow} />
      <ConnectionBanner />
      {isNarrow ? <NarrowPage /> : <WidePage />}
      <StatusBar />
      <Dialogs />
      <Notices />
    </div>
  );
}

function WidePage() {
  const run = useView(({ place }) => runInView(place));
  // Beside its scenario a run has room for an inspector only when something is selected.
  const showsInspector = useView(
    ({ place, inspectorOpen, operation }) => inspectorOpen && (place.kind === 'run' || operation !== null),
  );
  const showsTerminal = useView(({ terminalOpen }) => terminalOpen);
  return (
    <Rows
      upper={
        <Columns
          side={<Side />}
          middle={<Main />}
          inspector={run !== null && showsInspector ? <Inspector key={run} run={run} /> : null}
        />
      }
      lower={run !== null && showsTerminal ? <TerminalPane key={run} run={run} /> : null}
    />
  );
}

function NarrowPage() {
  const run = useView(({ place }) => runInView(place));
  const showsTerminal = useView(({ terminalOpen }) => terminalOpen);
  return (
    <>
      <Rows upper={<Main />} lower={run !== null && showsTerminal ? <TerminalPane key={run} run={run} /> : null} />
      <Overlay of="side" label="The lab">
        <Side />
      </Overlay>
      {run !== null && (
        <Overlay of="inspector" label="Inspector">
          <Inspector key={run} run={run} />
        </Overlay>
      )}
    </>
  );
}

/** The middle; grey while what it shows is not live. */
function Main() {
  const isStale = useLab(({ connection, info }) => connection.state !== 'open' && info !== null);
  return (
    <main aria-busy={isStale} className={`h-full min-h-0 overflow-hidden ${isStale ? 'grayscale' : ''}`}>
      <Middle />
    </main>
  );
}
