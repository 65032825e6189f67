import type { SecretVault } from '../secret-vault.ts';

/** Creates a vault whose key is lost when the process ends: secrets are then requested again. */
export function memoryVault(): SecretVault {
  const key = crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const text = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await key,
        new TextEncoder().encode(plain),
      );
      return `${toBase64(iv)}.${toBase64(new Uint8Array(text))}`;
    },
    async open(sealed) {
      const [iv = '', text = ''] = sealed.split('.');
      try {
        const plain = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: fromBase64(iv) },
          await key,
          fromBase64(text),
        );
        return new TextDecoder().decode(plain);
      } catch {
        // Sealed by another process, whose key is lost.
        return undefined;
      }
    },
  };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);
}
