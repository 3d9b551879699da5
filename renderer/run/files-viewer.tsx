import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { asLabError, type LabError, type RunFile, type RunFileContent } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { byteSize } from '../design/words.ts';
import { fileLines } from '../files/file-text.ts';
import { lab } from '../lab/lab.ts';

const partBytes = 64 * 1024;
const lineHeight = 18;

interface Read {
  /** The version of the file that this is a part of. */
  readonly version: string;
  readonly parts: readonly RunFileContent[];
  readonly error: LabError | null;
}

/** A file of the run, part by part. Read again from its beginning when it has changed. */
export function FileViewer({ run, file }: { readonly run: string; readonly file: RunFile }) {
  const { path, bytes, modifiedAt } = file;
  const version = `${path} ${bytes} ${modifiedAt}`;
  const [read, setRead] = useState<Read>({ version: '', parts: [], error: null });
  const [isReading, setIsReading] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef(version);

  async function readPart(offset: number): Promise<void> {
    setIsReading(true);
    const next = await lab.call('run/file', { run, path, offset, limit: partBytes }).then(
      (part) => ({ part, error: null }),
      (thrown: unknown) => ({ part: null, error: asLabError(thrown) }),
    );
    if (wanted.current !== version) return;
    setIsReading(false);
    setRead(({ version: known, parts }) => ({
      version,
      error: next.error,
      parts: next.part === null ? parts : offset === 0 || known !== version ? [next.part] : [...parts, next.part],
    }));
  }
  const readFirst = useRef(readPart);
  readFirst.current = readPart;
  useEffect(() => {
    wanted.current = version;
    void readFirst.current(0);
  }, [run, version]);

  const { lines, form } = useMemo(() => fileLines(read.parts), [read.parts]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  const isThisFile = read.version.startsWith(`${path} `);
  if (isThisFile && read.error !== null) return <ErrorView error={read.error} retry={() => void readPart(0)} />;
  if (!isThisFile) return <Loading what={path} />;
  const last = read.parts.at(-1);
  const next = last?.next ?? null;
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-1.5 text-xs text-quiet">
        <h2 className="font-mono text-ink">{path}</h2>
        <span className="tabular-nums">
          {byteSize(bytes)} · {form}
          {next !== null && ` · the first ${byteSize(next)}`}
        </span>
        <span className="ml-auto flex gap-2">
          {next !== null && (
            <Button disabled={isReading} onClick={() => void readPart(next)}>
              Read {byteSize(Math.min(partBytes, (last?.bytes ?? 0) - next))} more
            </Button>
          )}
          <Button onClick={() => void navigator.clipboard.writeText(path)}>Copy path</Button>
          <Button onClick={() => void navigator.clipboard.writeText(lines.join('\n'))}>Copy content</Button>
        </span>
      </header>
      {bytes === 0 ? (
        <Empty title="The file is empty" />
      ) : (
        <div
          ref={scroller}
          tabIndex={0}
          role="region"
          aria-label={`Content of ${path}`}
          className="min-h-0 flex-1 overflow-auto py-1"
        >
          <pre
            className="relative font-mono text-xs"
            style={{ height: virtual.getTotalSize(), width: 'max-content', minWidth: '100%' }}
          >
            {virtual.getVirtualItems().map(({ index, start }) => (
              <div
                key={index}
                className="absolute left-0 flex"
                style={{ top: start, height: lineHeight, lineHeight: `${lineHeight}px` }}
              >
                <span aria-hidden="true" className="w-14 shrink-0 pr-3 text-right text-quiet select-none">
                  {index + 1}
                </span>
                {lines[index]}
              </div>
            ))}
          </pre>
        </div>
      )}
    </div>
  );
}
