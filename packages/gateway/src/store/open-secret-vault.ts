import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SecretVault } from '@parley/aap/server';
import { syncDirectory, toWorkspaceError } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';

/**
 * Encrypts secrets with a key in a file that only its owner can read; the first vault creates the key. Values that
 * were encrypted with another key, or modified, cannot be decrypted.
 *
 * @throws {GatewayError} `insecure-key`: other users can read the file.
 */
export async function openSecretVault(file: string): Promise<SecretVault> {
  const key = await crypto.subtle.importKey('raw', await readKey(file), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const text = new TextEncoder().encode(plain);
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text);
      return prefix + Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url');
    },
    async open(sealed) {
      if (!sealed.startsWith(prefix)) return undefined;
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
      const iv = bytes.subarray(0, ivBytes);
      try {
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(ivBytes));
        return new TextDecoder().decode(plain);
      } catch {
        // Of another key, or changed: either way it cannot be read.
        return undefined;
      }
    },
  };
}

const prefix = 'v1.';
/** Size of an initialization vector. */
const ivBytes = 12;
/** Size of a key. */
const keyBytes = 32;

async function readKey(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    await using handle = await open(file, 'r').catch((error: unknown) => {
      if (!isSystemError(error, 'ENOENT')) throw error;
      return makeKey(file).then(() => open(file, 'r'));
    });
    const { mode } = await handle.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const reason = 'others than its owner may read it; see who could, and set its mode to 600';
      throw new GatewayError('insecure-key', `read the key ${JSON.stringify(file)}: ${reason}`);
    }
    const key = Buffer.from(await handle.readFile('utf8'), 'base64url');
    if (key.length === keyBytes) return Uint8Array.from(key);
    throw new GatewayError(
      'invalid-key',
      `read the key ${JSON.stringify(file)}: it does not contain a key of ${String(keyBytes)} bytes; "openssl rand -base64 ${String(keyBytes)}" makes one`,
    );
  } catch (error) {
    throw error instanceof GatewayError ? error : toWorkspaceError(error, 'read the key', file);
  }
}

/**
 * Writes the key to a temporary file and links it, so that readers never see half a key and, of two processes, the
 * first one wins.
 */
async function makeKey(file: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString('base64url');
  const beside = `${file}.${randomUUID()}`;
  try {
    await writeFile(beside, key, { mode: 0o600, flag: 'wx', flush: true });
    await link(beside, file);
    await syncDirectory(folder);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
