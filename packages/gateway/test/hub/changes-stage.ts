import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChangesList, RestoreResult } from '@parley/host/hub';
import { changesMethods } from '@parley/host/hub';
import { folder, type ScriptedTurn } from '../scripted-agent.ts';
import { openHub, type HubStage, type StagedClient } from './hub-stage.ts';

/** What an agent of a test does in a turn. */
export type Script = (turn: ScriptedTurn, cwd: string) => Promise<void> | void;

/** A hub that takes checkpoints, and a client of it. */
export interface ChangesStage {
  readonly stage: HubStage;
  readonly client: StagedClient;
  readonly cwd: string;
  readonly stateDir: string;
  /** Sends a prompt, whose turn follows the script. */
  play(sessionId: string, script: Script): Promise<void>;
  list(sessionId: string): Promise<ChangesList>;
  undo(sessionId: string, params?: object): Promise<RestoreResult>;
  redo(sessionId: string, params?: object): Promise<RestoreResult>;
  /** The content of a file; undefined if it does not exist. */
  text(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
}

/** How a stage is opened. */
export interface ChangesStageOptions {
  readonly cwd?: string;
  readonly stateDir?: string;
  readonly maxFileBytes?: number;
}

/** Opens a hub in an empty folder, with one scripted agent whose turns are set one by one. */
export async function openChanges({
  cwd,
  stateDir,
  ...limits
}: ChangesStageOptions = {}): Promise<ChangesStage> {
  const workspace = cwd ?? (await folder());
  const state = stateDir ?? (await folder());
  const scripts: Script[] = [];
  const stage = await openHub({
    workspaces: [workspace],
    changesIn: () => ({ stateDir: state, promptWaitMs: 60_000, ...limits }),
    policyFor: () => ({ approve: { level: 'all', given: true }, rules: [] }),
    agent: { turn: (turn) => scripts.shift()?.(turn, workspace) },
  });
  const client = await stage.join();
  const ask = async <T>(method: string, params: object): Promise<T> =>
    (await client.ask(method, params)) as T;
  return {
    stage,
    client,
    cwd: workspace,
    stateDir: state,
    play: async (sessionId, script) => {
      scripts.push(script);
      await client.prompt(sessionId, 'go');
    },
    list: (sessionId) => ask(changesMethods.listChanges, { sessionId }),
    undo: (sessionId, params = {}) => ask(changesMethods.undoChanges, { sessionId, ...params }),
    redo: (sessionId, params = {}) => ask(changesMethods.redoChanges, { sessionId, ...params }),
    text: (path) => readFile(join(workspace, path), 'utf8').catch(() => undefined),
    write: (path, text) => writeFile(join(workspace, path), text),
  };
}

/** Lets the agent write a file by itself, in a tool call that names it. */
export function writes(path: string, text: string): Script {
  return async ({ update }, cwd) => {
    const call = { toolCallId: `write ${path}`, title: path, kind: 'edit' } as const;
    await update({
      sessionUpdate: 'tool_call',
      ...call,
      status: 'in_progress',
      locations: [{ path: join(cwd, path) }],
    });
    await writeFile(join(cwd, path), text);
    await update({ sessionUpdate: 'tool_call_update', ...call, status: 'completed' });
  };
}

/** Runs git in a folder. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const user = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
  const { stdout } = await promisify(execFile)('git', [...user, ...args], { cwd });
  return stdout.trim();
}
