import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isPublicAddress } from '@parley/workspace';
import { AgentError } from '../../agent-error.ts';
import type { FetchRequest, FetchResponse } from '../../fetch.ts';
import { decodeText } from './decode-text.ts';

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
    const next = nextHop(location, url);
    const denial = next.host === url.host ? undefined : request.denialOf?.(next.host);
    if (denial !== undefined) {
      throw new AgentError('refused', `${url.host} redirects to ${next.host}. ${denial}`);
    }
    url = next;
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
      'accept-encoding': 'gzip, deflate, br',
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
  const content = isText(contentType) ? uncompressed(response) : undefined;
  const noText = { url: url.href, status, contentType, truncated: false };
  if (content === undefined) {
    response.destroy();
    return noText;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of content) {
      signal.throwIfAborted();
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) break;
    }
  } finally {
    // Leaving the loop destroys what is read, which may be behind the response.
    response.destroy();
  }
  const body = Buffer.concat(chunks).subarray(0, limitBytes);
  const text = decodeText(body, parameters);
  return text === undefined ? noText : { ...noText, text, truncated: bytes > limitBytes };
}

/** What the response holds, whichever way it was packed; undefined where we cannot unpack it. */
function uncompressed(response: IncomingMessage): Readable | undefined {
  const unpack = unpackers.get((response.headers['content-encoding'] ?? 'identity').trim().toLowerCase());
  if (unpack === undefined) return undefined;
  const stream = unpack();
  if (stream === undefined) return response;
  // An error of either ends both; the reader meets it. One byte too little is no reason to give nothing.
  pipeline(response, stream, () => undefined);
  return stream;
}

type Unpack = () => Transform | undefined;

const gentle = { finishFlush: constants.Z_SYNC_FLUSH };

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['identity', () => undefined],
  ['', () => undefined],
  ['gzip', () => createGunzip(gentle)],
  ['x-gzip', () => createGunzip(gentle)],
  ['deflate', () => createInflate(gentle)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

function isText(contentType: string): boolean {
  return (
    contentType === '' ||
    contentType.startsWith('text/') ||
    /^application\/(?:.*\+)?(?:json|xml|javascript|x-javascript|yaml|x-yaml|toml|x-ndjson|x-sh|sql|graphql)$/u.test(
      contentType,
    ) ||
    contentType === 'application/xhtml+xml'
  );
}
