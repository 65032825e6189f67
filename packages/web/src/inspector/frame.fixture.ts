import type { RawFrame } from './frame-row.ts';

/** Frames of a conversation, numbered, a tenth of a second apart. */
export function framesOf(
  ...sent: readonly (Pick<RawFrame, 'direction' | 'message' | 'fault'> & { readonly time?: number })[]
): RawFrame[] {
  return sent.map((frame, index) => ({ seq: index + 1, time: 1000 + index * 100, ...frame }));
}

/** To the agent. */
export function out(message: object): Pick<RawFrame, 'direction' | 'message'> {
  return { direction: 'out', message: { jsonrpc: '2.0', ...message } };
}

/** From the agent. */
export function into(message: object): Pick<RawFrame, 'direction' | 'message'> {
  return { direction: 'in', message: { jsonrpc: '2.0', ...message } };
}
