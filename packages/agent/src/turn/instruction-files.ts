import { AgentError } from '../agent-error.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { errorCode } from '../error-code.ts';
import { rulesText } from '../permission/decide.ts';
import type { InstructionFile, TurnClient } from './turn.ts';

/** Reads the user's file, and the `AGENTS.md` of each directory, as they are now; one that cannot be used is reported once. */
export async function readInstructionFiles(
  conversation: Conversation,
  client: Pick<TurnClient, 'notify'>,
): Promise<readonly InstructionFile[]> {
  const { environment, files, limits } = conversation.workplace;
  const { permissions } = conversation;
  const readUnlessRuled = async (path: string): Promise<string> => {
    // First: where there is no such file, rules have nothing to say about it.
    const { text, path: real } = await files.readText(path, { maxBytes: limits.instructionBytes });
    const ruling = permissions.judge({ kind: 'read', tool: 'read', paths: [...new Set([path, real])] });
    // The user is not asked about it: a file that a rule asks about is not used.
    if (ruling !== undefined && ruling.decision !== 'allow') {
      throw new AgentError('refused', `${rulesText(ruling.rules)} applies`);
    }
    return text;
  };
  const { userInstructions } = environment;
  const reading: Reading[] = files.directories.map((directory) => {
    const path = environment.toAbsolutePath(directory, 'AGENTS.md');
    return { owner: 'project', path, outcome: settle(readUnlessRuled(path)) };
  });
  if (userInstructions !== undefined) {
    const { path, read } = userInstructions;
    reading.unshift({ owner: 'user', path, outcome: settle(read(limits.instructionBytes)) });
  }
  const found: InstructionFile[] = [];
  for (const { owner, path, outcome } of reading) {
    const { text, error } = await outcome;
    if (text !== undefined && text !== '') found.push({ owner, path, text });
    if (text !== undefined || errorCode(error) === 'not-found') continue;
    const title = `${path} is not used`;
    const description = error instanceof Error ? error.message : String(error);
    if (conversation.isNewNotice(title)) {
      await client.notify(conversation.createMessageId(), { title, description });
    }
  }
  return found;
}

/** A file that is being read, at the same time as the others. */
interface Reading {
  readonly owner: InstructionFile['owner'];
  readonly path: string;
  readonly outcome: ReturnType<typeof settle>;
}

async function settle(
  reading: Promise<string>,
): Promise<{ readonly text?: string; readonly error?: unknown }> {
  try {
    return { text: (await reading).trim() };
  } catch (error) {
    return { error };
  }
}
