import { AgentError } from '../../agent-error.ts';

/** A `fetch` that limits what has to be buffered: one event of a stream, or the body of an error response. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const count = response.ok ? createEventCounter() : createByteCounter();
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (count(chunk) > maxBytes) throw tooLarge(maxBytes);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(bounded), response);
  };
}

type Counter = (chunk: Uint8Array) => number;

/** Counts the bytes of the incomplete event after the last empty line. */
function createEventCounter(): Counter {
  let openBytes = 0;
  let before: readonly [number | undefined, number | undefined] = [undefined, undefined];
  return (chunk) => {
    const [first, second] = before;
    const at = (index: number): number | undefined =>
      index >= 0 ? chunk[index] : index === -1 ? second : index === -2 ? first : undefined;
    let end = chunk.length - 1;
    while (end >= 0 && !endsEvent(at(end - 2), at(end - 1), at(end))) end -= 1;
    openBytes = end < 0 ? openBytes + chunk.length : chunk.length - 1 - end;
    before = [at(chunk.length - 2), at(chunk.length - 1)];
    return openBytes;
  };
}

const lineFeed = 10;
const carriageReturn = 13;

function endsEvent(third: number | undefined, second: number | undefined, last: number | undefined): boolean {
  if (last !== lineFeed) return false;
  return second === lineFeed || (second === carriageReturn && third === lineFeed);
}

function createByteCounter(): Counter {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

function tooLarge(maxBytes: number): AgentError {
  return new AgentError('too-large', `it sent more than ${String(maxBytes)} bytes in one piece`);
}
