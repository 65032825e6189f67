import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  checkedLookup,
  connectThroughProxy,
  isProxied,
  isPublicAddress,
  type WebProxy,
} from '@parley/workspace';
import { AgentError } from '../../agent-error.ts';
import type { FetchRequest, FetchResponse } from '../../fetch.ts';
import { decodeText } from './decode-text.ts';

/** Which addresses may be connected to. */
export interface FetchPolicy {
  /** Also this machine and private networks. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Resolves the names of hosts, and decides which of their addresses may be connected to. @default none */
  readonly proxy?: WebProxy;
}

/**
 * Fetches a page. For each redirect the host is resolved once, here or by the proxy, and the connection uses exactly
 * the checked address.
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
  throw new AgentError('refused', `${from.host} redirects to an address that is neither http nor https`);
}

async function openResponse(url: URL, policy: FetchPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivateAddresses = false, proxy } = policy;
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const isAllowed = (address: string): boolean => allowPrivateAddresses || isPublicAddress(address);
  if (isIP(host) !== 0 && !isAllowed(host)) throw privateAddress(url);
  const options: RequestOptions = {
    signal,
    ...(proxy === undefined || !isProxied(url, proxy)
      ? { agent: false, lookup: checkedLookup(isAllowed, () => privateAddress(url)) }
      : await throughProxy(proxy, url, { allowPrivateAddresses, signal })),
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

/** The proxy reaches this machine where a user listed it: for pages, it stays private. */
async function throughProxy(
  proxy: WebProxy,
  url: URL,
  {
    allowPrivateAddresses,
    signal,
  }: { readonly allowPrivateAddresses: boolean; readonly signal: AbortSignal },
): Promise<RequestOptions> {
  if (!allowPrivateAddresses && /^(?:.*\.)?localhost\.?$/u.test(url.hostname)) throw privateAddress(url);
  return connectThroughProxy(proxy, url, signal);
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

/** The decompressed response; undefined if its encoding is not supported. */
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
