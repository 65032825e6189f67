import { AgentError } from '../../agent-error.ts';
import type { ChangeOptions, Files, SeenFile } from '../../files.ts';
import type { PresentText } from './present-text.ts';

/** A file as a user was shown it. What they allow is a change of that, and of nothing that has taken its place. */
export interface ShownFile {
  readonly seen: SeenFile;
  /** Through the client, where that holds what is not saved yet. */
  readonly present: PresentText;
}

/** Remembers what a file is, for the change that is being shown. */
export async function rememberShown(files: Files, path: string, present: PresentText): Promise<ShownFile> {
  return { seen: await files.see(path), present };
}

/** The identity that the change has to check; fails where the file is not what was shown. Where nothing was shown, it is the current one. */
export function checkShown(shown: ShownFile | undefined, path: string, present: PresentText): ChangeOptions {
  if (shown === undefined) return {};
  if (!isSame(shown.present, present)) {
    throw new AgentError(
      'changed',
      `${path} was changed after the user had been shown what becomes of it. Nothing was written; read it and try again`,
    );
  }
  return { seen: shown.seen };
}

function isSame(one: PresentText, other: PresentText): boolean {
  return one.kind === 'text' && other.kind === 'text' ? one.text === other.text : one.kind === other.kind;
}
