import { formatEvent } from '@parley/wire/sse';
import { createAapClient, type AapClientOptions } from '../index.ts';
import type { AapClient } from './aap-client.ts';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A client of a server that gives these answers, one after the other. */
export function clientOf(
  answers: readonly ((request: Request) => Response | Promise<Response>)[],
  options: Partial<AapClientOptions> = {},
): { readonly client: AapClient; readonly seen: readonly SeenRequest[]; readonly waits: readonly number[] } {
  const seen: SeenRequest[] = [];
  const waits: number[] = [];
  const client = createAapClient({
    baseUrl: 'https://aap.example/base',
    clock: {
      now: () => 0,
      after: (ms, run) => {
        waits.push(ms);
        queueMicrotask(run);
        return () => undefined;
      },
    },
    fetch: async (url, init) => {
      const request = new Request(url, init);
      const text = await request.clone().text();
      const answer = answers[seen.length];
      seen.push({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        body: text === '' ? undefined : JSON.parse(text),
      });
      if (answer === undefined) throw new Error(`no answer to request ${seen.length}`);
      return answer(request);
    },
    ...options,
  });
  return { client, seen, waits };
}

/** An answer in JSON. */
export function json(value: unknown, init?: ResponseInit): () => Response {
  return () => Response.json(value, init);
}

/** An event with a name, data and perhaps an id. */
export function event(name: string, data: object = {}, id?: string): string {
  return formatEvent({ event: name, data: JSON.stringify(data), ...(id !== undefined && { id }) });
}

/** A stream of events that ends, or breaks, after these. */
export function events(
  texts: readonly string[],
  {
    headers = {},
    isBroken = false,
    onCancel,
  }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly isBroken?: boolean;
    readonly onCancel?: () => void;
  } = {},
): () => Response {
  return () => {
    const encoder = new TextEncoder();
    const left = [...texts];
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        const text = left.shift();
        if (text !== undefined) stream.enqueue(encoder.encode(text));
        else if (isBroken) stream.error(new Error('connection reset'));
        else stream.close();
      },
      ...(onCancel && { cancel: onCancel }),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } });
  };
}
