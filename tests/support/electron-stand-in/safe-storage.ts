import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

/**
 * Stands for a system's key store: it really encrypts (AES-256-GCM), with a key that is in no data folder. What another
 * key encrypted is refused. The environment says which system it stands for:
 * STAND_IN_KEY_STORE `gnome_libsecret` (when not given), `basic_text`, `none`; STAND_IN_KEY another key.
 */
const system = process.env['STAND_IN_KEY_STORE'] ?? 'gnome_libsecret';
const key = scryptSync(process.env['STAND_IN_KEY'] ?? 'the key of this user', 'stand-in', 32);

export const safeStorage = {
  isAsyncEncryptionAvailable: (): Promise<boolean> => Promise.resolve(system !== 'none'),
  getSelectedStorageBackend: (): string => system,
  encryptStringAsync(plain: string): Promise<Buffer> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Promise.resolve(Buffer.concat([nonce, cipher.getAuthTag(), sealed]));
  },
  // Async, so that what it refuses is a rejection.
  async decryptStringAsync(encrypted: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(12, 28));
    const result = Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
    return Promise.resolve({ shouldReEncrypt: false, result });
  },
};
