import { askTest, tell } from './control.ts';

/** Options come first or after the window that the dialog belongs to. */
function optionsOf(given: readonly unknown[]): unknown {
  return given.at(-1);
}

/** Dialogs are answered by the test; without one they are left. */
export const dialog = {
  async showMessageBox(...given: unknown[]): Promise<unknown> {
    const options = optionsOf(given) as { cancelId?: number };
    return (await askTest('message', options)) ?? { response: options.cancelId ?? 0 };
  },
  async showOpenDialog(...given: unknown[]): Promise<unknown> {
    return (await askTest('open', optionsOf(given))) ?? { canceled: true, filePaths: [] };
  },
  async showSaveDialog(...given: unknown[]): Promise<unknown> {
    return (await askTest('save', optionsOf(given))) ?? { canceled: true, filePath: '' };
  },
  showErrorBox(title: string, content: string): void {
    tell({ tag: 'told', what: 'error-box', value: `${title}\n${content}` });
    console.error(`${title}\n${content}`);
  },
};
