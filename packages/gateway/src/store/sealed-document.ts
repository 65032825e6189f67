import type { SecretVault } from '@parley/aap/server';
import type { SharedDocument } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';

/** A document whose text is encrypted where it is stored. Its methods throw a `GatewayError` when it has another key. */
export function sealedDocument(document: SharedDocument, vault: SecretVault): SharedDocument {
  const unsealed = async (sealed: string | undefined): Promise<string | undefined> => {
    if (sealed === undefined) return undefined;
    const text = await vault.open(sealed);
    if (text !== undefined) return text;
    throw new GatewayError(
      'invalid-key',
      `read ${document.name}: it was encrypted with another key; start this server with the --secrets-key of the others`,
    );
  };
  return {
    name: document.name,
    read: async () => unsealed(await document.read()),
    change: (change) => document.change(async (sealed) => vault.seal(await change(await unsealed(sealed)))),
    reread: () => document.reread(),
    listen: (listener) => document.listen(listener),
  };
}

/**
 * Checks that all servers have the same key; the first one stores what the others compare with.
 *
 * @throws {GatewayError} `invalid-key`: the others have another one.
 */
export async function checkSharedKey(document: SharedDocument, vault: SecretVault): Promise<void> {
  const sealed = sealedDocument(document, vault);
  if ((await sealed.read()) === undefined) await sealed.change((text) => Promise.resolve(text ?? 'parley'));
}
