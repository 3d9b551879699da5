export function TerminalPane({ run }: { run: string }) {
  return <section aria-label="Terminal">{run}</section>;
}
