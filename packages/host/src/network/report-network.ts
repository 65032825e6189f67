import type { HostContext } from '../host-context.ts';

/** Emits what the sandbox used of the network since the last time, if it did. */
export function reportNetwork({ network, emit }: HostContext, sessionId: string): void {
  const report = network?.takeReport();
  if (report !== undefined) emit({ type: 'network', sessionId, ...report });
}
