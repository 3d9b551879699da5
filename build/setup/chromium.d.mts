export function findChromium(env?: NodeJS.ProcessEnv): string | null;
