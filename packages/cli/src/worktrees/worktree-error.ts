import { WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';

/** What a command about worktrees reports: wrong usage, a refusal that protects work, or a failure as it is. */
export function toCliError(error: unknown, what?: string): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  const message = what === undefined ? error.message : `${what}: ${error.message}`;
  switch (error.code) {
    case 'not-a-repository':
    case 'invalid-name':
    case 'exists':
      return new CliError('usage', message, { cause: error });
    case 'in-use':
    case 'conflict':
    case 'unsaved':
      return new CliError('refused', message, { cause: error });
    default:
      return error;
  }
}
