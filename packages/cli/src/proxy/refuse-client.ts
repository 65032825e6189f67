import { setTimeout as delay } from 'node:timers/promises';
import { connect, RpcError, rpcCodes } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import type { Surroundings } from '../surroundings.ts';

/** How long a client may take to send its first request to a proxy that could not start. */
const firstRequestMs = 2000;

/**
 * Answers what a client asks of a proxy that could not start: an editor would wait for the answer to `initialize`. Settles
 * when something was answered, when the client says nothing more, or after a while.
 */
export async function refuseClient(
  failure: unknown,
  { stdin, stdout }: Pick<Surroundings, 'stdin' | 'stdout'>,
): Promise<void> {
  // A user at a terminal sends no messages.
  if (stdin.isTTY === true) return;
  const why = failure instanceof Error ? failure.message : String(failure);
  let answered = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const connection = connect(streamTransport({ input: stdin, output: stdout }), {
    onRequest: (method) => {
      answered();
      throw new RpcError(rpcCodes.internalError, `${method}: the proxy could not start: ${why}`);
    },
  });
  await Promise.race([asked, connection.closed, delay(firstRequestMs, undefined, { ref: false })]);
  await connection.close({ code: 'end-of-input', message: 'the proxy could not start' });
}
