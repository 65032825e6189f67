import type { Texts } from '../text/en.ts';
import type { FrameRow } from './frame-row.ts';

/** What a frame is, in a few words. */
export function titleOf(row: FrameRow, text: Texts['inspector']): string {
  const { kind, method, update, code, fault } = row;
  switch (kind) {
    case 'request':
    case 'notification':
      return update === undefined ? (method ?? '') : `${method ?? ''} · ${update}`;
    case 'result':
      return method === undefined ? text.answerToNothing : text.answerTo(method);
    case 'error':
      return method === undefined ? text.answerToNothing : text.errorTo(method, code);
    case 'fault':
      return `${text.noMessage}: ${fault ?? ''}`;
    case 'unknown':
      return text.unknownMessage;
  }
}
