import { RpcError, rpcCodes } from '@parley/wire';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { Files } from '../files.ts';
import { ConversationPermissions } from '../permission/conversation-permissions.ts';
import type { ConversationSetup } from './open-conversation.ts';

/** Opens the permissions of a conversation with the rules that hold in its directory. */
export async function openPermissions(
  { environment, limits, rules }: ConversationSetup,
  { cwd, files }: { readonly cwd: string; readonly files: Files },
): Promise<ConversationPermissions> {
  const [book, configured] = await Promise.all([
    environment.openRules(files.cwd),
    rules === undefined ? [] : readRules(cwd, rules),
  ]);
  return new ConversationPermissions({ book, configured, limit: limits.rememberedAnswers });
}

/** Reads the rules. If that fails, the conversation is not opened: one of them may have been a `deny`. */
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
