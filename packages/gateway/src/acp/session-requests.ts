import { randomUUID } from 'node:crypto';
import { agentRequests, invalidParams, invalidRequest, type Meta } from '@parley/acp';
import type { OfferedSettings } from '@parley/host';
import { eventNumber, hubMethods } from '@parley/host/hub';
import { judgeSession, mayBeginSessions } from '../access/session-access.ts';
import { isOffered } from '../hub/check-folder.ts';
import { readOnly, type HubCall, type HubRequest } from './hub-call.ts';
import {
  parseNewSessionMeta,
  parsePromptMeta,
  parseResumeMeta,
  parseSessionParams,
  readParams,
} from './hub-params.ts';
import { listSessions } from './list-sessions.ts';
import { refuseMcpServers } from './mcp-hosts.ts';
import { isSameFolder, refuseOpening } from './opening-rules.ts';
import type { FollowedSession } from './plain/followed-session.ts';
import { fieldsOf } from './session-fields.ts';

/** What ACP lets a client ask about sessions, by method. */
export const sessionRequests: ReadonlyMap<string, HubRequest> = new Map<string, HubRequest>([
  ['authenticate', { use: 'sign-in', run: authenticate }],
  ['session/new', { use: 'begin', run: begin }],
  ['session/list', { use: 'list', run: listSessions }],
  ['session/load', { use: 'look', run: load }],
  ['session/resume', { use: 'look', run: resume }],
  [hubMethods.fork, { use: 'fork', run: fork }],
  ['session/prompt', { use: 'change', run: prompt }],
  ['session/set_mode', { use: 'change', run: setMode }],
  ['session/set_config_option', { use: 'change', run: setConfigOption }],
  ['session/close', { use: 'change', run: close }],
  ['session/delete', { use: 'change', run: remove }],
]);

async function authenticate(params: unknown, { table, agent }: HubCall): Promise<object> {
  const { methodId } = readParams(agentRequests.authenticate.parseParams(params));
  await table.signIn({ agent: agent ?? table.options.defaultAgent, methodId });
  return {};
}

async function begin(params: unknown, call: HubCall): Promise<object> {
  await checkOpening(params, call);
  const opening = readParams(agentRequests['session/new'].parseParams(params));
  const { cwd, additionalDirectories = [], mcpServers, _meta = {} } = opening;
  const { table, principal, plain, agent, afterAnswer } = call;
  const meta = parseNewSessionMeta(_meta);
  const { key, notes, ...settings } = await table.begin({
    cwd,
    additionalDirectories,
    mcpServers,
    owner: principal.id,
    agentMeta: ownMetaOf(_meta),
    ...(plain !== undefined && { slotWaitMs: plainWaitMs }),
    meta: {
      ...(agent !== undefined && { 'parley/agent': agent }),
      // Until it knows the session, a plain client can be asked nothing about it.
      ...(plain !== undefined && { 'parley/unattended': true }),
      ...meta,
    },
  });
  plain?.begin(key);
  afterAnswer(() => void plain?.open(key, 'all').catch(table.options.onFault));
  return {
    ...settings,
    sessionId: key,
    ...(notes !== undefined && {
      _meta: { ...fieldsOf(fieldsOf(settings)['_meta']), 'parley/notes': notes },
    }),
  };
}

/** Replays the whole conversation, and sends what happens from then on. No agent is needed for that. */
async function load(params: unknown, call: HubCall): Promise<object> {
  const { sessionId, cwd, mcpServers } = readParams(agentRequests['session/load'].parseParams(params));
  await checkOpening(params, call);
  await checkPlace(sessionId, cwd, call);
  const { table, plain, principal } = call;
  if (
    judgeSession(principal, await table.ownerOf(sessionId), 'change') === 'allowed' &&
    mcpServers.length > 0
  ) {
    await (await table.steer(sessionId)).bring(mcpServers);
  }
  const followed = await plain?.open(sessionId, 'all');
  return followed === undefined ? {} : { ...followed.settings, ...numberOf(followed, call) };
}

/** Up to which event a client knows a session, where it wants to know that. */
function numberOf({ seq }: FollowedSession, { plain }: HubCall): object {
  return plain?.numbersEvents() === true ? { _meta: { [eventNumber]: seq } } : {};
}

async function resume(params: unknown, call: HubCall): Promise<object> {
  const {
    sessionId,
    cwd,
    mcpServers = [],
    _meta = {},
  } = readParams(agentRequests['session/resume'].parseParams(params));
  const { 'parley/received': received = 'none', 'parley/ownPrompts': ownPrompts = [] } =
    parseResumeMeta(_meta);
  await checkOpening(params, call);
  const { table, plain, principal } = call;
  if (plain !== undefined) await checkPlace(sessionId, cwd, call);
  let settings: OfferedSettings = {};
  const mayChange = judgeSession(principal, await table.ownerOf(sessionId), 'change') === 'allowed';
  // What an application began is only followed: its agent is the application's to start.
  if (mayChange && (mcpServers.length > 0 || !(await table.isOfApplication(sessionId)))) {
    const session = await table.steer(sessionId);
    if (mcpServers.length > 0) await session.bring(mcpServers);
    settings = await session.open();
  }
  for (const promptId of ownPrompts) plain?.own(promptId);
  const followed = await plain?.open(sessionId, received);
  return followed === undefined ? settings : { ...settings, ...numberOf(followed, call) };
}

async function fork(params: unknown, call: HubCall): Promise<object> {
  const { table, plain, principal, afterAnswer } = call;
  await checkOpening(params, call);
  const { sessionId: origin } = parseSessionParams(params);
  const { cwd } = fieldsOf(params);
  if (typeof cwd === 'string') await checkPlace(origin, cwd, call);
  const { key: sessionId, ...settings } = await table.fork(origin, principal.id);
  plain?.begin(sessionId);
  afterAnswer(() => void plain?.open(sessionId, 'all').catch(table.options.onFault));
  return { ...settings, sessionId };
}

async function prompt(params: unknown, { table, from, signal, plain }: HubCall): Promise<object> {
  const {
    sessionId,
    prompt: blocks,
    _meta = {},
  } = readParams(agentRequests['session/prompt'].parseParams(params));
  const {
    'parley/promptId': id = randomUUID(),
    'parley/unattended': isUnattended = false,
    'parley/passesHeld': passesHeld = plain !== undefined,
  } = parsePromptMeta(_meta);
  const session = await table.steer(sessionId);
  const { turns } = session;
  if (plain !== undefined) {
    await plain.open(sessionId, 'none');
    if (turns.isBusy || (turns.queue.prompts.length > 0 && !turns.queue.isHeld)) {
      throw invalidRequest('session/prompt: a turn is running, or prompts of other clients wait for theirs');
    }
  }
  plain?.own(id);
  const isPassing = passesHeld && turns.queue.isHeld && !turns.isBusy;
  const { answered } = turns.send(blocks, { from, isUnattended, id, meta: ownMetaOf(_meta) });
  if (isPassing) turns.change({ kind: 'send-now', id });
  const onAbort = (): void => {
    void turns.withdraw(id);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await answered;
    await plain?.sent(sessionId);
    return session.withoutSecrets(response);
  } finally {
    signal.removeEventListener('abort', onAbort);
    plain?.disown(id);
  }
}

async function setMode(params: unknown, { table }: HubCall): Promise<object> {
  const { sessionId, modeId } = readParams(agentRequests['session/set_mode'].parseParams(params));
  await (await table.steer(sessionId)).setMode(modeId);
  return {};
}

async function setConfigOption(params: unknown, { table }: HubCall): Promise<object> {
  const { sessionId, configId, value } = readParams(
    agentRequests['session/set_config_option'].parseParams(params),
  );
  if (!isValue(value)) throw invalidParams('value', 'text, true or false');
  return { configOptions: await (await table.steer(sessionId)).setOption(configId, value) };
}

async function close(params: unknown, { table, plain }: HubCall): Promise<object> {
  const { sessionId } = parseSessionParams(params);
  await table.closeSession(sessionId);
  plain?.end(sessionId);
  return {};
}

async function remove(params: unknown, { table }: HubCall): Promise<object> {
  await table.remove(parseSessionParams(params).sessionId);
  return {};
}

/** @throws {RpcError} -32602: clients choose no folders, commands and hosts beyond those that are offered; -32600 */
async function checkOpening(params: unknown, call: HubCall): Promise<void> {
  const { method, table, principal, mcpHosts } = call;
  // A client that only looks brings nothing along for the session that it reads.
  if (!mayBeginSessions(principal) && bringsSomething(params)) throw readOnly(method);
  const { options } = table;
  await refuseOpening(method, params, options.workspaces, (folder) => isOffered(folder, options));
  await refuseMcpServers(method, params, { hosts: mcpHosts, scope: principal.scope });
}

/** @throws {RpcError} -32602: the session is in another folder. */
async function checkPlace(sessionId: string, cwd: string, { table, method }: HubCall): Promise<void> {
  await table.expect(sessionId);
  const known = table.session(sessionId)?.cwd;
  if (known === undefined || (await isSameFolder(known, cwd))) return;
  throw invalidParams(
    'cwd',
    `${JSON.stringify(known)}, where the session is; ${method} names ${JSON.stringify(cwd)}`,
  );
}

/** Whether an opening request has the agent connect to servers, or holds what only that agent understands. */
function bringsSomething(params: unknown): boolean {
  const { mcpServers, _meta } = fieldsOf(params);
  const brings = mcpServers !== undefined && !(Array.isArray(mcpServers) && mcpServers.length === 0);
  const names = Object.keys(fieldsOf(_meta));
  return brings || names.some((name) => !traceNames.has(name) && !name.startsWith('parley/'));
}

/** How long a plain client waits for a slot: it receives nothing meanwhile, and many time out after a minute. */
const plainWaitMs = 45_000;

/** W3C trace context, as ACP's `_meta` carries it. */
const traceNames: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** What of `_meta` is for the agent; the rest is for the hub. */
function ownMetaOf(meta: Meta): Meta {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith('parley/')));
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}
