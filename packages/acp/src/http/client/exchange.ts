import { AcpError } from '../../acp-error.ts';
import { CookieJar } from './cookie-jar.ts';

/** The part of `fetch` that a transport needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request. */
export interface ExchangeRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Requests to one address, with the headers and cookies that belong to it. */
export class Exchange {
  readonly #url: string;
  readonly #fetch: Fetch;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #cookies = new CookieJar();

  constructor(url: string, fetch: Fetch, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#fetch = fetch;
    this.#headers = headers;
  }

  async send({ method, headers: own, body, signal }: ExchangeRequest): Promise<Response> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const cookie = this.#cookies.header(headers.get('Cookie'));
    if (cookie !== undefined) headers.set('Cookie', cookie);
    const response = await this.#fetch(this.#url, {
      method,
      headers,
      signal,
      credentials: 'include',
      // A redirect would take the headers, and with them the credentials, to an address that was not configured.
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    this.#cookies.store(response.headers);
    return response;
  }
}

/** The message for a status. The body is left out: a server may put anything there. */
export function describeStatus({ status, statusText }: Response): string {
  if (status === 0 || (status >= 300 && status < 400)) {
    return `the server answered with a redirect (${status}): name the address it leads to`;
  }
  const words = `the server answered ${status}${statusText === '' ? '' : ` ${statusText}`}`;
  return isUnauthorized(status) ? `${words}: it wants other credentials` : words;
}

/** A response that ends the connection, as an error. */
export function toError(response: Response): Error {
  const { status } = response;
  const message = describeStatus(response);
  return isUnauthorized(status) ? new AcpError('unauthorized', message, { status }) : new Error(message);
}

/** Whether a status is about who sends the request, and not about what it says. */
export function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403;
}

/** What kept a request from being answered: `fetch` says so in a cause of the cause. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeFailure(error.cause);
  // A name with several addresses, none of which answers.
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors[0]);
  return error.message === '' ? error.name : error.message;
}
