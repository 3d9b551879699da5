export { openPlatform } from './open-platform.ts';
export type { OpenPlatform, PlatformCall } from './open-platform.ts';
