/**
 * For `node --import`: `electron` is the stand-in, in this process. The built host runs on it unchanged, without
 * Electron's program: Node is the main process, and Chromium shows the windows. For development and tests only.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

// What tells a program that its `process.execPath` is Node only when told so.
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.0.0' } });
