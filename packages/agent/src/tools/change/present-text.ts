import { errorCode } from '../../error-code.ts';
import type { Files } from '../../files.ts';

/** What a file holds before it is changed: null when there is none, `unshowable` when it is no text or too long. */
export type PresentText =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'unshowable' };

/** Reads what a change is going to replace; a path that may not be changed is an error here already. */
export async function readPresentText(files: Files, path: string, maxBytes: number): Promise<PresentText> {
  try {
    const { text } = await files.readText(path, { maxBytes });
    return { kind: 'text', text };
  } catch (error) {
    switch (errorCode(error)) {
      case 'not-found':
        return { kind: 'text', text: null };
      case 'binary':
      case 'too-large':
        return { kind: 'unshowable' };
      default:
        throw error;
    }
  }
}
