import { runTabs, type Place, type RunTab } from './view-store.ts';

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
    case 'vault':
      return ['vault'];
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
  if (kind === 'vault') return { kind };
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
