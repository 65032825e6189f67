import { projectTurn, redacted, type Access } from '@parley/aap/server';
import { HostError, mayHoldSecret } from '@parley/host';
import { isJsonObject, type JsonObject } from '@parley/wire';
import { refusal } from '../access/refusal.ts';
import { ownerMethods } from '../acp/owner/owner-methods.ts';
import type { ApplicationSessions } from '../hub/application-sessions.ts';
import type { HubReplicas } from '../hub/replicas/hub-replicas.ts';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import { CallTexts } from '../store/call-texts.ts';
import { recordsIn } from '../store/logged-records.ts';
import { toStreamBody } from './stream-body.ts';

/** A request of an application, as it is stored for the replica that answers it. */
export interface StoredRequest {
  readonly sessionId: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly access: Access;
  readonly requestId: string;
}

/** Headers that change what is answered. */
const passedHeaders = [
  'accept',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'traceparent',
  'tracestate',
  'user-agent',
];

/** A request of an application, with whom it is from. */
export interface ReceivedRequest {
  readonly request: Request;
  readonly access: Access;
  readonly requestId: string;
}

/**
 * Answers a request of an application: here, unless another replica owns the session that it is about.
 *
 * @param answer Answers it here.
 */
export async function answerAtOwner(
  hub: HubSessions,
  received: ReceivedRequest,
  answer: () => Promise<Response>,
): Promise<Response> {
  const sessionId = sessionOf(received.request);
  const { replicas } = hub;
  if (replicas === undefined || sessionId === undefined) return answer();
  const answered = await replicas.here(sessionId, answer);
  return answered === undefined ? answerElsewhere(hub, replicas, sessionId, received) : answered.result;
}

/**
 * Sends a request to the replica that owns its session, as a command. A turn that is streamed is read from the event log, from
 * which it also continues when its owner ends.
 */
async function answerElsewhere(
  { store, options: { applications } }: HubSessions,
  replicas: HubReplicas,
  sessionId: string,
  { request, access, requestId }: ReceivedRequest,
): Promise<Response> {
  const url = new URL(request.url);
  const body = request.method === 'POST' ? await request.text() : undefined;
  const headers = Object.fromEntries(
    passedHeaders.flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const stored: StoredRequest = {
    sessionId,
    url: request.url,
    method: request.method,
    // The owner may end after it began the turn, and before it said so: the next one finds the turn by this key.
    headers: { 'idempotency-key': crypto.randomUUID(), ...headers },
    ...(body !== undefined && { body }),
    access,
    requestId,
  };
  const command = {
    key: sessionId,
    body: { method: ownerMethods.application, params: stored },
    hasSecret: requestMayHoldSecret(stored, applications),
  };
  let answer: object;
  try {
    answer = await replicas.send(command, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return refusal(503, 'store_failed', error.message, { requestId, headers: { 'aap-version': '3' } });
  }
  const { status, headers: given, text, turnId } = toAnswer(answer);
  if (turnId === undefined) return new Response(status === 204 ? null : text, { status, headers: given });
  const after = Number(request.headers.get('last-event-id') ?? 0);
  const mode = url.searchParams.get('stream');
  const ended = new AbortController();
  const texts = streamTurn(store.follow(sessionId, { signal: ended.signal }), turnId, {
    after,
    ...((mode === 'delta' || mode === 'message') && { mode }),
  });
  return new Response(toStreamBody(texts, ended), { status, headers: given });
}

/** Whether a request sets a secret option. Messages are not looked at: the event log stores them in plain. In doubt, it does. */
function requestMayHoldSecret(
  { url, body = '' }: StoredRequest,
  applications: Pick<ApplicationSessions, 'isSecretOption'> | undefined,
): boolean {
  if (mayHoldSecret(url)) return true;
  if (body === '') return false;
  const options = optionsIn(body);
  return (
    options === undefined ||
    Object.entries(options).some(
      ([name, value]) => value !== redacted && applications?.isSecretOption(name) !== false,
    )
  );
}

/** The options of an agent in the body of a request; undefined if it is not valid JSON. */
function optionsIn(body: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const agent = isJsonObject(parsed) ? parsed['agent'] : undefined;
    const options = isJsonObject(agent) ? agent['options'] : undefined;
    return isJsonObject(options) ? options : {};
  } catch {
    return undefined;
  }
}

function sessionOf({ url }: Request): string | undefined {
  return /^\/aap\/sessions\/([\w-]{1,128})(?:\/|$)/u.exec(new URL(url).pathname)?.[1];
}

/** Answers a request that another replica received. A stream is not read: that replica reads the event log. */
export async function answerStored(
  params: unknown,
  { options: { applications } }: HubSessions,
): Promise<object> {
  const { url, method, headers, body, access, requestId } = isJsonObject(params) ? params : {};
  if (applications === undefined) throw new Error('this hub serves no applications');
  const request = new Request(String(url), {
    method: String(method),
    headers: new Headers(
      Object.entries(isJsonObject(headers) ? headers : {}).map(([name, value]) => [name, String(value)]),
    ),
    ...(typeof body === 'string' && { body }),
  });
  const response = await applications.answer(request, {
    access: isJsonObject(access) ? access : {},
    requestId: String(requestId),
  });
  const answered = { status: response.status, headers: Object.fromEntries(response.headers) };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream) return { ...answered, text: await response.text() };
  await response.body?.cancel();
  return { ...answered, turnId: response.headers.get('aap-turn-id') };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly turnId?: string;
}

function toAnswer(answer: object): Answer {
  const { status, headers, text, turnId }: Readonly<Record<string, unknown>> = { ...answer };
  const fields = isJsonObject(headers) ? headers : {};
  return {
    status: Number(status),
    headers: new Headers(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    text: typeof text === 'string' ? text : '',
    ...(typeof turnId === 'string' && { turnId }),
  };
}

/** The text of a turn's stream, from the event log of its session. */
async function* streamTurn(
  parts: ReturnType<HubSessions['store']['follow']>,
  turnId: string,
  options: Parameters<typeof projectTurn>[1],
): AsyncGenerator<string, void, undefined> {
  const project = projectTurn(turnId, options);
  const callTexts = new CallTexts();
  for await (const { events } of parts) {
    let text = '';
    let isStopped = false;
    for (const event of events) {
      callTexts.note(event);
      for (const record of recordsIn(event)) {
        const projected = project(callTexts.restore(record));
        text += projected.text;
        isStopped ||= projected.isStopped;
      }
    }
    if (text !== '') yield text;
    if (isStopped) return;
  }
}
