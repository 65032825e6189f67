import { HubError } from '../hub/hub-error.ts';
import type { FirstTexts } from '../text/en-first.ts';

/** The message for an action that failed. */
export function failureText(error: unknown, shell: FirstTexts['shell']): string {
  if (!(error instanceof HubError)) {
    return shell.unexpected(error instanceof Error ? error.message : String(error));
  }
  switch (error.code) {
    case 'not-connected':
      return shell.notSent;
    case 'signed-out':
      return shell.notSentSignedOut;
    case 'lost':
      return shell.lostMeanwhile;
    case 'refused': {
      // In English, the message says it all.
      const known = shell.refusals[error.reason ?? ''];
      return known === undefined ? error.message : `${known} (${error.message})`;
    }
  }
}
