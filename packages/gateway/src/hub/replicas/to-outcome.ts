import type { CommandOutcome } from '@parley/host';
import { RpcError } from '@parley/wire';

/** What came of a command, for the replica that sent it. Never rejects: what is not an answer to the client goes to `onFault`. */
export async function toOutcome(
  work: Promise<unknown>,
  onFault: (error: unknown) => void,
): Promise<CommandOutcome> {
  try {
    return { result: await work };
  } catch (error) {
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
    onFault(error);
    return { error: { code: -32603, message: 'it failed on the machine that runs the session' } };
  }
}
