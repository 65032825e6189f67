import { readFile, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  findSandboxEngine,
  openSandbox,
  type MissingSandboxEngine,
  type SandboxEngine,
} from '@parley/workspace/sandbox';
import { describe, expect, test } from 'vitest';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { openStage, toolUpdates, type Stage } from './stage.ts';

const engine = await findSandboxEngine({ projects: [] });

/** A file that the sandbox does not let commands create. */
const outside = join(homedir(), `parley-outside-${String(process.pid)}`);

const limits = 'they cannot write elsewhere';

/** A session in the mode, whose commands can be held. */
async function openHeld(
  mode: string,
  {
    autoApprove = false,
    used = engine,
  }: { autoApprove?: boolean; used?: SandboxEngine | MissingSandboxEngine } = {},
): Promise<Stage> {
  const environment = createNodeEnvironment({
    findCommandHolder: async (directories) => ({
      limits,
      autoApprove,
      open: async () => {
        if (used.name === 'none') throw new Error('no engine');
        const sandbox = await openSandbox(
          {
            mode: 'workspace',
            folders: directories,
            stateDirs: [],
            write: [],
            read: 'all',
            program: [],
            hide: [],
            ownState: [],
            network: 'off',
          },
          used,
        );
        return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() };
      },
    }),
  });
  const stage = await openStage({
    environment,
    onPermission: () => ({ outcome: 'selected', optionId: 'allow_once' }),
  });
  await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: mode });
  return stage;
}

const outputs = (stage: Stage): string =>
  JSON.stringify(toolUpdates(stage.updates).filter((update) => 'rawOutput' in update));

describe.skipIf(engine.name === 'none')('commands in the sandbox', () => {
  test('a command in the mode workspace-write runs in the sandbox, and the permission request says so', async () => {
    await using stage = await openHeld('workspace-write');
    await stage.prompt(`run echo inside >a.txt && echo x >${outside}`);
    expect(await readFile(join(stage.directory, 'a.txt'), 'utf8')).toBe('inside\n');
    expect(stage.permissions).toHaveLength(1);
    expect(JSON.stringify(stage.permissions[0]?.toolCall.content)).toContain(limits);
    expect(outputs(stage)).toContain(`in a sandbox: ${limits}. If it failed for that reason`);
  });

  test('with autoApprove, the mode allows a command inside the sandbox, and one outside asks, once', async () => {
    await using stage = await openHeld('workspace-write', { autoApprove: true });
    await stage.prompt('run echo inside\ncall run {"command": "echo outside", "outside": true}');
    expect(stage.permissions.map(({ toolCall }) => toolCall.title)).toEqual([
      'Run outside of the sandbox echo outside',
    ]);
    expect(stage.permissions[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
    expect(JSON.stringify(stage.updates)).toContain('"by":"mode","mode":"workspace-write"');
  });

  test('commands of a session share temporary files, which are removed with it', async () => {
    await using stage = await openHeld('workspace-write', { autoApprove: true });
    await stage.prompt('run echo shared >/tmp/parley-shared\nrun cat /tmp/parley-shared');
    expect(outputs(stage)).toContain('shared');
    expect(await readdir(stage.directory)).toContain('.vscode');
    await stage.agent.request('session/close', { sessionId: stage.sessionId });
    expect(await readdir(stage.directory)).toEqual([]);
  });

  test('a command in the background runs in the sandbox too', async () => {
    await using stage = await openHeld('workspace-write', { autoApprove: true });
    await stage.prompt(
      `call run {"command": "echo x >${outside}", "background": true}\ncall output {"job": "job_1", "wait": 60}`,
    );
    expect(stage.permissions).toEqual([]);
    expect(outputs(stage)).toContain('Read-only file system');
  });

  test('a command whose sandbox is not available is not started', async () => {
    const used = { name: 'bubblewrap', program: '/bin/false' } as const;
    await using stage = await openHeld('workspace-write', { used });
    await stage.prompt('run touch a.txt');
    expect(outputs(stage)).toMatch(
      /"code":"not-held","message":"Could not start the sandbox with \/bin\/false/u,
    );
    expect(await readdir(stage.directory)).not.toContain('a.txt');
  });

  test.each(['confirm', 'full-access'])('in the mode %s, commands are not held', async (mode) => {
    await using stage = await openHeld(mode, { autoApprove: true });
    await stage.prompt('run ls -d /run/parley');
    expect(stage.permissions).toHaveLength(mode === 'confirm' ? 1 : 0);
    expect(outputs(stage)).not.toContain('in a sandbox');
  });
});
