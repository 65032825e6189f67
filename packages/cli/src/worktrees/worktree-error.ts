import { WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';

/** What a command about worktrees reports: wrong usage, a refusal that protects work, or a failure as it is. */
export function toCliError(what: string, error: unknown): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  switch (error.code) {
    case 'not-a-repository':
    case 'invalid-name':
    case 'exists':
      return new CliError('usage', `${what}: ${error.message}`, { cause: error });
    case 'in-use':
    case 'conflict':
    case 'unsaved':
      return new CliError('refused', `${what}: ${error.message}`, { cause: error });
    default:
      return error;
  }
}
