import { unknownSession } from '@parley/acp';
import { HostError, recordingLines, reportUsage } from '@parley/host';
import { RpcError } from '@parley/wire';
import { findFiles, WorkspaceError } from '@parley/workspace';
import { refusal } from '../../access/refusal.ts';
import { mayBeginSessions } from '../../access/session-access.ts';
import { scopes, type Principal } from '../../access/token.ts';
import type { Route, RouteContext } from '../../server/route.ts';
import { isOffered } from '../check-folder.ts';
import { Hub } from '../create-hub.ts';
import type { HubSessions } from '../sessions/hub-sessions.ts';
import { VisibleHub } from '../visible-hub.ts';
import { listFolders } from './list-folders.ts';
import { searchSessions } from './search-sessions.ts';

/** The JSON API of the hub, below `/api`. */
export function apiRoute(hub: Hub): Route {
  const table = Hub.sessionsOf(hub);
  return {
    path: '/api',
    isPrefix: true,
    scopes: (method) => (method === 'GET' || method === 'HEAD' ? scopes : ['admin']),
    answer: async (request, context) => {
      try {
        return await answer(table, request, context);
      } catch (error) {
        if (error instanceof RpcError) return refusal(404, 'not_found', error.message);
        if (error instanceof HostError && error.code === 'overloaded') {
          return refusal(503, error.code, error.message);
        }
        if (error instanceof WorkspaceError) return refusal(404, error.code, error.message);
        throw error;
      }
    },
  };
}

/** What is answered below `/api`. `*` is the key of a session or the name of an agent. */
export const apiAnswers: ReadonlyMap<string, ApiAnswer> = new Map<string, ApiAnswer>([
  [
    'GET hub',
    async ({ table, visible }) => {
      await table.look();
      return Response.json(visible.whole);
    },
  ],
  ['GET search', (call) => search(call)],
  ['GET usage', (call) => usage(call)],
  ['GET sessions/*/export', (call) => exportSession(call, call.params.get('format') ?? 'markdown')],
  [
    'GET folders',
    ({ table, params, principal }) => (mayBeginSessions(principal) ? folders(table, params) : readOnly()),
  ],
  ['GET files', (call) => (mayBeginSessions(call.principal) ? files(call) : readOnly())],
  ['POST agents/*/probe', ({ table, called }) => probe(table, called)],
]);

type ApiAnswer = (call: ApiCall) => Promise<Response> | Response;

/** A request to `/api`. */
interface ApiCall {
  readonly table: HubSessions;
  /** The part that `*` matched. */
  readonly called: string;
  readonly params: URLSearchParams;
  readonly principal: Principal;
  /** What of the hub the token may see. */
  readonly visible: VisibleHub;
  readonly signal: AbortSignal;
}

async function answer(table: HubSessions, request: Request, { principal }: RouteContext): Promise<Response> {
  const { pathname, searchParams: params } = new URL(request.url);
  const words = pathname.replace(/\/$/u, '').slice('/api/'.length).split('/').map(decode);
  // Of a session or an agent, with any name.
  const [of, called = '', what] = words;
  const address = words.length === 3 ? `${of}/*/${what}` : words.join('/');
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const found = apiAnswers.get(`${isReading ? 'GET' : request.method} ${address}`);
  if (found === undefined) return refusal(404, 'not_found', `no route for ${pathname}`);
  if (principal === undefined) return refusal(401, 'unauthorized', 'a token is required');
  const visible = new VisibleHub(table, principal);
  return found({ table, called, params, principal, visible, signal: request.signal });
}

async function search({ table, params, signal, visible }: ApiCall): Promise<Response> {
  await table.look();
  const heads = table.heads.filter(({ key }) => visible.sees(key));
  const hits = await searchSessions(table.store, heads, params.get('q') ?? '', {
    limit: toLimit(params.get('limit'), 50, 500),
    signal,
    titleOf: (key) => table.session(key)?.title,
  });
  return Response.json({ hits });
}

/** What the sessions that the token sees have used. One that cannot be read is left out. */
async function usage({ table, params, signal, visible }: ApiCall): Promise<Response> {
  await table.look();
  const heads = table.heads.filter(({ key }) => visible.sees(key));
  const days = Math.max(1, toLimit(params.get('days'), 30, mostDays));
  return Response.json(
    await reportUsage(table.store, heads, { days, signal, onUnreadable: () => undefined }),
  );
}

/** Days that a report of usage covers. */
const mostDays = 366;

async function exportSession({ table, called: key, visible }: ApiCall, format: string): Promise<Response> {
  await table.expect(key);
  if (!visible.sees(key)) throw unknownSession(key);
  if (format === 'markdown' || format === 'json') {
    const text = await table.options.exportSession?.(key, format);
    if (text === undefined) return refusal(404, 'not_found', 'sessions are not exported here');
    const type = format === 'json' ? 'application/json' : 'text/markdown; charset=utf-8';
    return download(text, `${key}.${format === 'json' ? 'json' : 'md'}`, type);
  }
  if (format === 'recording') {
    await (await table.framesOf(key)).flush();
    const lines = ReadableStream.from(toBytes(recordingLines(table.store.folderOf(key))));
    return download(lines, `${key}.jsonl`, 'application/x-ndjson');
  }
  return refusal(400, 'invalid_format', 'format: "markdown", "json" or "recording"');
}

async function* toBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}

function download(body: string | ReadableStream<Uint8Array>, name: string, type: string): Response {
  const disposition = `attachment; filename="${name}"`;
  return new Response(body, { headers: { 'content-type': type, 'content-disposition': disposition } });
}

async function folders({ options: { workspaces } }: HubSessions, params: URLSearchParams): Promise<Response> {
  const asked = params.get('path') ?? workspaces[0];
  const listing = await listFolders(asked, workspaces);
  return listing === undefined ? outside(asked, workspaces) : Response.json(listing);
}

function outside(asked: string, workspaces: readonly string[]): Response {
  return refusal(
    404,
    'not_found',
    `${JSON.stringify(asked)} is not inside the folders that sessions may use: ${workspaces.join(', ')}`,
  );
}

/** Lists files in a session's folder, or in the folder of a new session. */
async function files({ table, params, signal, visible }: ApiCall): Promise<Response> {
  const { workspaces } = table.options;
  const cwd = params.get('path') ?? (await folderOfSession(params.get('session') ?? '', table, visible));
  if (!(await isOffered(cwd, table.options))) return outside(cwd, workspaces);
  const limit = toLimit(params.get('limit'), 20, 200);
  return Response.json({ files: await findFiles(cwd, params.get('q') ?? '', { limit, signal }) });
}

/** @throws {RpcError} -32002 */
async function folderOfSession(key: string, table: HubSessions, visible: VisibleHub): Promise<string> {
  await table.expect(key);
  const cwd = visible.session(key)?.cwd;
  if (cwd === undefined) throw unknownSession(key);
  return cwd;
}

async function probe(table: HubSessions, name: string): Promise<Response> {
  const card = await table.agents.probe(name);
  return card === undefined
    ? refusal(404, 'unknown_agent', `no agent ${JSON.stringify(name)}`)
    : Response.json(card);
}

function readOnly(): Response {
  return refusal(403, 'insufficient_scope', 'this token is read-only');
}

function toLimit(text: string | null, usual: number, most: number): number {
  const limit = text === null ? usual : Number(text);
  return Number.isSafeInteger(limit) && limit >= 0 ? Math.min(limit, most) : usual;
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    // Nothing is called what cannot be read.
    return '';
  }
}
