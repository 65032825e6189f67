import { defaultLimits } from '@parley/aap/server';

/**
 * The body of a stream of server-sent events, which reads no more than is asked for and keeps a quiet connection open.
 *
 * @param ended Aborted when the stream has ended, failed, or was cancelled.
 */
export function toStreamBody(
  texts: AsyncGenerator<string, void, undefined>,
  ended: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(timer);
    ended.abort();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        controller.enqueue(encoder.encode(':\n\n'));
      }, defaultLimits.heartbeatMs).unref();
    },
    async pull(controller) {
      let isOpen = false;
      try {
        const { done, value } = await texts.next();
        if (done === true) {
          controller.close();
        } else {
          controller.enqueue(encoder.encode(value));
          isOpen = true;
        }
      } finally {
        // Also when the event log cannot be read: a stream that has failed takes no comments.
        if (!isOpen) end();
      }
    },
    async cancel() {
      end();
      await texts.return();
    },
  });
}
