import { AgentError } from '../../agent-error.ts';
import type { ChangeOptions, Files, SeenFile } from '../../files.ts';
import type { PresentText } from './present-text.ts';

/** A file as displayed to the user. Their permission covers a change of exactly this file. */
export interface ShownFile {
  readonly seen: SeenFile;
  /** Read through the client, if that may have unsaved changes. */
  readonly present: PresentText;
}

/** Remembers what a file is, for the change that is being shown. */
export async function rememberShown(files: Files, path: string, present: PresentText): Promise<ShownFile> {
  return { seen: await files.see(path), present };
}

/**
 * The identity to check at the change; throws if the file differs from what was shown. If nothing was shown, the
 * current identity.
 */
export function checkShown(shown: ShownFile | undefined, path: string, present: PresentText): ChangeOptions {
  if (shown === undefined) return {};
  if (!isSame(shown.present, present)) {
    throw new AgentError(
      'changed',
      `${path} changed after the user reviewed the edit. Nothing was written; read it and try again`,
    );
  }
  return { seen: shown.seen };
}

function isSame(one: PresentText, other: PresentText): boolean {
  return one.kind === 'text' && other.kind === 'text' ? one.text === other.text : one.kind === other.kind;
}
