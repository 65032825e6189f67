import { randomUUID } from 'node:crypto';
import { agentRequests, invalidParams, type Meta } from '@parley/acp';
import type { OfferedSettings } from '@parley/host';
import { eventNumber, hubMethods } from '@parley/host/hub';
import { shorten } from '@parley/wire';
import { judgeSession, mayAdminister, mayBeginSessions } from '../../access/session-access.ts';
import { isOffered } from '../../hub/check-folder.ts';
import { readOnly, type HubCall, type HubRequest, type OwnerCall, type OwnerRequest } from '../hub-call.ts';
import { listSessions } from '../list-sessions.ts';
import { refuseMcpServers } from '../mcp-hosts.ts';
import { isSameFolder, refuseOpening } from '../opening-rules.ts';
import { ownerMethods } from '../owner/owner-methods.ts';
import {
  parseNewSessionMeta,
  parsePromptMeta,
  parseResumeMeta,
  parseSessionParams,
} from '../params/hub-params.ts';
import { readParams } from '../params/params.ts';
import type { FollowedSession } from '../plain/followed-session.ts';
import { fieldsOf, sessionIdOf } from '../session-fields.ts';
import { signInTo } from './agent-requests.ts';

/** What ACP lets a client ask about sessions, by method. */
export const sessionRequests: ReadonlyMap<string, HubRequest | OwnerRequest> = new Map<
  string,
  HubRequest | OwnerRequest
>([
  ['authenticate', { use: 'administer', run: authenticate }],
  ['session/new', { use: 'begin', run: begin }],
  ['session/list', { use: 'list', run: listSessions }],
  ['session/load', { use: 'look', run: load }],
  ['session/resume', { use: 'look', run: resume }],
  [hubMethods.fork, { use: 'fork', run: fork }],
  ['session/prompt', { use: 'change', run: prompt }],
  ['session/set_mode', { use: 'change', by: 'owner', run: setMode, canRepeat: true }],
  ['session/set_config_option', { use: 'change', by: 'owner', run: setConfigOption, canRepeat: true }],
  ['session/close', { use: 'change', run: close }],
  ['session/delete', { use: 'change', by: 'owner', run: remove }],
]);

async function authenticate(params: unknown, { table, agent }: HubCall): Promise<object> {
  const { methodId } = readParams(agentRequests.authenticate.parseParams(params));
  await signInTo(table, { agent: agent ?? table.options.defaultAgent, methodId });
  return {};
}

async function begin(params: unknown, call: HubCall): Promise<object> {
  const { table, plain, agent, afterAnswer } = call;
  const { cwd } = readParams(agentRequests['session/new'].parseParams(params));
  const wanted = { params, isPlain: plain !== undefined, ...(agent !== undefined && { agent }) };
  const replica = await table.replicas?.replicaFor(cwd);
  const begun =
    replica === undefined
      ? await beginHere(wanted, call)
      : await call.atReplica(replica, ownerMethods.begin, wanted);
  const key = sessionIdOf(begun);
  plain?.begin(key);
  afterAnswer(() => void plain?.open(key, 'all').catch(table.options.onFault));
  return begun;
}

/** Begins a session on this machine, for a client of any replica. */
export async function beginHere(wanted: unknown, call: OwnerCall): Promise<object> {
  const { params, isPlain, agent } = fieldsOf(wanted);
  await checkOpening(params, call);
  const opening = readParams(agentRequests['session/new'].parseParams(params));
  const { cwd, additionalDirectories = [], mcpServers, _meta = {} } = opening;
  const { table, principal } = call;
  const meta = parseNewSessionMeta(_meta);
  const { key, notes, ...settings } = await table.begin({
    cwd,
    additionalDirectories,
    mcpServers,
    owner: principal.id,
    mayWiden: mayAdminister(principal),
    agentMeta: ownMetaOf(_meta),
    ...(isPlain === true && { slotWaitMs: plainWaitMs }),
    meta: {
      ...(typeof agent === 'string' && { 'parley/agent': agent }),
      // Until it knows the session, a plain client can be asked nothing about it.
      ...(isPlain === true && { 'parley/unattended': true }),
      ...meta,
    },
  });
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
  const { table, plain, principal, afterAnswer } = call;
  if (
    judgeSession(principal, await table.ownerOf(sessionId), 'change') === 'allowed' &&
    mcpServers.length > 0
  ) {
    await call.atOwner(ownerMethods.open, { sessionId, mcpServers, isOnlyBrought: true });
  }
  const followed = await plain?.open(sessionId, 'all');
  afterAnswer(() => void followed?.sendAfterLoad().catch(table.options.onFault));
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
  const { table, plain, principal, afterAnswer } = call;
  if (plain !== undefined) await checkPlace(sessionId, cwd, call);
  let settings: OfferedSettings = {};
  const mayChange = judgeSession(principal, await table.ownerOf(sessionId), 'change') === 'allowed';
  // What an application began is only followed: its agent is the application's to start.
  if (mayChange && (mcpServers.length > 0 || !(await table.isOfApplication(sessionId)))) {
    settings = await call.atOwner(ownerMethods.open, { sessionId, mcpServers });
  }
  for (const promptId of ownPrompts) plain?.own(promptId);
  const followed = await plain?.open(sessionId, received);
  afterAnswer(() => void followed?.sendAfterLoad().catch(table.options.onFault));
  return followed === undefined ? settings : { ...settings, ...numberOf(followed, call) };
}

async function fork(params: unknown, call: HubCall): Promise<object> {
  const { table, plain, afterAnswer } = call;
  await checkOpening(params, call);
  const { sessionId: origin } = parseSessionParams(params);
  const { cwd } = fieldsOf(params);
  if (typeof cwd === 'string') await checkPlace(origin, cwd, call);
  const forked = await call.atOwner(ownerMethods.fork, { sessionId: origin });
  const sessionId = sessionIdOf(forked);
  plain?.begin(sessionId);
  afterAnswer(() => void plain?.open(sessionId, 'all').catch(table.options.onFault));
  return forked;
}

async function prompt(params: unknown, call: HubCall): Promise<object> {
  const { plain } = call;
  const request = readParams(agentRequests['session/prompt'].parseParams(params));
  const { sessionId, _meta = {} } = request;
  const { 'parley/promptId': id = randomUUID(), 'parley/passesHeld': passesHeld = plain !== undefined } =
    parsePromptMeta(_meta);
  await plain?.open(sessionId, 'none');
  plain?.own(id);
  try {
    const meta = { ..._meta, 'parley/promptId': id, 'parley/passesHeld': passesHeld };
    const sent = { sessionId, request: { ...request, _meta: meta }, refusesBusy: plain !== undefined };
    const { response, seq } = fieldsOf(await call.atOwner(ownerMethods.prompt, sent));
    if (typeof seq === 'number') await plain?.sent(sessionId, seq);
    return fieldsOf(response);
  } finally {
    plain?.disown(id);
  }
}

async function setMode(params: unknown, { table }: OwnerCall): Promise<object> {
  const { sessionId, modeId } = readParams(agentRequests['session/set_mode'].parseParams(params));
  await (await table.steer(sessionId)).setMode(modeId);
  return {};
}

async function setConfigOption(params: unknown, { table }: OwnerCall): Promise<object> {
  const { sessionId, configId, value } = readParams(
    agentRequests['session/set_config_option'].parseParams(params),
  );
  if (!isValue(value)) throw invalidParams('value', 'text, true or false');
  return { configOptions: await (await table.steer(sessionId)).setOption(configId, value) };
}

async function close(params: unknown, call: HubCall): Promise<object> {
  const { sessionId } = parseSessionParams(params);
  await call.atOwner(ownerMethods.close, { sessionId });
  call.plain?.end(sessionId);
  return {};
}

async function remove(params: unknown, { table }: OwnerCall): Promise<object> {
  await table.remove(parseSessionParams(params).sessionId);
  return {};
}

/** @throws {RpcError} -32602: clients choose no folders, commands and hosts beyond those that are offered; -32600 */
async function checkOpening(params: unknown, call: OwnerCall): Promise<void> {
  const { method, table, principal } = call;
  // A client that only looks brings nothing along for the session that it reads.
  if (!mayBeginSessions(principal) && bringsSomething(params)) throw readOnly(method);
  const { options, replicas } = table;
  await refuseOpening(
    method,
    params,
    options.workspaces,
    async (folder) => (await isOffered(folder, options)) || replicas?.has(folder) === true,
  );
  await refuseMcpServers(method, params, { hosts: options.mcpHosts ?? [], scope: principal.scope });
}

/** @throws {RpcError} -32602: the session is in another folder. */
async function checkPlace(sessionId: string, cwd: string, { table, method }: HubCall): Promise<void> {
  await table.expect(sessionId);
  const known = table.session(sessionId)?.cwd;
  if (known === undefined || (await isSameFolder(known, cwd))) return;
  throw invalidParams(
    'cwd',
    `${JSON.stringify(known)}, where the session is; ${method} names ${JSON.stringify(shorten(cwd))}`,
  );
}

/** Whether an opening request has the agent connect to servers, or holds what only that agent understands. */
function bringsSomething(params: unknown): boolean {
  const { mcpServers, _meta } = fieldsOf(params);
  const brings = mcpServers !== undefined && !(Array.isArray(mcpServers) && mcpServers.length === 0);
  const names = Object.keys(fieldsOf(_meta));
  return brings || names.some((name) => !traceNames.has(name) && !name.startsWith('parley/'));
}

/**
 * How long an ACP client waits for a slot: it receives nothing in the meantime, and many clients time out after a
 * minute.
 */
const plainWaitMs = 45_000;

/** W3C trace context, as ACP's `_meta` carries it. */
const traceNames: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** What of `_meta` is for the agent; the rest is for the hub. */
export function ownMetaOf(meta: Meta): Meta {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith('parley/')));
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}
