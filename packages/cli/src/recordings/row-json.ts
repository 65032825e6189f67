import type { MessageView } from '@parley/recording';
import type { Row } from './row.ts';

/** A row as an object of the list that `--json` prints. */
export function toRowJson(row: Row, { body }: { readonly body: boolean }): object {
  switch (row.kind) {
    case 'head': {
      const { time, ...head } = row.head;
      return { ...head, time: toIso(time) };
    }
    case 'frame': {
      const { frame, view, ...place } = row.traced;
      return {
        kind: view.kind,
        seq: frame.seq,
        time: toIso(frame.time),
        direction: frame.direction,
        ...(idOf(view) !== undefined && { id: idOf(view) }),
        ...place,
        ...(body && { message: frame.message }),
      };
    }
    case 'fault':
      return { ...row.fault, time: toIso(row.fault.time) };
    case 'unreadable':
      return row.unreadable;
    case 'unanswered':
      return { kind: 'unanswered', ...row.request, time: toIso(row.request.time) };
  }
}

function idOf(view: MessageView): unknown {
  return 'id' in view ? view.id : undefined;
}

function toIso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
