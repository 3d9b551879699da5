import type { Message } from 'esbuild';

type Esbuild = typeof import('esbuild');

let users = 0;

/**
 * Lends the compiler. It is loaded when first needed, and its process is ended when nobody uses it any more, because an
 * idle host must stay small and leave nothing behind.
 */
export async function withCompiler<T>(use: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  users += 1;
  const esbuild = await import('esbuild');
  try {
    return await use(esbuild);
  } finally {
    users -= 1;
    if (users === 0) await esbuild.stop();
  }
}

/** A compiler's message as `FILE:LINE:COLUMN: …` with the line under it. */
export function describeMessage({ text, location, notes }: Message): string {
  const place = location ?? notes.find((note) => note.location !== null)?.location ?? null;
  if (place === null) return text;
  return `${place.file}:${place.line}:${place.column + 1}: ${text}\n  ${place.line} | ${place.lineText.trim().slice(0, 200)}`;
}

/** Where and why a text is no JSON, as `FILE:LINE:COLUMN: …` with the line; null when it is JSON after all. */
export async function jsonErrorPlace(text: string, file: string): Promise<string | null> {
  return withCompiler(async ({ transform }) => {
    try {
      await transform(text, { loader: 'json', sourcefile: file, logLevel: 'silent' });
      return null;
    } catch (error) {
      const message = (error as { errors?: Message[] }).errors?.[0];
      return message === undefined ? null : describeMessage(message);
    }
  });
}
