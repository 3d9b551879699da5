export { openPlatform } from './open-platform.ts';
export type { OpenPlatform, PlatformCall } from './open-platform.ts';
export { plainBox } from './secret-box.ts';
export type { SecretBox } from './secret-box.ts';
export { openVault } from './vault.ts';
export type { Vault } from './vault.ts';
export { describePlace } from './mcp-place.ts';
