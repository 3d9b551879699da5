interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a person sees what is printed. */
  readonly isTerminal: boolean;
}

/** Whether there is somebody to open a browser for, and a display to open it on. */
export function wantsBrowser(
  { platform, env, isTerminal }: Surroundings = {
    platform: process.platform,
    env: process.env,
    isTerminal: process.stdout.isTTY,
  },
): boolean {
  if (!isTerminal || env['CI']) return false;
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}
