import { RpcError, rpcCodes } from '@parley/wire';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { Files } from '../files.ts';
import { SessionPermissions } from '../permission/session-permissions.ts';
import type { SessionSetup } from './open-session.ts';

/** Opens the permissions of a session with the rules that hold in its directory. */
export async function openPermissions(
  { environment, limits, rules }: SessionSetup,
  { cwd, files }: { readonly cwd: string; readonly files: Files },
): Promise<SessionPermissions> {
  const [book, configured] = await Promise.all([
    environment.openRules(files.cwd),
    rules === undefined ? [] : readRules(cwd, rules),
  ]);
  return new SessionPermissions({ book, configured, limit: limits.rememberedAnswers });
}

/** Reads the rules. If that fails, the session is not opened: one of them may have been a `deny`. */
async function readRules(
  cwd: string,
  rules: (cwd: string) => Promise<readonly ConfiguredRule[]>,
): Promise<readonly ConfiguredRule[]> {
  try {
    return await rules(cwd);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RpcError(rpcCodes.internalError, `The rules for ${cwd} cannot be read: ${reason}`, undefined, {
      cause: error,
    });
  }
}
