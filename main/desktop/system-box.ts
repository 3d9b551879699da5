import { safeStorage } from 'electron';
import { plainBox, type SecretBox } from '../../runtime/platform/index.ts';

/**
 * Keeps secrets with a key of the system's key store. Where the system offers none to the app, or Linux only its
 * `basic_text` with a key that everybody knows, values are kept readable, and the words say why. After `ready`.
 */
export async function systemBox(): Promise<SecretBox> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) {
    return plainBox('this system offers no key store to the app');
  }
  const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : null;
  if (backend === 'basic_text' || backend === 'unknown') {
    return plainBox(`this desktop offers the app no key store (Electron found "${backend}")`);
  }
  const store = backend ?? (process.platform === 'darwin' ? 'Keychain' : 'the system');
  return {
    keeping: 'key-store',
    words: (file) => `values are encrypted with a key of the system's key store (${store}), in ${file}`,
    protect: async (value) => (await safeStorage.encryptStringAsync(value)).toString('base64'),
    unprotect: async (kept) => (await safeStorage.decryptStringAsync(Buffer.from(kept, 'base64'))).result,
  };
}
