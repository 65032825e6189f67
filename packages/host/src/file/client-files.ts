import { resolve } from 'node:path';
import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  ToolCallUpdate,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '@parley/acp';
import type { OldText } from '@parley/workspace';
import type { FileState } from '../event/resource-event.ts';
import { denialOf } from '../permission/decide.ts';
import { judgeUnasked } from '../permission/judge-unasked.ts';
import { notAllowed, toRefusal } from '../refusal.ts';
import type { SessionCall } from '../session/session-call.ts';
import type { SessionScope } from '../session/session-scope.ts';

/** The largest file an agent may read through the client: 32 MiB. */
const readLimitBytes = 32 * 1024 * 1024;

/** The longest text, before or after a write, that is told as an event: 10 Mi characters. */
const toldLength = 10 * 1024 * 1024;

/** Serves `fs/read_text_file`: a whole file, or some of its lines. */
export async function readTextFile(
  params: ReadTextFileRequest,
  { scope, host }: SessionCall,
): Promise<ReadTextFileResponse> {
  const { line, limit } = params;
  try {
    const path = await scope.files.resolve(params.path);
    const subject = { kind: 'read', paths: namesOf(params.path, path), agent: host.agentName } as const;
    const { cwd } = scope.files;
    const answers = await host.answers.rulesFor({ sessionId: scope.id, cwd });
    const denial = denialOf(subject, [...host.policy.rules, ...answers], cwd);
    if (denial !== undefined) throw notAllowed(`read ${JSON.stringify(params.path)}`, denial);
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

/** Serves `fs/write_text_file`: for a call that was granted this file, else as the policy and the person say. */
export async function writeTextFile(
  params: WriteTextFileRequest,
  call: SessionCall,
): Promise<WriteTextFileResponse> {
  const { scope, host, signal } = call;
  try {
    const path = await scope.files.resolve(params.path);
    // In a turn that was cancelled, what was granted before counts for nothing.
    let toolCallId = signal.aborted ? undefined : scope.grants.forWrite(path);
    if (toolCallId === undefined) {
      const act = {
        subject: { kind: 'edit', paths: namesOf(params.path, path) },
        action: `write ${JSON.stringify(params.path)}`,
        describe: () => describeWrite(path, params.content, scope),
      } as const;
      toolCallId = await judgeUnasked(act, call);
    }
    const written = await scope.files.writeText(path, params.content);
    host.emit({
      type: 'file-write',
      sessionId: scope.id,
      toolCallId,
      path: written.path,
      before: stateBefore(written),
      after: toFileState(params.content),
    });
    return {};
  } catch (error) {
    throw toRefusal(error);
  }
}

function stateBefore({ oldText, oldTextOmitted: reason }: OldText): FileState {
  if (reason !== undefined) return { kind: 'omitted', reason };
  return oldText === null ? { kind: 'none' } : toFileState(oldText);
}

function toFileState(text: string): FileState {
  return text.length > toldLength ? { kind: 'omitted', reason: 'too-large' } : { kind: 'text', text };
}

/** A path as the agent named it, and where it leads: rules may speak of either. */
function namesOf(named: string, path: string): readonly string[] {
  return [...new Set([resolve(named), path])];
}

async function describeWrite(
  path: string,
  newText: string,
  scope: SessionScope,
): Promise<Omit<ToolCallUpdate, 'toolCallId'>> {
  const oldText = await textOf(path, scope);
  return {
    kind: 'edit',
    status: 'pending',
    title: `Write ${path}`,
    content: [{ type: 'diff', path, newText, ...(oldText !== undefined && { oldText }) }],
    locations: [{ path }],
  };
}

async function textOf(path: string, scope: SessionScope): Promise<string | undefined> {
  try {
    return (await scope.files.readText(path, { maxBytes: readLimitBytes })).text;
  } catch {
    // A new file, or none that can be shown as text: there is nothing to compare with.
    return undefined;
  }
}
