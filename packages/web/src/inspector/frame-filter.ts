import { nameOf, type FrameRow } from './frame-row.ts';

/** A filter for frames. Absent fields match all. */
export interface FrameFilter {
  readonly direction?: FrameRow['direction'];
  /** Methods, and kinds of updates, as `nameOf` returns them. */
  readonly names?: ReadonlySet<string>;
  /** A text that the frame must contain, case-insensitively. */
  readonly text?: string;
  /** Errors and faults. */
  readonly isBad?: true;
  /** Answers that took longer. */
  readonly slowerThanMs?: number;
  /** What happened in one turn, by the number of its `session/prompt`. */
  readonly prompt?: number;
  readonly toolCall?: string;
}

/** Checks whether a frame matches the filter. */
export function toMatcher(filter: FrameFilter): (row: FrameRow) => boolean {
  const { direction, names, text = '', isBad, slowerThanMs, prompt, toolCall } = filter;
  const wanted =
    text === '' ? undefined : new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`), 'iu');
  return (row) => {
    if (direction !== undefined && row.direction !== direction) return false;
    if (names !== undefined && names.size > 0 && !names.has(nameOf(row) ?? '')) return false;
    if (isBad === true && row.kind !== 'error' && row.kind !== 'fault') return false;
    if (slowerThanMs !== undefined && (row.latencyMs ?? 0) <= slowerThanMs) return false;
    if (prompt !== undefined && row.prompt !== prompt) return false;
    if (toolCall !== undefined && row.toolCall !== toolCall) return false;
    return (
      wanted === undefined ||
      wanted.test(row.text) ||
      wanted.test(row.method ?? '') ||
      wanted.test(row.fault ?? '')
    );
  };
}

/** Whether a filter excludes nothing. */
export function isEmpty({ names, text = '', ...others }: FrameFilter): boolean {
  return (names?.size ?? 0) === 0 && text === '' && Object.keys(others).length === 0;
}
