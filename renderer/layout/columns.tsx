import type { ReactNode } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { ResizeHandle } from './resize-handle.tsx';

interface ColumnsProps {
  readonly side: ReactNode;
  readonly middle: ReactNode;
  /** Null while it is hidden. */
  readonly inspector: ReactNode;
}

/** Side, middle and inspector, resizable; their sizes are kept. */
export function Columns({ side, middle, inspector }: ColumnsProps) {
  const panelIds = ['side', 'middle', ...(inspector === null ? [] : ['inspector'])];
  const layout = useDefaultLayout({ id: 'recovery-lab-columns', panelIds, onlySaveAfterUserInteractions: true });
  return (
    <Group defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged} className="min-h-0">
      <Panel id="side" defaultSize={252} minSize={190} maxSize={460} groupResizeBehavior="preserve-pixel-size">
        {side}
      </Panel>
      <ResizeHandle label="Width of the side" />
      <Panel id="middle" minSize={360}>
        {middle}
      </Panel>
      {inspector !== null && (
        <>
          <ResizeHandle label="Width of the inspector" />
          <Panel id="inspector" defaultSize={320} minSize={240} maxSize={620} groupResizeBehavior="preserve-pixel-size">
            {inspector}
          </Panel>
        </>
      )}
    </Group>
  );
}

/** The page above, and below it the terminal when there is one. */
export function Rows({ upper, lower }: { readonly upper: ReactNode; readonly lower: ReactNode }) {
  const panelIds = ['upper', ...(lower === null ? [] : ['lower'])];
  const layout = useDefaultLayout({ id: 'recovery-lab-rows', panelIds, onlySaveAfterUserInteractions: true });
  return (
    <Group
      orientation="vertical"
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
      className="min-h-0 flex-1"
    >
      <Panel id="upper" minSize={200}>
        {upper}
      </Panel>
      {lower !== null && (
        <>
          <ResizeHandle label="Height of the terminal" />
          <Panel id="lower" defaultSize={190} minSize={90} maxSize="70%" groupResizeBehavior="preserve-pixel-size">
            {lower}
          </Panel>
        </>
      )}
    </Group>
  );
}

/** A scenario with one of its runs beside it. */
export function Beside({ scenario, run }: { readonly scenario: ReactNode; readonly run: ReactNode }) {
  const layout = useDefaultLayout({ id: 'recovery-lab-beside', onlySaveAfterUserInteractions: true });
  return (
    <Group defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged} className="h-full">
      <Panel id="scenario" defaultSize="38%" minSize={280}>
        {scenario}
      </Panel>
      <ResizeHandle label="Width of the scenario" />
      <Panel id="run" minSize={360}>
        {run}
      </Panel>
    </Group>
  );
}
