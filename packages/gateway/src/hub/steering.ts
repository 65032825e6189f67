import { agentRequests, Invalid, invalidParams, invalidRequest } from '@parley/acp';
import type { Sender } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import {
  parseAnswerParams,
  parseCancelParams,
  parseNewSessionMeta,
  parsePromptMeta,
  parseQueueParams,
  parseRenameParams,
  parseRevokeParams,
  parseSessionParams,
  parseSignInParams,
} from './hub-params.ts';
import type { HubSessions } from './hub-sessions.ts';
import { revokeAnswer } from './remembered-answers.ts';

/** Who steers, and how long they want the answer. */
export interface Steerer {
  readonly table: HubSessions;
  readonly from: Sender;
  /** Aborted when they cancel the request; not when they go away, which ends nothing. */
  readonly signal: AbortSignal;
}

type Steer = (params: unknown, steerer: Steerer) => Promise<object>;

/** What changes something, by method. */
export const steering: ReadonlyMap<string, Steer> = new Map<string, Steer>([
  [
    'session/new',
    async (params, { table }) => {
      const {
        cwd,
        additionalDirectories = [],
        mcpServers,
        _meta = {},
      } = read(agentRequests['session/new'].parseParams(params));
      refuseServers(mcpServers);
      const meta = parseNewSessionMeta(_meta);
      const { key, ...settings } = await table.begin({ cwd, additionalDirectories, meta });
      return { sessionId: key, ...settings };
    },
  ],
  [
    'session/resume',
    async (params, { table }) => {
      const { sessionId, mcpServers = [] } = read(agentRequests['session/resume'].parseParams(params));
      refuseServers(mcpServers);
      return (await table.steer(sessionId)).open();
    },
  ],
  [hubMethods.fork, async (params, { table }) => table.fork(parseSessionParams(params).sessionId)],
  ['session/prompt', prompt],
  [
    'session/set_mode',
    async (params, { table }) => {
      const { sessionId, modeId } = read(agentRequests['session/set_mode'].parseParams(params));
      await (await table.steer(sessionId)).setMode(modeId);
      return {};
    },
  ],
  [
    'session/set_config_option',
    async (params, { table }) => {
      const { sessionId, configId, value } = read(
        agentRequests['session/set_config_option'].parseParams(params),
      );
      if (!isValue(value)) throw invalidParams('value', 'text, true or false');
      return { configOptions: await (await table.steer(sessionId)).setOption(configId, value) };
    },
  ],
  [
    'session/close',
    async (params, { table }) => {
      await table.found(parseSessionParams(params).sessionId)?.close();
      return {};
    },
  ],
  [
    'session/delete',
    async (params, { table }) => {
      await table.remove(parseSessionParams(params).sessionId);
      return {};
    },
  ],
  [
    hubMethods.answer,
    async (params, { table, from }) => {
      const { sessionId, requestId, answer } = parseAnswerParams(params);
      (await table.steer(sessionId)).answer(requestId, answer, from);
      return {};
    },
  ],
  [
    hubMethods.queue,
    async (params, { table }) => {
      const { sessionId, change } = parseQueueParams(params);
      (await table.steer(sessionId)).turns.change(change);
      return {};
    },
  ],
  [
    hubMethods.rename,
    async (params, { table }) => {
      const { sessionId, title } = parseRenameParams(params);
      (await table.steer(sessionId)).rename(title);
      return {};
    },
  ],
  [
    hubMethods.cancel,
    async (params, { table }) => {
      const { sessionId, graceMs } = parseCancelParams(params);
      await table.found(sessionId)?.turns.cancel(graceMs === undefined ? {} : { graceMs });
      return {};
    },
  ],
  [
    hubMethods.restart,
    async (params, { table }) => {
      await (await table.steer(parseSessionParams(params).sessionId)).restart();
      return {};
    },
  ],
  [
    hubMethods.signIn,
    async (params, { table }) => {
      await table.agents.signIn(parseSignInParams(params));
      return {};
    },
  ],
  [
    hubMethods.revoke,
    async (params, { table }) => {
      await revokeAnswer(table.options.answersFile, parseRevokeParams(params).id);
      return {};
    },
  ],
]);

async function prompt(params: unknown, { table, from, signal }: Steerer): Promise<object> {
  const { sessionId, prompt: blocks, _meta = {} } = read(agentRequests['session/prompt'].parseParams(params));
  const { 'parley/promptId': promptId, 'parley/unattended': isUnattended = false } = parsePromptMeta(_meta);
  const { turns } = await table.steer(sessionId);
  const { id, answered } = turns.send(blocks, {
    from,
    isUnattended,
    ...(promptId !== undefined && { id: promptId }),
  });
  const onAbort = (): void => {
    void turns.giveUp(id);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await answered;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws {RpcError} -32602: the params are not what the protocol says. */
function read<Params>(parsed: Params | Invalid): Params {
  if (parsed instanceof Invalid) throw invalidParams(parsed.path, parsed.expected);
  return parsed;
}

function refuseServers(servers: readonly unknown[]): void {
  if (servers.length > 0) throw invalidRequest('the hub passes no MCP servers on');
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}
