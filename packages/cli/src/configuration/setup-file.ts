import { readNamedFile, WorkspaceError } from '@parley/workspace';
import { setupFile } from './places.ts';
import { toFileContent, type FileContent } from './trusted-files.ts';

/** Size of `.parley/setup`. */
const maxSetupBytes = 64 * 1024;

/** The `.parley/setup` of a project, read to be trusted or not. */
export interface SetupFile {
  readonly file: string;
  readonly content: FileContent;
  readonly text: string;
}

/** Reads the set-up file below a folder; nothing where there is none. */
export async function readSetupFile(root: string): Promise<SetupFile | undefined> {
  const file = setupFile(root);
  try {
    const bytes = await readNamedFile(file, { maxBytes: maxSetupBytes });
    return { file, content: await toFileContent(file, bytes), text: bytes.toString('utf8') };
  } catch (error) {
    if (error instanceof WorkspaceError && ['not-found', 'not-a-directory'].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}

/** All that a set-up file does when it runs, one line each. */
export function rightsOfSetup({ text }: SetupFile): readonly string[] {
  return ['runs in each new worktree, before a session begins there:', ...text.trimEnd().split('\n')];
}
