import { useEffect } from 'react';
import { useMedia } from '../design/media.ts';
import { useView } from '../store/view-store.ts';

/** Sets the chosen theme, or the system's as it changes, on the page's root. */
export function useTheme(): void {
  const chosen = useView(({ theme }) => theme);
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const theme = chosen === 'system' ? (isSystemDark ? 'dark' : 'light') : chosen;
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
