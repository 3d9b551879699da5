export { openPlatform } from './open-platform.ts';
export type { OpenPlatform, PlatformCall, PlatformParts } from './open-platform.ts';
export type { BuiltInServer } from './mcp-connections.ts';
