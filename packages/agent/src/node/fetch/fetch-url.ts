import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { AgentError } from '../../agent-error.ts';
import type { FetchRequest, FetchResponse } from '../../fetch.ts';
import { isPublicAddress } from './public-address.ts';

/** Which addresses may be connected to. */
export interface FetchPolicy {
  /** Also this machine and private networks. @default false */
  readonly allowPrivateAddresses?: boolean;
}

/**
 * Fetches a page. Each hop is resolved once, and only an address that was looked at is connected to, so that a name
 * cannot lead elsewhere a moment later.
 */
export async function fetchUrl(request: FetchRequest, policy: FetchPolicy): Promise<FetchResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    return await followRedirects(request, policy, signal);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new AgentError('limit', `${request.url} took more than ${String(request.timeoutMs)} ms`, {
      cause: error,
    });
  }
}

async function followRedirects(
  request: FetchRequest,
  policy: FetchPolicy,
  signal: AbortSignal,
): Promise<FetchResponse> {
  let url = new URL(request.url);
  for (let hops = 0; hops <= request.maxRedirects; hops += 1) {
    const response = await openResponse(url, policy, signal);
    const { location } = response.headers;
    const status = response.statusCode ?? 0;
    if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) {
      return await readResponse(response, { url, status, limitBytes: request.limitBytes, signal });
    }
    response.destroy();
    url = nextHop(location, url);
  }
  throw new AgentError('limit', `${request.url} redirects more than ${String(request.maxRedirects)} times`);
}

function nextHop(location: string, from: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new AgentError('refused', `${from.host} redirects to what is no http or https address`);
}

function openResponse(url: URL, policy: FetchPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const isAllowed = (address: string): boolean =>
    policy.allowPrivateAddresses === true || isPublicAddress(address);
  if (isIP(host) !== 0 && !isAllowed(host)) throw privateAddress(url);
  const options: RequestOptions = {
    signal,
    agent: false,
    lookup: checkedLookup(isAllowed, () => privateAddress(url)),
    headers: {
      accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'parley',
    },
  };
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    open(url, options, resolve).on('error', reject).end();
  });
}

/** A name with even one address that is not public is refused: which of them is used is not ours to say. */
function checkedLookup(isAllowed: (address: string) => boolean, refusal: () => Error): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      // With an error there is no list.
      const [first] = error === null ? addresses : [];
      if (first === undefined) {
        callback(error ?? new Error(`${hostname} has no address`), []);
      } else if (!addresses.every(({ address }) => isAllowed(address))) {
        callback(refusal(), []);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function privateAddress(url: URL): AgentError {
  return new AgentError('refused', `${url.host} is this machine, or in a private network`);
}

interface ReadOptions {
  readonly url: URL;
  readonly status: number;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

async function readResponse(response: IncomingMessage, options: ReadOptions): Promise<FetchResponse> {
  const { url, status, limitBytes, signal } = options;
  const [type = '', ...parameters] = (response.headers['content-type'] ?? '').toLowerCase().split(';');
  const contentType = type.trim();
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (!isText(contentType) || encoding !== 'identity') {
    response.destroy();
    return { url: url.href, status, contentType, truncated: false };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop destroys the response, and with it the connection.
  for await (const chunk of response) {
    signal.throwIfAborted();
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) break;
  }
  const body = Buffer.concat(chunks).subarray(0, limitBytes);
  return {
    url: url.href,
    status,
    contentType,
    text: decode(body, parameters),
    truncated: bytes > limitBytes,
  };
}

function isText(contentType: string): boolean {
  return (
    contentType === '' ||
    contentType.startsWith('text/') ||
    /^application\/(?:.*\+)?(?:json|xml|javascript|yaml|toml|x-ndjson|x-sh)$/u.test(contentType) ||
    contentType === 'application/xhtml+xml'
  );
}

function decode(body: Uint8Array, parameters: readonly string[]): string {
  const charset = parameters.map((text) => /^\s*charset="?([\w.:-]+)"?\s*$/u.exec(text)?.[1]).find(Boolean);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    // A name nobody knows; most of what is wrongly named is UTF-8.
    return new TextDecoder().decode(body);
  }
}
