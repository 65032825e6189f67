import {
  clientRequests,
  Invalid,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type ToolCallUpdate,
  type WriteTextFileRequest,
  type WriteTextFileResponse,
} from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { WorkspaceError, type OldText } from '@parley/workspace';
import type { SessionCall } from '../agent-session/session-call.ts';
import type { SessionScope } from '../agent-session/session-scope.ts';
import type { FileState } from '../event/resource-event.ts';
import { denialOf } from '../permission/decide.ts';
import { judgeUnasked } from '../permission/judge-unasked.ts';
import { subjectOf } from '../permission/request/permission-subject.ts';
import { toRequestedAction } from '../permission/request/to-requested-action.ts';
import { notAllowed, toRefusal } from './refusal.ts';

/** Size of a file that an agent reads through the client: 32 MiB. */
const readLimitBytes = 32 * 1024 * 1024;

/** Characters of a text, before or after a write, that an event contains: 10 Mi. */
const eventTextLength = 10 * 1024 * 1024;

/** Serves `fs/read_text_file`: a whole file, or some of its lines. One with keys in it is asked about. */
export async function readTextFile(
  params: ReadTextFileRequest,
  call: SessionCall,
): Promise<ReadTextFileResponse> {
  const { scope, host, signal } = call;
  const { line, limit } = params;
  try {
    const path = await scope.files.resolve(params.path);
    const hidden = host.sandbox?.refusesRead(path);
    if (hidden !== undefined) throw notAllowed(`read ${JSON.stringify(params.path)}`, hidden);
    const toolCall = {
      kind: 'read',
      title: `Read ${params.path}`,
      locations: [{ path: params.path }],
    } as const;
    const seen = await toRequestedAction({ toolCallId: '', ...toolCall }, scope);
    const { cwd } = scope.files;
    const answers = await host.answers.rulesFor({ sessionId: scope.id, cwd });
    const subject = { ...subjectOf(seen), agent: host.agentName };
    const denial = denialOf(subject, [...host.policy.rules, ...answers], cwd, host.policy.now?.());
    const name = `read ${JSON.stringify(params.path)}`;
    if (denial !== undefined) throw notAllowed(name, denial);
    const isGranted = !signal.aborted && scope.grants.forRead(path) !== undefined;
    if (subject.protectedFile !== undefined && !isGranted) await judgeUnasked({ seen, name, toolCall }, call);
    const served = host.clients?.serving(scope.id, 'fs/read_text_file');
    if (served !== undefined) return readContent(await served('fs/read_text_file', params, signal));
    const { text } = await scope.files.readText(path, {
      maxBytes: readLimitBytes,
      // ACP v1, File System: lines count from 1. Zero is taken for the first.
      ...(line !== undefined && { line: Math.max(1, line) }),
      ...(limit !== undefined && { limit }),
    });
    return { content: text };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** What a client that serves the file read, which may be more than is on disk: the text that its user edits. */
function readContent(response: unknown): ReadTextFileResponse {
  const parsed = clientRequests['fs/read_text_file'].parseResult(response);
  if (parsed instanceof Invalid) {
    throw new RpcError(rpcCodes.internalError, `fs/read_text_file: the client's response: ${parsed.message}`);
  }
  return parsed;
}

/** Serves `fs/write_text_file`: for a call that was granted this text for this file, else as the policy and the user decide. */
export async function writeTextFile(
  params: WriteTextFileRequest,
  call: SessionCall,
): Promise<WriteTextFileResponse> {
  try {
    for (let attempt = 1; ; attempt += 1) {
      const done = await writeOnce(params, call, attempt === mostAttempts);
      if (done !== undefined) return done;
    }
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Changes of a file while the user decides, before the write is rejected. */
const mostAttempts = 3;

/** Undefined where the file was changed while that was decided: what was decided was about another one. */
async function writeOnce(
  params: WriteTextFileRequest,
  call: SessionCall,
  isLast: boolean,
): Promise<WriteTextFileResponse | undefined> {
  const { scope, host, signal } = call;
  const { path: named, content } = params;
  const file = await scope.files.see(named);
  const refusal = host.sandbox?.refusesWrite(file.path);
  if (refusal !== undefined) throw notAllowed(`write ${JSON.stringify(named)}`, refusal);
  // In a turn that was cancelled, what was granted before counts for nothing.
  let toolCallId = signal.aborted ? undefined : scope.grants.forWrite(file, content);
  toolCallId ??= await judgeWrite(named, content, call);
  const emit = (path: string, before: FileState): void => {
    host.emit({
      type: 'file-write',
      sessionId: scope.id,
      toolCallId,
      path,
      before,
      after: toFileState(content),
    });
  };
  try {
    const served = host.clients?.serving(scope.id, 'fs/write_text_file');
    if (served !== undefined) {
      const before = await textOf(file.path, scope);
      await served('fs/write_text_file', params, signal);
      emit(file.path, before === undefined ? { kind: 'none' } : toFileState(before));
      return {};
    }
    const written = await scope.files.writeText(file.path, content, { seen: file });
    emit(written.path, stateBefore(written));
    return {};
  } catch (error) {
    if (!isLast && error instanceof WorkspaceError && error.code === 'changed') return undefined;
    throw error;
  }
}

async function judgeWrite(named: string, newText: string, call: SessionCall): Promise<string> {
  const { scope } = call;
  const path = await scope.files.resolve(named);
  const oldText = await textOf(path, scope);
  const toolCall = {
    kind: 'edit',
    status: 'pending',
    title: `Write ${path}`,
    content: [{ type: 'diff', path: named, newText, ...(oldText !== undefined && { oldText }) }],
    locations: [{ path: named }],
  } as const satisfies Omit<ToolCallUpdate, 'toolCallId'>;
  const seen = await toRequestedAction({ toolCallId: '', ...toolCall }, scope);
  return judgeUnasked({ seen, name: `write ${JSON.stringify(named)}`, toolCall }, call);
}

function stateBefore({ oldText, oldTextOmitted: reason }: OldText): FileState {
  if (reason !== undefined) return { kind: 'omitted', reason };
  return oldText === null ? { kind: 'none' } : toFileState(oldText);
}

function toFileState(text: string): FileState {
  return text.length > eventTextLength ? { kind: 'omitted', reason: 'too-large' } : { kind: 'text', text };
}

async function textOf(path: string, scope: SessionScope): Promise<string | undefined> {
  try {
    return (await scope.files.readText(path, { maxBytes: readLimitBytes })).text;
  } catch {
    // A new file, or none that can be shown as text: there is nothing to compare with.
    return undefined;
  }
}
