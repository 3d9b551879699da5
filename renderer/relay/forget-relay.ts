import { asLabError } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { readRelays } from '../store/mirror.ts';
import { go, notify, useView } from '../store/view-store.ts';

/** Takes a folder out of the list. Nothing of it is removed. */
export async function forgetRelay(folder: string): Promise<void> {
  try {
    await lab.call('relay/forget', { folder });
    const { place } = useView.getState();
    if (place.kind === 'relay' && place.folder === folder) go({ kind: 'welcome' });
    notify(`Forgot ${folder}: its files and its runs stay as they are`);
    await readRelays();
  } catch (thrown) {
    notify('The folder could not be taken out of the list', asLabError(thrown));
  }
}
