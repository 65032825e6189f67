import { unknownSession } from '@parley/acp';
import type { ResumeSessionRequest, SessionUpdate } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { openConversationModel } from '../conversation-model.ts';
import type { ModelBounds, ConversationModel } from '../conversation-model.ts';
import type { ConversationNotice } from '../conversation-notice.ts';
import type { Conversation } from '../conversation.ts';
import { mcpFingerprint } from '../mcp-fingerprint.ts';
import { openConversation } from '../open-conversation.ts';
import type { ConversationSetup } from '../open-conversation.ts';
import { openDirectories } from '../open-directories.ts';
import { openPermissions } from '../open-permissions.ts';
import { toRefusal } from '../to-refusal.ts';
import { Transcript } from '../transcript.ts';
import { isConversationRecord } from './conversation-record.ts';
import type { ConversationRecord } from './conversation-record.ts';
import { ConversationRecorder } from './conversation-recorder.ts';
import type { ConversationLog, ConversationStore } from './conversation-store.ts';
import { interruption, replay } from './replay.ts';
import { StoredState } from './stored-state.ts';

/** Takes an update of the history: of the conversation, or of a sub-agent. */
export type ShowHistory = (update: SessionUpdate, subagent?: string) => Promise<void>;

/** What a conversation is restored with. */
export interface RestoreOptions {
  readonly setup: ConversationSetup;
  readonly store: ConversationStore;
  /** Receives the history, one update after another, with the sub-agent that sent it, if any. */
  readonly show?: ShowHistory;
  /** Closes the conversation where this connection has it open. */
  readonly release: () => Promise<void>;
}

/** Restores a stored conversation. Rejects with an `RpcError` if that is impossible. */
export async function restoreConversation(
  { sessionId, cwd, additionalDirectories = [], mcpServers }: ResumeSessionRequest,
  { setup, store, show, release }: RestoreOptions,
): Promise<Conversation> {
  const { environment, limits, models } = setup;
  await checkHead({ sessionId, cwd }, { setup, store });
  const files = await openDirectories(environment, { cwd, additionalDirectories });
  const permissions = await openPermissions(setup, { cwd, files });
  const model = await openConversationModel(models, cwd);
  await release();
  const transcript = new Transcript(limits);
  const state = new StoredState((change) => {
    transcript.restore(change);
  });
  const take = async (record: ConversationRecord): Promise<void> => {
    state.take(record);
    if (show === undefined) return;
    const subagent = record.type === 'update' || record.type === 'left-out' ? record.subagent : undefined;
    for (const update of replay(record)) await show(update, subagent);
  };
  const log = await openLog(sessionId, store, take);
  const recorder = new ConversationRecorder({ limits, kept: { log, now: () => store.now() } });
  const notices: ConversationNotice[] = [];
  if (state.isInTurn && show === undefined) notices.push(wasInterrupted);
  if (log.lost.damagedLines > 0) notices.push(isDamaged(log.lost.damagedLines));
  try {
    for (const record of state.missingRecords(store.now())) {
      recorder.note(record);
      await take(record);
    }
  } catch (error) {
    await recorder.close();
    throw error;
  }
  if (JSON.stringify(state.directories) !== JSON.stringify(additionalDirectories)) {
    recorder.note({ type: 'directories', directories: additionalDirectories });
  }
  const fingerprint = await mcpFingerprint(mcpServers ?? []);
  if (state.mcpServers !== fingerprint) {
    recorder.note({ type: 'servers', mcpServers: fingerprint });
    if (mcpServers !== undefined) notices.push(hasOtherServers);
  }
  const isSameModel = await restoreModel(model, state.options.get('model'));
  if (!isSameModel) notices.push(hasOtherModel(model.current.id));
  model.setBounds(toBounds(state.options));
  model.restoreThoughtLevel(state.options.get('thought_level') ?? model.thoughtLevel);
  const { opening, turns, hasTurns, mode, usedTokens } = state;
  transcript.count(usedTokens);
  const conversation = openConversation(
    {
      id: sessionId,
      cwd,
      files,
      model,
      permissions,
      mcpServers: mcpServers ?? [],
      recorder,
      notices,
      history: { opening, turns, hasTurns, transcript },
    },
    setup,
  );
  if (mode !== undefined) conversation.restoreMode(mode);
  conversation.addCost(state.costUsd);
  return conversation;
}

/** Selects the model of before, regardless of the variables of now; false when its provider cannot be used any more. */
async function restoreModel(model: ConversationModel, chosen: string | undefined): Promise<boolean> {
  if (chosen === undefined) return true;
  try {
    await model.choose(chosen);
    return true;
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

function toBounds(options: ReadonlyMap<string, string>): ModelBounds {
  const contextLength = options.get('contextLength');
  const maxTokens = options.get('maxTokens');
  return {
    ...(contextLength !== undefined && { contextLength: Number(contextLength) }),
    ...(maxTokens !== undefined && { maxTokens: Number(maxTokens) }),
  };
}

/**
 * Checks that the conversation belongs to the folder, before anything of it is shown, copied or closed.
 *
 * @throws {RpcError} -32002: unknown session. -32602: it belongs to another folder.
 */
export async function checkHead(
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
  { setup, store }: { readonly setup: ConversationSetup; readonly store: ConversationStore },
): Promise<void> {
  let kept: string | undefined;
  try {
    await store.peek(sessionId, (record) => {
      if (!isConversationRecord(record) || record.type !== 'session') return 'more';
      if (record.id === sessionId) kept = record.cwd;
      return 'enough';
    });
  } catch (error) {
    throw toRefusal(error, sessionId);
  }
  if (kept === undefined) throw unknownSession(sessionId);
  const { environment } = setup;
  if (environment.toAbsolutePath(kept, '.') === environment.toAbsolutePath(cwd, '.')) return;
  const message = `Session ${sessionId} belongs to the directory ${kept}, not to ${cwd}`;
  throw new RpcError(rpcCodes.invalidParams, message, { sessionId, cwd: kept });
}

async function openLog(
  sessionId: string,
  store: ConversationStore,
  take: (record: ConversationRecord) => Promise<void>,
): Promise<ConversationLog> {
  let log: ConversationLog | undefined;
  try {
    log = await store.open(sessionId, (record) => (isConversationRecord(record) ? take(record) : undefined));
  } catch (error) {
    throw toRefusal(error, sessionId);
  }
  if (log === undefined) throw unknownSession(sessionId);
  return log;
}

const wasInterrupted: ConversationNotice = {
  severity: 'warning',
  title: 'The last turn was interrupted',
  description: interruption,
};

const hasOtherServers: ConversationNotice = {
  severity: 'info',
  title: 'The MCP servers are not those of before',
  description: 'The session continues with the new ones.',
};

function hasOtherModel(id: string): ConversationNotice {
  return {
    severity: 'warning',
    title: 'The model is not that of before',
    description: `Its provider is no longer available; using ${id}.`,
  };
}

function isDamaged(lines: number): ConversationNotice {
  return {
    severity: 'warning',
    title: 'Part of this session is lost',
    description: `Its file is damaged in ${String(lines)} places, which were skipped.`,
  };
}
