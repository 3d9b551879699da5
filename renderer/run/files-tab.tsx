import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type KeyboardEvent } from 'react';
import type { EventType, RunFile } from '../../runtime/contract/index.ts';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { byteSize, clockTime } from '../design/words.ts';
import { chooseFile, useChosenFile } from '../files/chosen-file.ts';
import { useLiveAnswer } from '../store/live-answer.ts';
import { FileViewer } from './files-viewer.tsx';

/** Events after which the run's folder may hold more. */
const turns: ReadonlySet<EventType> = new Set([
  'artifact.added',
  'attempt.spawned',
  'attempt.ended',
  'receipt.added',
  'run.moved',
]);
const rowHeight = 40;

/** Files of the run's folder, and the content of one. */
export function FilesTab({ run }: { readonly run: string }) {
  const { answer: files, error, retry } = useLiveAnswer('run/files', { run }, turns, 500);
  const chosen = useChosenFile((paths) => paths[run] ?? null);
  if (files === null) return error === null ? <Loading what="the files" /> : <ErrorView error={error} retry={retry} />;
  if (files.length === 0) {
    return (
      <Empty title="The run has no files yet">
        <p>Output, transcripts, result and trace appear here as the run writes them.</p>
      </Empty>
    );
  }
  const file = files.find(({ path }) => path === chosen) ?? null;
  return (
    <section aria-label="Files" className="flex h-full min-h-0">
      <FileList run={run} files={files} chosen={file?.path ?? null} />
      <div className="min-w-0 flex-1 bg-panel">
        {error !== null && <ErrorView error={error} retry={retry} />}
        {file !== null ? (
          <FileViewer key={file.path} run={run} file={file} />
        ) : (
          <Empty title={chosen === null ? 'No file is chosen' : `The run has no file ${chosen}`}>
            <p>Choose one at the left. Paths are relative to the run's folder.</p>
          </Empty>
        )}
      </div>
    </section>
  );
}

interface FileListProps {
  readonly run: string;
  readonly files: readonly RunFile[];
  readonly chosen: string | null;
}

function FileList({ run, files, chosen }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const place = files.findIndex(({ path }) => path === chosen);
  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      Home: 0,
      End: files.length - 1,
    };
    const to = steps[event.key];
    const file = to === undefined ? undefined : files[Math.max(0, Math.min(files.length - 1, to))];
    if (to === undefined || file === undefined) return;
    event.preventDefault();
    chooseFile(run, file.path);
    virtual.scrollToIndex(to);
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Files of the run"
      tabIndex={0}
      {...(place === -1 ? {} : { 'aria-activedescendant': `run-file-${place}` })}
      onKeyDown={onKeyDown}
      className="w-72 shrink-0 overflow-y-auto border-r border-line -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const file = files[index];
          if (file === undefined) return null;
          const { path, bytes, modifiedAt, text } = file;
          return (
            <div
              key={path}
              id={`run-file-${index}`}
              role="option"
              aria-selected={path === chosen}
              aria-setsize={files.length}
              aria-posinset={index + 1}
              onClick={() => chooseFile(run, path)}
              className={`absolute inset-x-0 cursor-default px-3 py-1 ${path === chosen ? 'bg-accent/15' : 'hover:bg-raised'}`}
              style={{ top: start, height: rowHeight }}
            >
              <p className="truncate font-mono text-xs" title={path}>
                {path}
              </p>
              <p className="text-[11px] text-quiet tabular-nums">
                {byteSize(bytes)} · {clockTime(modifiedAt)}
                {text ? '' : ' · binary'}
              </p>
            </div>
          );
        })}
      </div>
    </div>
  );
}
