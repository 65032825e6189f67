import { Trace, type MessageView, type TracedFrame } from '@parley/recording';
import { valueAt } from '@parley/wire';
import type { FrameRow, RawFrame } from './frame-row.ts';

/** Follows a conversation frame by frame, and makes the row of each. */
export class FrameTrace {
  readonly #trace = new Trace();

  /** Whether a request has no response yet, and can still get one. */
  isWaiting(seq: number): boolean {
    return this.#trace.isWaiting(seq);
  }

  follow({ seq, time, direction, message, fault }: RawFrame): FrameRow {
    const written = write(message);
    const base = { seq, time, direction, text: written.text, size: byteLength(written.text) };
    const wrong = fault ?? written.fault;
    if (wrong !== undefined) return { ...base, kind: 'fault', fault: wrong };
    const {
      frame: _frame,
      view,
      ...place
    } = this.#trace.follow({ kind: 'frame', seq, time, direction, message });
    return {
      ...base,
      kind: view.kind,
      ...factsOf(view),
      ...(place satisfies Omit<TracedFrame, 'frame' | 'view'>),
    };
  }
}

/** What lists and filters show of a message beside its place. */
function factsOf(view: MessageView): Pick<FrameRow, 'id' | 'update' | 'toolCall' | 'code'> {
  switch (view.kind) {
    case 'request':
      return { id: JSON.stringify(view.id), ...factsOfParams(view.params) };
    case 'notification':
      return factsOfParams(view.params);
    case 'result':
      return { id: JSON.stringify(view.id) };
    case 'error': {
      const code = valueAt(view.error, 'code');
      return { id: JSON.stringify(view.id), ...(typeof code === 'number' && { code }) };
    }
    case 'unknown':
      return {};
  }
}

function factsOfParams(params: unknown): Pick<FrameRow, 'update' | 'toolCall'> {
  const update = valueAt(params, 'update', 'sessionUpdate');
  const toolCall = valueAt(params, 'update', 'toolCallId') ?? valueAt(params, 'toolCall', 'toolCallId');
  return {
    ...(typeof update === 'string' && { update }),
    ...(typeof toolCall === 'string' && { toolCall }),
  };
}

function write(message: unknown): { readonly text: string; readonly fault?: string } {
  if (message === undefined) return { text: '' };
  try {
    return { text: JSON.stringify(message) };
  } catch {
    // It can be parsed and not be written again: its lists are deeper than the browser's stack.
    return { text: '', fault: 'nested too deeply to be shown' };
  }
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
