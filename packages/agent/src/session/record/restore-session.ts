import { unknownSession } from '@parley/acp';
import type { ResumeSessionRequest, SessionUpdate } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { Conversation } from '../conversation.ts';
import { mcpFingerprint } from '../mcp-fingerprint.ts';
import { openDirectories } from '../open-directories.ts';
import { openPermissions } from '../open-permissions.ts';
import { openSession } from '../open-session.ts';
import type { SessionSetup } from '../open-session.ts';
import { openSessionModel } from '../session-model.ts';
import type { ModelBounds, SessionModel } from '../session-model.ts';
import type { SessionNotice } from '../session-notice.ts';
import type { Session } from '../session.ts';
import { toRefusal } from '../to-refusal.ts';
import { interruption, replay } from './replay.ts';
import { isSessionRecord } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import { SessionRecorder } from './session-recorder.ts';
import type { SessionLog, SessionStore } from './session-store.ts';
import { StoredState } from './stored-state.ts';

/** Takes an update of the history: of the session, or of a sub-agent. */
export type ShowHistory = (update: SessionUpdate, subagent?: string) => Promise<void>;

/** What a session is restored with. */
export interface RestoreOptions {
  readonly setup: SessionSetup;
  readonly store: SessionStore;
  /** Receives the history, one update after another, with the sub-agent that sent it, if any. */
  readonly show?: ShowHistory;
  /** Closes the session where this connection has it open. */
  readonly release: () => Promise<void>;
}

/** Restores a stored session. Rejects with an `RpcError` if that is impossible. */
export async function restoreSession(
  { sessionId, cwd, additionalDirectories = [], mcpServers }: ResumeSessionRequest,
  { setup, store, show, release }: RestoreOptions,
): Promise<Session> {
  const { environment, limits, models } = setup;
  await checkHead({ sessionId, cwd }, { setup, store });
  const files = await openDirectories(environment, { cwd, additionalDirectories });
  const permissions = await openPermissions(setup, { cwd, files });
  const model = await openSessionModel(models, cwd);
  await release();
  const conversation = new Conversation(limits);
  const state = new StoredState((change) => {
    conversation.restore(change);
  });
  const take = async (record: SessionRecord): Promise<void> => {
    state.take(record);
    if (show === undefined) return;
    const subagent = record.type === 'update' || record.type === 'left-out' ? record.subagent : undefined;
    for (const update of replay(record)) await show(update, subagent);
  };
  const log = await openLog(sessionId, store, take);
  const recorder = new SessionRecorder({ limits, kept: { log, now: () => store.now() } });
  const notices: SessionNotice[] = [];
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
  const { opening, turns, hasTurns, modeId, usedTokens } = state;
  conversation.count(usedTokens);
  const session = openSession(
    {
      id: sessionId,
      cwd,
      files,
      model,
      permissions,
      mcpServers: mcpServers ?? [],
      recorder,
      notices,
      history: { opening, turns, hasTurns, conversation },
    },
    setup,
  );
  if (modeId !== undefined) session.restoreMode(modeId);
  session.addCost(state.costUsd);
  return session;
}

/** Selects the model of before, regardless of the variables of now; false when its provider cannot be used any more. */
async function restoreModel(model: SessionModel, chosen: string | undefined): Promise<boolean> {
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
 * Checks that the session belongs to the folder, before anything of it is shown, copied or closed.
 *
 * @throws {RpcError} -32002: unknown session. -32602: it belongs to another folder.
 */
export async function checkHead(
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
  { setup, store }: { readonly setup: SessionSetup; readonly store: SessionStore },
): Promise<void> {
  let kept: string | undefined;
  try {
    await store.peek(sessionId, (record) => {
      if (!isSessionRecord(record) || record.type !== 'session') return 'more';
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
  store: SessionStore,
  take: (record: SessionRecord) => Promise<void>,
): Promise<SessionLog> {
  let log: SessionLog | undefined;
  try {
    log = await store.open(sessionId, (record) => (isSessionRecord(record) ? take(record) : undefined));
  } catch (error) {
    throw toRefusal(error, sessionId);
  }
  if (log === undefined) throw unknownSession(sessionId);
  return log;
}

const wasInterrupted: SessionNotice = {
  severity: 'warning',
  title: 'The last turn was interrupted',
  description: interruption,
};

const hasOtherServers: SessionNotice = {
  severity: 'info',
  title: 'The MCP servers are not those of before',
  description: 'The session continues with the new ones.',
};

function hasOtherModel(id: string): SessionNotice {
  return {
    severity: 'warning',
    title: 'The model is not that of before',
    description: `Its provider is no longer available; using ${id}.`,
  };
}

function isDamaged(lines: number): SessionNotice {
  return {
    severity: 'warning',
    title: 'Part of this session is lost',
    description: `Its file is damaged in ${String(lines)} places, which were skipped.`,
  };
}
