import { agentRequests, invalidRequest } from '@parley/acp';
import type { SessionStore } from '@parley/host';
import { RpcError, rpcCodes } from '@parley/wire';
import { takeOver } from '../../hub/replicas/take-over.ts';
import { answerStored } from '../../server/aap-elsewhere.ts';
import type { OwnerCall, OwnerRequest } from '../hub-call.ts';
import { parseHandOverParams, parsePromptMeta } from '../params/hub-params.ts';
import { readParams } from '../params/params.ts';
import { promptMayHoldSecret } from '../request-secrets.ts';
import { beginHere, ownMetaOf } from '../requests/session-requests.ts';
import { fieldsOf, sessionIdOf } from '../session-fields.ts';
import { ownerMethods } from './owner-methods.ts';

/** What replicas ask of the owner of a session in the course of requests of their clients, by method. */
export const ownerRequests: ReadonlyMap<string, OwnerRequest> = new Map<string, OwnerRequest>([
  [ownerMethods.begin, { use: 'begin', by: 'owner', run: beginHere }],
  [ownerMethods.open, { use: 'change', by: 'owner', run: open, canRepeat: true }],
  [ownerMethods.fork, { use: 'fork', by: 'owner', run: fork }],
  [
    ownerMethods.prompt,
    {
      use: 'change',
      by: 'owner',
      run: prompt,
      canRepeat: true,
      mayHoldSecret: (params) => promptMayHoldSecret(fieldsOf(params)['request']),
    },
  ],
  [ownerMethods.close, { use: 'change', by: 'owner', run: close, canRepeat: true }],
  [ownerMethods.continue, { use: 'change', by: 'owner', run: goOn, canRepeat: true }],
  [ownerMethods.handOver, { use: 'change', by: 'owner', run: handOver }],
  [
    ownerMethods.application,
    {
      use: 'change',
      by: 'owner',
      run: (params, { table }) => answerStored(params, table),
      canRepeat: true,
    },
  ],
]);

/** Opens a session with its agent, and brings MCP servers along. */
async function open(params: unknown, { table }: OwnerCall): Promise<object> {
  const { isOnlyBrought } = fieldsOf(params);
  const { mcpServers = [] } = readParams(
    agentRequests['session/resume'].parseParams({ cwd: '/', ...fieldsOf(params) }),
  );
  const session = await table.steer(sessionIdOf(params));
  if (mcpServers.length > 0) await session.bring(mcpServers);
  return isOnlyBrought === true ? {} : session.open();
}

async function fork(params: unknown, { table, principal }: OwnerCall): Promise<object> {
  const { key: sessionId, ...settings } = await table.fork(sessionIdOf(params), principal.id);
  return { ...settings, sessionId };
}

async function close(params: unknown, { table }: OwnerCall): Promise<object> {
  await table.closeSession(sessionIdOf(params));
  return {};
}

async function goOn(params: unknown, { table }: OwnerCall): Promise<object> {
  await takeOver(table, sessionIdOf(params));
  return {};
}

async function handOver(params: unknown, { table, signal }: OwnerCall): Promise<object> {
  await table.replicas?.handOver(parseHandOverParams(params), signal);
  return {};
}

/** Settles when the turn has ended; gives the response, and the number of the last event before it. */
async function prompt(params: unknown, call: OwnerCall): Promise<object> {
  const { request, refusesBusy } = fieldsOf(params);
  const {
    sessionId,
    prompt: blocks,
    _meta = {},
  } = readParams(agentRequests['session/prompt'].parseParams(request));
  const {
    'parley/promptId': id = crypto.randomUUID(),
    'parley/unattended': isUnattended = false,
    'parley/onAsk': onAsk,
    'parley/passesHeld': passesHeld = false,
  } = parsePromptMeta(_meta);
  const { table, from, signal, isRetaken = false } = call;
  const session = await table.steer(sessionId);
  const { turns } = session;
  const failsAtQuestion = onAsk === 'fail';
  const sender = { from, isUnattended, failsAtQuestion, id, meta: ownMetaOf(_meta) };
  const turn = isRetaken ? await readTurn(table.store, sessionId, id) : undefined;
  if (turn?.stopReason !== undefined) return { response: { stopReason: turn.stopReason }, seq: turn.seq };
  const rejoined = turns.rejoin(id, sender);
  if (turn !== undefined && rejoined === undefined) {
    throw new RpcError(
      rpcCodes.internalError,
      'session/prompt: the machine that ran the turn has ended; the outcome of its last step is unknown',
    );
  }
  if (rejoined === undefined && refusesBusy === true && !isRetaken) {
    if (turns.isBusy || (turns.queue.prompts.length > 0 && !turns.queue.isHeld)) {
      throw invalidRequest('session/prompt: a turn is running, or prompts of other clients wait for theirs');
    }
  }
  // It was withdrawn while it waited for an owner.
  if (rejoined === undefined && signal.aborted) {
    return { response: { stopReason: 'cancelled' }, seq: session.facts.clientSeq };
  }
  const isPassing = passesHeld && turns.queue.isHeld && !turns.isBusy;
  const { answered } = rejoined ?? turns.send(blocks, sender);
  if (isPassing) turns.change({ kind: 'send-now', id });
  const onAbort = (): void => {
    void turns.withdraw(id);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const response = session.redaction.fields({ ...(await answered) });
    return { response, seq: session.facts.clientSeq };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The turn of a prompt in the event log; without a stop reason it has not ended, or ended with its owner. */
async function readTurn(
  store: SessionStore,
  key: string,
  promptId: string,
): Promise<{ readonly seq: number; readonly stopReason?: string } | undefined> {
  let turn: { readonly seq: number; readonly stopReason?: string } | undefined;
  let isOpen = false;
  await store.read(
    key,
    (event) => {
      if (event.type === 'turn-start') {
        isOpen = event.promptId === promptId;
        if (isOpen) turn = { seq: event.seq };
      } else if (event.type === 'turn-end' && isOpen) {
        isOpen = false;
        const { seq } = event;
        turn = 'error' in event ? { seq } : { seq, stopReason: event.stopReason };
      } else if (event.type === 'interruption') {
        isOpen = false;
      }
    },
    {
      wants: (json) =>
        ['turn-start', 'turn-end', 'interruption'].some((type) => json.includes(`"type":"${type}"`)),
    },
  );
  return turn;
}
