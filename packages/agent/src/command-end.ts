import type { CommandResult } from './environment.ts';

/** How a command ended, in words. */
export function commandEnd({ status, ended }: CommandResult): string {
  if (ended !== undefined) return 'Ended before it was done';
  // A client need not say how a command in its terminal ended.
  if (status.exitCode === null && status.signal === null) return 'Ended, with a status that is not known';
  return status.signal === null ? `Exit status ${String(status.exitCode)}` : `Ended by ${status.signal}`;
}
