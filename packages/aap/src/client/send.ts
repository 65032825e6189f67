import { Invalid, untilAborted } from '@parley/wire';
import type { ReceivedTypes } from '../received.ts';
import { parseTolerant } from '../schema/parse.ts';
import { AapClientError, AapError } from './aap-error.ts';

/** The address of a server, and how to reach it. */
export interface Server {
  /** The base URL. A trailing slash is ignored. Relative URLs work if `fetch` accepts them. */
  readonly baseUrl: string;
  /** Absent or empty: anonymous. */
  readonly apiKey?: string;
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the platform's `fetch` */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** One request. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The parts of the path below the base URL, not encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request; the answer is a success, its body not read.
 *
 * @throws AapError if the server says no, AapClientError if no answer comes, the signal's reason if it is aborted
 */
export type Send = (request: Outgoing) => Promise<Response>;

/** How requests get to a server. */
export function createSend({ baseUrl, apiKey = '', headers = {}, fetch = globalThis.fetch }: Server): Send {
  // The platform's message would repeat the key.
  if (/[^\x21-\x7e]/.test(apiKey)) throw new TypeError('the API key has characters that no header may have');
  const base = baseUrl.replace(/\/$/, '');
  return async (request) => {
    const { method, path, query, body, signal } = request;
    const url = `${base}${path.map((part) => `/${toPathPart(part)}`).join('')}${toQuery(query)}`;
    const init = {
      method,
      headers: {
        ...headers,
        ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      // A redirect would take the messages to a server that was not configured.
      redirect: 'manual' as const,
    };
    let response: Response;
    signal?.throwIfAborted();
    try {
      response = await untilAborted(fetch(url, init), signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new AapClientError('unreachable', `${describe(request)}: no answer`, { cause });
    }
    if (!response.ok) throw await readRefusal(request, response);
    return response;
  };
}

/** Reads the body of an answer as what it should be. */
export async function readAnswer<Name extends keyof ReceivedTypes>(
  name: Name,
  response: Response,
  { request, maxBytes }: { readonly request: Outgoing; readonly maxBytes: number },
): Promise<ReceivedTypes[Name]> {
  const fail = (problem: string): AapClientError =>
    new AapClientError('invalid-answer', `${describe(request)}: ${problem}`);
  const text = await readText(response, { request, maxBytes });
  if (text === undefined) {
    throw new AapClientError(
      'too-large',
      `${describe(request)}: the answer is longer than ${maxBytes} bytes`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail('the response is not valid JSON');
  }
  const parsed = parseTolerant(name, value);
  if (parsed instanceof Invalid) throw fail(parsed.message);
  return parsed;
}

/** Says which request it was. */
export function describe({ method, path }: Outgoing): string {
  return `${method} /${path.join('/')}`;
}

function toPathPart(part: string): string {
  // A path cannot hold these, encoded or not: they mean another path.
  if (part === '' || part === '.' || part === '..') {
    throw new AapClientError('invalid-id', `${JSON.stringify(part)} cannot be used as an id in a path`);
  }
  return encodeURIComponent(part);
}

function toQuery(query: Outgoing['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, value);
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Bytes of an error response that are read. */
const maxRefusalBytes = 64 * 1024;

async function readRefusal(request: Outgoing, response: Response): Promise<AapError> {
  const { status, headers } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    const problem = `the server answered with a redirect (${status}): name the address it leads to`;
    return new AapError(`${describe(request)}: ${problem}`, { status });
  }
  const text = (await readText(response, { request, maxBytes: maxRefusalBytes })) ?? '';
  const body = parseTolerant('ErrorBody', parseJson(text));
  const { error, code, requestId, details } =
    body instanceof Invalid ? { error: text.slice(0, 200).trim() } : body;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const words = [String(status), code, error].filter((word) => word !== undefined && word !== '');
  return new AapError(`${describe(request)}: ${words.join(': ')}`, {
    status,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(details !== undefined && { details }),
    ...(retryAfter >= 0 && { retryAfterMs: retryAfter * 1000 }),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body as text, or undefined if it is too long. */
async function readText(
  response: Response,
  { request, maxBytes }: { readonly request: Outgoing; readonly maxBytes: number },
): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await untilAborted(reader.read(), request.signal);
      if (chunk.done) return text + decoder.decode();
      bytes += chunk.value.length;
      if (bytes > maxBytes) {
        await reader.cancel();
        return undefined;
      }
      text += decoder.decode(chunk.value, { stream: true });
    }
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new AapClientError('unreachable', `${describe(request)}: the answer broke off`, { cause });
  }
}
