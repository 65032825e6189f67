import type { StreamMode } from '../../agent-info.ts';
import type { TurnStartEvent } from '../../turn-event.ts';
import type { TurnOutcome } from '../session/session-record.ts';
import type { LoggedEvent } from './logged-event.ts';

/** All that a stream of a turn tells. */
export type StreamedEvent =
  | LoggedEvent
  | Required<TurnStartEvent>
  | (TurnOutcome & { readonly event: 'turn_stop' });

/** Makes the text of a stream out of numbered events; `''` for what is not told, or not yet. */
export type Projection = (seq: number, event: StreamedEvent) => string;

/** How a mode tells a turn, from behind an event on that was seen before. */
export function projectionOf(mode: StreamMode, after: number): Projection {
  return mode === 'message'
    ? projectMessages(after)
    : (seq, event) => (seq <= after ? '' : toFrame(seq, event));
}

/** Texts and thoughts as a whole, numbered as their last piece. */
function projectMessages(after: number): Projection {
  let open: { readonly kind: 'text' | 'thinking'; text: string; seq: number } | undefined;
  const endBlock = (): string => {
    if (open === undefined) return '';
    const { kind, text, seq } = open;
    open = undefined;
    return seq <= after ? '' : frame(seq, kind, JSON.stringify({ [kind]: text }));
  };
  return (seq, event) => {
    if (event.event === 'text_delta' || event.event === 'thinking_delta') {
      const kind = event.event === 'text_delta' ? 'text' : 'thinking';
      const before = open?.kind === kind ? '' : endBlock();
      open ??= { kind, text: '', seq };
      open.text += event.delta;
      open.seq = seq;
      return before;
    }
    const isWithinBlock = event.event === 'extension' && event.name !== 'image';
    return (isWithinBlock ? '' : endBlock()) + (seq <= after ? '' : toFrame(seq, event));
  };
}

function toFrame(seq: number, event: StreamedEvent): string {
  switch (event.event) {
    case 'text_delta':
    case 'thinking_delta':
      return frame(seq, event.event, `{"delta":${JSON.stringify(event.delta)}}`);
    case 'block_end':
      return '';
    case 'extension':
      return frame(seq, event.name, JSON.stringify(event.data));
    case 'tool_call': {
      const { event: name, asks: _, ...data } = event;
      return frame(seq, name, JSON.stringify(data));
    }
    case 'tool_result': {
      const { event: name, shown, ...data } = event;
      return frame(seq, name, JSON.stringify(shown === undefined ? data : { ...data, content: shown }));
    }
    case 'turn_start':
    case 'turn_stop': {
      const { event: name, ...data } = event;
      return frame(seq, name, JSON.stringify(data));
    }
  }
}

/** JSON has no line breaks of its own, and names of events were checked: nothing is to be escaped. */
function frame(seq: number, event: string, data: string): string {
  return `id: ${String(seq)}\nevent: ${event}\ndata: ${data}\n\n`;
}
