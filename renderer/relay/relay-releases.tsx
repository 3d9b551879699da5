import { useState } from 'react';
import type { ReleaseRow } from '../../runtime/contract/index.ts';
import { useAnswer } from '../design/answer.ts';
import { ErrorView, Loading } from '../design/states.tsx';
import { byteSize } from '../design/words.ts';
import { useLab } from '../store/lab-store.ts';

/** The frozen copies that runs of the relay are bound to. */
export function RelayReleases({ relay }: { readonly relay: string }) {
  // A new run may have made a new release: the list is read again for each.
  const latest = useLab(
    ({ runs }) =>
      Object.values(runs).reduce((hashes, run) => (run.relay === relay ? hashes.add(run.release) : hashes), new Set())
        .size,
  );
  return <ReleaseList key={latest} relay={relay} />;
}

function ReleaseList({ relay }: { readonly relay: string }) {
  const { value, error, again } = useAnswer('release/list', {});
  if (error !== null) return <ErrorView error={error} retry={again} />;
  if (value === null) return <Loading what="the releases" />;
  const own = value.filter(({ name }) => name === relay);
  if (own.length === 0)
    return <p className="text-quiet">None yet: each new run publishes one when the folder changed.</p>;
  return (
    <ul className="space-y-1">
      {own.map((release) => (
        <li key={release.hash}>
          <Release release={release} />
        </li>
      ))}
    </ul>
  );
}

function Release({ release: { hash, files } }: { readonly release: ReleaseRow }) {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <details>
      <summary className="cursor-pointer rounded">
        <code className="font-mono">{hash.slice(0, 19)}…</code>
        <span className="ml-3 text-quiet">
          {files.length} files, {byteSize(files.reduce((sum, { bytes }) => sum + bytes, 0))}
        </span>
      </summary>
      <ul className="mt-1 mb-2 ml-4">
        {files.map(({ path, bytes }) => (
          <li key={path}>
            <button
              type="button"
              aria-expanded={shown === path}
              onClick={() => setShown(shown === path ? null : path)}
              className="flex w-full justify-between gap-3 rounded px-1 text-left hover:bg-raised"
            >
              <code className="font-mono wrap-anywhere">{path}</code>
              <span className="text-quiet tabular-nums">{byteSize(bytes)}</span>
            </button>
            {shown === path && <Source hash={hash} path={path} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Source({ hash, path }: { readonly hash: string; readonly path: string }) {
  const { value, error, again } = useAnswer('release/source', { hash, path });
  if (error !== null) return <ErrorView error={error} retry={again} />;
  if (value === null) return <Loading what={path} />;
  return (
    <pre
      tabIndex={0}
      aria-label={path}
      className="my-1 max-h-96 overflow-auto rounded border border-line bg-page p-2 font-mono text-[12px]"
    >
      {value.text}
    </pre>
  );
}
