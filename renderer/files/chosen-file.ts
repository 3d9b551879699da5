import { create } from 'zustand';
import { useView } from '../store/view-store.ts';

/** The file that the files tab shows, by run. */
export const useChosenFile = create<Readonly<Record<string, string>>>()(() => ({}));

export function chooseFile(run: string, path: string): void {
  useChosenFile.setState({ [run]: path });
}

/** Shows a file of the run in its tab. */
export function openFile(run: string, path: string): void {
  chooseFile(run, path);
  useView.setState({ tab: 'files' });
}
