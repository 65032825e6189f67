/** One page to be fetched, and how far to go for it. */
export interface FetchRequest {
  /** `http:` or `https:`. */
  readonly url: string;
  readonly signal: AbortSignal;
  /** Bytes of the body that are read; the rest is left. */
  readonly limitBytes: number;
  readonly maxRedirects: number;
  /** Time for all of it. */
  readonly timeoutMs: number;
  /** Why a redirect to this host, with its port unless that is the usual one, must not be followed. @default each may be */
  readonly denialOf?: (host: string) => string | undefined;
}

/** A response, after redirects. */
export interface FetchResponse {
  /** The final URL. */
  readonly url: string;
  readonly status: number;
  /** In lower case, without parameters; empty if the server did not send it. */
  readonly contentType: string;
  /** Absent when the body is no text. */
  readonly text?: string;
  /** Whether the body was cut at the limit. */
  readonly truncated: boolean;
}
