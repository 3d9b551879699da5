import { go, runTabs, useView, type Place, type RunTab } from './view-store.ts';

/** What of the view stands in the address, so that reload, back, forward and bookmarks lead to it. */
interface Address {
  readonly place: Place;
  readonly tab: RunTab | null;
}

export function toHash({ place, tab }: Address): string {
  const parts = partsOf(place);
  const path = `#/${parts.map(encodeURIComponent).join('/')}`;
  const showsRun = place.kind === 'run' || (place.kind === 'scenario' && place.run !== undefined);
  return showsRun && tab !== null && tab !== 'timeline' ? `${path}?tab=${tab}` : path;
}

function partsOf(place: Place): string[] {
  switch (place.kind) {
    case 'welcome':
      return [];
    case 'scenario':
      return ['scenario', place.name, ...(place.run === undefined ? [] : [place.run])];
    case 'relay':
      return ['relay', place.folder];
    case 'service':
      return ['service', place.name];
    case 'run':
      return ['run', place.run];
  }
}

/** The place that a hash names; null for none that is known. */
export function fromHash(hash: string): Address | null {
  const [path = '', query = ''] = hash.split('?');
  if (!path.startsWith('#/')) return null;
  const parts = path.slice(2).split('/').map(decoded);
  const asked = new URLSearchParams(query).get('tab');
  const tab = runTabs.find((one) => one === asked) ?? null;
  const place = placeOf(parts);
  return place === null ? null : { place, tab };
}

function placeOf([kind, first = '', second]: readonly string[]): Place | null {
  if (kind === '') return { kind: 'welcome' };
  if (first === '') return null;
  if (kind === 'scenario') return { kind, name: first, ...(second === undefined ? {} : { run: second }) };
  if (kind === 'relay') return { kind, folder: first };
  if (kind === 'service') return { kind, name: first };
  return kind === 'run' ? { kind, run: first } : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

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
