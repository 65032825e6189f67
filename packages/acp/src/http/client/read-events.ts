import { FrameFault } from '@parley/wire';
import { EventReader } from '@parley/wire/sse';

/** What one read of a stream brought. */
export interface EventBatch {
  /** Parsed messages, and a `FrameFault` where an event was none. */
  readonly values: readonly unknown[];
  readonly bytes: number;
  /** The ids that the events carried, in the order of `values`, where they have one of their own. */
  readonly ids: readonly (string | undefined)[];
  /** The last id that was given, with an event or without. */
  readonly lastId: string | undefined;
}

/** Reads a stream of server-sent events to its end, one read after the other. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  maxMessageBytes: number,
): AsyncGenerator<EventBatch> {
  const reader = new EventReader({ maxEventBytes: maxMessageBytes });
  const source = body.getReader();
  try {
    for (;;) {
      const { done, value } = await source.read();
      if (done) return;
      const events = reader.push(value);
      yield {
        values: events.map((event) => (event instanceof FrameFault ? event : parseData(event.data))),
        ids: events.map((event) => (event instanceof FrameFault ? undefined : event.id)),
        bytes: value.length,
        lastId: reader.lastEventId,
      };
    }
  } finally {
    await source.cancel().catch(() => {
      // It has failed already, which the read has reported.
    });
  }
}

function parseData(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    return new FrameFault('malformed', data.length, data.slice(0, 256));
  }
}
