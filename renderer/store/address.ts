import { fromHash, toHash } from './hash.ts';
import { go, useView } from './view-store.ts';

/** Keeps address and view the same, both ways, for as long as the page lives. */
export function mirrorAddress(): void {
  const take = (): void => {
    const address = fromHash(location.hash);
    if (address === null) return;
    if (toHash({ ...address, tab: null }) !== toHash({ ...useView.getState(), tab: null })) go(address.place);
    useView.setState({ tab: address.tab ?? 'timeline' });
  };
  take();
  history.replaceState(null, '', toHash(useView.getState()));
  useView.subscribe((view, before) => {
    const hash = toHash(view);
    if (hash === location.hash) return;
    // A change of tab is no step to go back over.
    if (view.place === before.place) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
  });
  window.addEventListener('popstate', take);
}
