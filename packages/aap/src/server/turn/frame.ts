import type { StreamMode } from '../../agent-info.ts';
import type { TurnStartEvent } from '../../turn-event.ts';
import type { AapTurnOutcome } from '../session/aap-session-record.ts';
import type { LoggedTurnEvent } from './logged-turn-event.ts';

/** All that a stream of a turn sends. */
export type StreamedEvent =
  | LoggedTurnEvent
  | Required<TurnStartEvent>
  | (AapTurnOutcome & { readonly event: 'turn_stop' });

/** Makes the text of a stream out of numbered events; `''` for what is not sent, or not yet. */
export type Projection = (seq: number, event: StreamedEvent) => string;

/** How a mode streams a turn, from after an event that was read before. */
export function projectionOf(mode: StreamMode, after: number): Projection {
  return mode === 'message'
    ? projectMessages(after)
    : (seq, event) => (seq <= after ? '' : toFrame(seq, event));
}

/**
 * Texts and thoughts as a whole. One has the number of the event before the one that ended it; if an event of ours with
 * that number was sent while it grew, it has none: a client that resumes gets it again.
 */
function projectMessages(after: number): Projection {
  let open: { readonly kind: 'text' | 'thinking'; text: string } | undefined;
  let sent = 0;
  const endBlock = (ending: number): string => {
    if (open === undefined) return '';
    const { kind, text } = open;
    open = undefined;
    const seq = ending - 1 > sent ? ending - 1 : undefined;
    return (seq ?? ending) <= after ? '' : frame(seq, kind, JSON.stringify({ [kind]: text }));
  };
  return (seq, event) => {
    if (event.event === 'text_delta' || event.event === 'thinking_delta') {
      const kind = event.event === 'text_delta' ? 'text' : 'thinking';
      const before = open?.kind === kind ? '' : endBlock(seq);
      open ??= { kind, text: '' };
      open.text += event.delta;
      return before;
    }
    const isWithinBlock = event.event === 'extension' && event.name !== 'image';
    const before = isWithinBlock ? '' : endBlock(seq);
    sent = seq;
    return before + (seq <= after ? '' : toFrame(seq, event));
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

/** JSON has no line breaks of its own, and names of events were checked: nothing has to be escaped. */
function frame(seq: number | undefined, event: string, data: string): string {
  const id = seq === undefined ? '' : `id: ${String(seq)}\n`;
  return `${id}event: ${event}\ndata: ${data}\n\n`;
}
