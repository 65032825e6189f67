import type { CommandResult } from './environment.ts';

/** How a command ended, in words. */
export function commandEnd({ status, ended }: CommandResult): string {
  if (ended !== undefined) return 'Ended before it was done';
  return status.signal === null ? `Exit status ${String(status.exitCode)}` : `Ended by ${status.signal}`;
}
