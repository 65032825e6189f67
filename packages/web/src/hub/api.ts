import { fromHub } from './from-hub.ts';
import { HubError } from './hub-error.ts';

/** Options of a request to the JSON API. */
export interface ApiOptions {
  /** @default GET */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Sends a request to the server's JSON API, which has the same version as this page. */
export async function askApi<Answer>(
  path: string,
  { method = 'GET', body, signal }: ApiOptions = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new HubError('not-connected', `${method} ${path}: no response from the server`, { cause: error });
  }
  if (response.status === 401) throw new HubError('signed-out', `${method} ${path}: not signed in`);
  const answer: unknown = await readJson(response);
  if (!response.ok) {
    throw new HubError('refused', messageIn(answer) ?? `${method} ${path}: ${response.status}`);
  }
  return fromHub<Answer>(answer);
}

/** An answer without a body is nothing; one that is no JSON comes from something in between. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HubError('refused', `the server responded with ${response.status}, but not with JSON`, {
      cause: error,
    });
  }
}

function messageIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined;
  return typeof answer.error === 'string' ? answer.error : undefined;
}
