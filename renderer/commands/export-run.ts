import { asLabError, type Run } from '../../runtime/contract/index.ts';
import { act } from '../lab/act.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { notify } from '../store/view-store.ts';

/** Saves everything that the ledger holds of a run: by the window's own dialog, or as a download. */
export async function exportRun({ id }: Run): Promise<void> {
  const held = await act('run/export', { run: id });
  if (held === null) return;
  const name = `run-${id.replaceAll(/[^\w.-]/g, '_').slice(0, 80)}.json`;
  const text = `${JSON.stringify(held, null, 2)}\n`;
  if (useLab.getState().info?.host !== 'desktop') {
    download(name, text);
    return;
  }
  try {
    const saved = await lab.call('host/save', { name, text });
    if (saved !== null) notify(`Saved ${saved}`);
  } catch (thrown) {
    notify('The run could not be saved', asLabError(thrown));
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download holds the blob by itself once it began.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  notify(`Saved ${name} to the downloads`);
}
