import { HostError } from '@parley/host';
import { WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';

/** What a command about changes reports: a refusal where something would be lost, or the failure as it is. */
export function toCliError(what: string, error: unknown): unknown {
  const isRefused =
    (error instanceof HostError && error.code === 'turn-running') ||
    (error instanceof WorkspaceError && refusals.has(error.code));
  return isRefused && error instanceof Error
    ? new CliError('refused', `${what}: ${error.message}`, { cause: error })
    : error;
}

const refusals: ReadonlySet<string> = new Set(['conflict', 'changed', 'in-use', 'in-progress']);
