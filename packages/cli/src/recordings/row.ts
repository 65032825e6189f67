import type {
  OpenRequest,
  RecordedFault,
  RecordingHead,
  TracedFrame,
  UnreadableLine,
} from '@parley/recording';

/** What is shown of a recording, one thing at a time. */
export type Row =
  | { readonly kind: 'head'; readonly head: RecordingHead }
  | { readonly kind: 'frame'; readonly traced: TracedFrame }
  | { readonly kind: 'fault'; readonly fault: RecordedFault }
  | { readonly kind: 'unreadable'; readonly unreadable: UnreadableLine }
  /** At the end: a request that was never answered. */
  | { readonly kind: 'unanswered'; readonly request: OpenRequest };

/** Which of them are shown. */
export interface Filter {
  /** A part of the session's id. */
  readonly session?: string;
  /** A method, or the beginning of methods and a `*`; answers have the method of their request. */
  readonly method?: string;
  /** Only what went wrong: errors, faults, lines that cannot be read, requests without an answer. */
  readonly errors: boolean;
}

/** Whether a row is displayed. */
export function isWanted(row: Row, { session, method, errors }: Filter): boolean {
  switch (row.kind) {
    case 'head':
      return true;
    case 'frame': {
      const { traced } = row;
      if (errors && traced.view.kind !== 'error' && traced.view.kind !== 'unknown') return false;
      return isOf(traced.session, session) && isMethod(traced.method, method);
    }
    case 'unanswered':
      return isOf(row.request.session, session) && isMethod(row.request.method, method);
    case 'fault':
    case 'unreadable':
      return session === undefined && method === undefined;
  }
}

function isOf(session: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || session?.includes(wanted) === true;
}

function isMethod(method: string | undefined, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('*') ? method?.startsWith(wanted.slice(0, -1)) === true : method === wanted;
}
