import type { ITheme } from '@xterm/xterm';

/** The terminal in the page's own colours, as they stand on the root now. */
export function terminalTheme(root: HTMLElement): ITheme {
  const style = getComputedStyle(root);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [ink, quiet] = [colour('ink'), colour('quiet')];
  return {
    ...{ background: colour('panel'), foreground: ink, cursor: colour('panel'), cursorAccent: colour('panel') },
    selectionBackground: `${colour('accent')}55`,
    ...{ black: ink, brightBlack: quiet, white: quiet, brightWhite: ink },
    ...{ red: colour('failed'), brightRed: colour('kill'), green: colour('done'), brightGreen: colour('done') },
    ...{
      yellow: colour('open'),
      brightYellow: colour('waiting'),
      blue: colour('reused'),
      brightBlue: colour('accent'),
    },
    ...{
      magenta: colour('uncertain'),
      brightMagenta: colour('uncertain'),
      cyan: colour('reused'),
      brightCyan: colour('accent'),
    },
  };
}
