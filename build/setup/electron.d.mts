export function findElectron(root: string): string | null;
export function fetchElectron(
  root: string,
  options: { say: (line: string) => void; patienceMs?: number },
): Promise<string | null>;
export function runElectron(program: string, words: readonly string[]): Promise<number | null>;
export function whyNoWindow(machine: { platform: string; env: NodeJS.ProcessEnv; isRoot: boolean }): string | null;
