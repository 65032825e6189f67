import { errorCode } from '../../error-code.ts';
import type { Files } from '../../files.ts';

/** The current content of a file: null if it does not exist, `unshowable` if it is not text or too long. */
export type PresentText =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'unshowable' };

/** Reads the content that a change will replace; throws if the path may not be changed. */
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
