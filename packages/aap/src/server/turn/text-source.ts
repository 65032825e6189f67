/** The text of a stream, for servers that can write it without an intermediate stream. */
export interface TextSource {
  /**
   * Returns available text, `''` if there is none yet, a promise if the store is being read, or undefined at the end.
   */
  read(): string | undefined | Promise<string | undefined>;
  /** Calls a function once when more text may be available. */
  onMore(call: () => void): void;
  /** Reports that the reader has stopped. */
  cancel(): Promise<void>;
}

/**
 * Returns the text source of a response of this server, if its body is an event stream. A caller that reads from the
 * source must not read the body. For a stream of many small events, this halves the cost.
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
