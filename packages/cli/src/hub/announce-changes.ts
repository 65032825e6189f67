import { protocolVersion } from '@parley/acp';
import { openRemote } from '@parley/host';
import { changesMethods } from '@parley/host/hub';
import { connect } from '@parley/wire';
import type { Variables } from '../configuration/places.ts';
import { readVersion } from '../version.ts';
import { findHub } from './find-hub.ts';

/** How long a hub may take. */
const answerMs = 5000;

/**
 * Lets the hub of this machine know what was done with the changes of a session that it owns: its clients see it at
 * once. Without a hub, or if it does not answer, the owner of the session finds it before the next turn.
 */
export async function announceChanges(key: string, env: Variables): Promise<void> {
  try {
    // They may be those of a hub on another machine.
    const { PARLEY_URL: _url, PARLEY_TOKEN: _token, ...here } = env;
    const hub = await findHub({}, { env: here, warn: () => undefined });
    const transport = await openRemote({
      url: hub.socketUrl,
      headers: hub.headers,
      openTimeoutMs: answerMs,
      ...(hub.isOwn && { acceptsAnyCertificate: true }),
    });
    const connection = connect(transport);
    const limit = { timeoutMs: answerMs };
    try {
      const clientInfo = { name: 'parley changes', version: readVersion() };
      await connection.request('initialize', { protocolVersion, clientInfo, clientCapabilities: {} }, limit);
      await connection.request(changesMethods.listChanges, { sessionId: key }, limit);
    } finally {
      await connection.close();
    }
  } catch {
    // What was done is done, and stored.
  }
}
