import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { openStage } from './stage.ts';
import type { Stage, StageOptions } from './stage.ts';

/** A folder in which agents store their sessions, and a folder to work in; each stage is a separate connection. */
export interface Home extends AsyncDisposable {
  readonly directory: string;
  readonly state: string;
  /** Where the sessions are. */
  readonly sessions: string;
  /** Messages about sessions that could not be resumed. */
  readonly missed: readonly string[];
  miss(message: string): void;
  stage(options?: StageOptions): Promise<Stage>;
  /** A session with these prompts, closed again. */
  talk(prompts: readonly string[], mode?: string): Promise<string>;
}

export async function openHome(): Promise<Home> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-home-')));
  const directory = await mkdtemp(join(root, 'work-'));
  const state = join(root, 'state');
  const missed: string[] = [];
  const stage = (options: StageOptions = {}): Promise<Stage> =>
    openStage({ directory, environment: createNodeEnvironment({ stateDirectory: state }), ...options });
  return {
    directory,
    state,
    sessions: join(state, 'agent', 'sessions'),
    missed,
    miss: (message) => {
      missed.push(message);
    },
    stage,
    talk: async (prompts, mode) => {
      await using talking = await stage();
      const { sessionId } = talking;
      if (mode !== undefined) await talking.agent.request('session/set_mode', { sessionId, modeId: mode });
      for (const prompt of prompts) await talking.prompt(prompt);
      return sessionId;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
