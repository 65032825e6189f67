import { RpcError, rpcCodes } from '@parley/wire';
import type { Environment } from '../environment.ts';
import { errorCode } from '../error-code.ts';
import type { Files } from '../files.ts';

/** Opens the directories of a conversation; those that cannot be used are the client's mistake, -32602. */
export async function openDirectories(
  environment: Environment,
  {
    cwd,
    additionalDirectories = [],
  }: { readonly cwd: string; readonly additionalDirectories?: readonly string[] },
): Promise<Files> {
  try {
    return await environment.openFiles({ cwd, directories: additionalDirectories });
  } catch (error) {
    switch (errorCode(error)) {
      case 'not-absolute':
      case 'invalid-path':
      case 'not-found':
      case 'not-a-directory':
      case 'denied':
        throw new RpcError(rpcCodes.invalidParams, messageOf(error), undefined, { cause: error });
      default:
        throw error;
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
