import { useEffect, useState } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import { FrameLog } from './frame-log.ts';
import type { RawFrame } from './frame-row.ts';
import { readRecording, type Recording } from './read-recording.ts';

/** Where frames come from. */
export type FrameSource =
  | { readonly kind: 'session'; readonly key: string }
  | { readonly kind: 'recording'; readonly file: File };

/** The frames of a source. */
export interface FrameFeed {
  readonly log: FrameLog;
  /** Number of frames so far, including dropped ones. */
  readonly count: number;
  readonly reading: Reading;
}

/** How far a recording is read; a session is never through. */
export type Reading =
  | { readonly state: 'going' }
  | { readonly state: 'done'; readonly recording: Recording }
  | { readonly state: 'failed'; readonly message: string };

const nothing: FrameFeed = { log: new FrameLog(), count: 0, reading: { state: 'going' } };

/** Follows a source, and shows its frames at most once per animation frame. */
export function useFrames(source: FrameSource | undefined): FrameFeed {
  const client = useHubClient();
  const [feed, setFeed] = useState<FrameFeed>(nothing);
  useEffect(() => {
    if (source === undefined) return undefined;
    const log = new FrameLog();
    const ending = new AbortController();
    let reading: Reading = { state: 'going' };
    let scheduled: number | undefined;
    const show = (): void => {
      scheduled = undefined;
      setFeed({ log, count: log.dropped + log.rows.length, reading });
    };
    const take = (frames: readonly RawFrame[]): void => {
      log.take(frames);
      scheduled ??= requestAnimationFrame(show);
    };
    const become = (next: Reading): void => {
      if (ending.signal.aborted) return;
      reading = next;
      show();
    };
    show();
    if (source.kind === 'recording') {
      readRecording(source.file, take, { signal: ending.signal }).then(
        (recording) => {
          become({ state: 'done', recording });
        },
        (error: unknown) => {
          become({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
        },
      );
    }
    const stop = source.kind === 'session' ? client.watchFrames(source.key, take) : undefined;
    return () => {
      ending.abort();
      stop?.();
      if (scheduled !== undefined) cancelAnimationFrame(scheduled);
    };
  }, [client, source]);
  return feed;
}
