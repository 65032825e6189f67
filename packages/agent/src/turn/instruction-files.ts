import { errorCode } from '../error-code.ts';
import type { Session } from '../session/session.ts';
import type { TurnClient } from './turn.ts';

/** What somebody tells the model in a file, beside the prompts. */
export interface InstructionFile {
  readonly owner: 'user' | 'project';
  readonly path: string;
  readonly text: string;
}

/** Reads the user's file, and the `AGENTS.md` of each directory, as they are now; one that cannot be used is told once. */
export async function readInstructionFiles(
  session: Session,
  client: Pick<TurnClient, 'tell'>,
): Promise<readonly InstructionFile[]> {
  const { environment, files, limits } = session.workplace;
  const found: InstructionFile[] = [];
  const take = async (
    owner: InstructionFile['owner'],
    path: string,
    text: Promise<string>,
  ): Promise<void> => {
    try {
      const content = (await text).trim();
      if (content !== '') found.push({ owner, path, text: content });
    } catch (error) {
      if (errorCode(error) === 'not-found') return;
      const title = `${path} is not used`;
      const description = error instanceof Error ? error.message : String(error);
      if (session.isNews(title)) await client.tell(session.createMessageId(), { title, description });
    }
  };
  const { userInstructions } = environment;
  if (userInstructions !== undefined) {
    await take('user', userInstructions.path, userInstructions.read(limits.instructionBytes));
  }
  for (const directory of files.directories) {
    const path = environment.toAbsolutePath(directory, 'AGENTS.md');
    const read = files.readText(path, { maxBytes: limits.instructionBytes });
    await take(
      'project',
      path,
      read.then(({ text }) => text),
    );
  }
  return found;
}
