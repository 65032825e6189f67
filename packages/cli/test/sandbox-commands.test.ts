import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { expect, test } from 'vitest';
import { parley, temporaryFolder, toLines } from './command.ts';

const engine = await findSandboxEngine({ projects: [] });

test.skipIf(engine.name === 'none')(
  "with sandbox.autoApprove our own agent's commands run inside without permission; rules and hosts count as before",
  async () => {
    await using folder = await temporaryFolder();
    const { path: project } = folder;
    await mkdir(path.join(project, '.home'));
    const rules = [
      { tool: 'execute', commandPrefix: 'rm', decision: 'deny' },
      { tool: 'fetch', decision: 'allow' },
    ];
    const configure = (sandbox: object): Promise<void> =>
      writeFile(
        path.join(project, '.home', 'config.json'),
        JSON.stringify({ sandbox, permissions: { rules } }),
      );
    const prompt = ['run echo held > held.txt', 'run rm held.txt', 'fetch http://pages.invalid/'].join('\n');
    const run = async (text = prompt) => {
      const finished = await parley(['run', '--format', 'json', text], { cwd: project });
      const lines = toLines(finished.stdout);
      return { ...finished, permissions: lines.filter(({ type }) => type === 'permission') };
    };
    const held = path.join(project, 'held.txt');

    await configure({ mode: 'workspace' });
    const asked = await run();
    expect(asked.permissions[0]).toMatchObject({
      by: 'nobody',
      reason: expect.stringContaining('does not cover execute'),
    });
    await expect(readFile(held)).rejects.toThrow('ENOENT');

    await configure({ mode: 'workspace', autoApprove: true });
    const { permissions, stdout, status } = await run();
    expect(await readFile(held, 'utf8')).toBe('held\n');
    expect(permissions).toMatchObject([
      {
        by: 'rule',
        reason: 'the sandbox (workspace) holds this command, and "sandbox.autoApprove" is on',
      },
      { by: 'nobody', reason: expect.stringContaining('the sandbox does not allow pages.invalid:80') },
    ]);
    expect(stdout).toContain('pages.invalid:80: the sandbox does not allow it (403)');
    expect(status).toBe(3);

    // What the agent is given in place of hidden files is not in its variables, which its commands can read.
    const search = await run(
      "run cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -e PARLEY_HELD -e commandPrefix; echo searched",
    );
    expect(search.stdout).toMatch(/PARLEY_HELD_AGENT=input\\nsearched/u);
  },
);
