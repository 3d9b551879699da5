import { styleText } from 'node:util';

/** Colours a text for stdout, where that shows colours. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** What a command says: results on stdout (text for people, or one JSON object a line), all else on stderr. */
export interface Output {
  readonly json: boolean;
  /** Set once nobody reads stdout any more; what is written after that is dropped. */
  readonly closed: boolean;
  /** A result: an object for programs, and the lines that a person sees instead. */
  result(value: object, lines: () => readonly string[]): void;
  /** Lines for people only. */
  text(...lines: string[]): void;
  /** One line on stderr. */
  note(line: string): void;
  /** What goes on right now: one live line on a terminal, else a line each. Null ends it. */
  progress(line: string | null): void;
  readonly paint: Paint;
  /** Resolves when all that was written has been taken. */
  flushed(): Promise<void>;
}

export function openOutput({ json }: { readonly json: boolean }): Output {
  const { stdout, stderr } = process;
  let closed = false;
  let live = false;
  let lastProgress = '';

  // A reader that has seen enough (`| head`) is no failure of the command.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
  });
  stderr.on('error', () => undefined);

  function write(text: string): void {
    eraseLive();
    if (!closed) stdout.write(text);
  }
  function eraseLive(): void {
    if (live) stderr.write('\r\u001b[K');
    live = false;
  }

  return {
    json,
    get closed() {
      return closed;
    },
    result(value, lines) {
      if (json) write(`${JSON.stringify(value)}\n`);
      else
        write(
          lines()
            .map((line) => `${line}\n`)
            .join(''),
        );
    },
    text(...lines) {
      if (!json) write(lines.map((line) => `${line}\n`).join(''));
    },
    note(line) {
      eraseLive();
      stderr.write(`${line}\n`);
    },
    progress(line) {
      if (line === null) return eraseLive();
      if (!stderr.isTTY) {
        if (line !== lastProgress) stderr.write(`${line}\n`);
      } else {
        stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
        live = true;
      }
      lastProgress = line;
    },
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    flushed: () =>
      new Promise((resolve) => {
        eraseLive();
        if (closed) resolve();
        else stdout.write('', () => resolve());
      }),
  };
}

/** Text that came from a relay, safe on a terminal: control characters are shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (found) =>
    found === '\n' ? '\\n' : `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
