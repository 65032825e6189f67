/** The text of a stream, for a server that can write it without a stream in between. */
export interface TextSource {
  /** What can be had now: text, `''` when there is nothing yet, a promise for what the store has, undefined at the end. */
  read(): string | undefined | Promise<string | undefined>;
  /** Calls once when it is worth to read again. */
  onMore(call: () => void): void;
  /** The reader has stopped. */
  cancel(): Promise<void>;
}

/**
 * The source of a response's body, if it is a stream of events of a server here. Who reads from the source leaves the body
 * alone. A stream of many small pieces costs half as much this way.
 */
export function textSourceOf({ body }: Response): TextSource | undefined {
  return body === null ? undefined : sources.get(body);
}

/** A body that reads from a source no more than is asked for. */
export function toBody(source: TextSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await nextOf(source);
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  sources.set(body, source);
  return body;
}

/** Known as long as their bodies are. */
const sources = new WeakMap<ReadableStream, TextSource>();

async function nextOf(source: TextSource): Promise<string | undefined> {
  for (;;) {
    const now = source.read();
    const text = now instanceof Promise ? await now : now;
    if (text !== '') return text;
    // While the store was read, there may have come more: nothing is waited for without a look.
    if (now instanceof Promise) continue;
    await new Promise<void>((resolve) => {
      source.onMore(resolve);
    });
  }
}
