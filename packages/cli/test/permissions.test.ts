import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

/** Writes the project's configuration of a folder. */
async function writeProject(folder: string, configuration: object): Promise<void> {
  await mkdir(path.join(folder, '.parley'), { recursive: true });
  await writeFile(path.join(folder, '.parley', 'config.json'), JSON.stringify(configuration));
}

const says = {
  prompt: [{ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } } }],
};

/** A project that brings an agent of its own. */
function bringing(name: string): object {
  const [command, ...args] = scripted(says);
  return { agents: { [name]: { command, args } } };
}

describe('trust', () => {
  test('an agent of a project runs only when its file is trusted, as it is', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path };
    await writeProject(folder.path, bringing('theirs'));

    const before = await parley(['run', '-a', 'theirs', 'go'], options);
    expect(before.status).toBe(2);
    expect(before.stderr).toContain('parley permissions trust');

    const asked = await parley(['permissions', 'trust'], options);
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain('--yes');

    const trusted = await parley(['permissions', 'trust', '--yes'], options);
    expect(trusted.status).toBe(0);
    expect(trusted.stdout).toContain('agent "theirs": runs');
    expect(trusted.stdout).toContain('scripted.mjs');
    expect(await parley(['run', '-a', 'theirs', 'go'], options)).toMatchObject({ status: 0, stdout: 'hi\n' });
    if (process.platform !== 'win32') {
      expect((await stat(path.join(folder.path, '.home', 'trust.json'))).mode & 0o777).toBe(0o600);
    }

    await writeProject(folder.path, { ...bringing('theirs'), limits: { startSeconds: 50 } });
    expect((await parley(['run', '-a', 'theirs', 'go'], options)).status).toBe(2);
  });

  test('a project without a file, and one that only narrows, have nothing to trust', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path };
    expect((await parley(['permissions', 'trust', '--yes'], options)).status).toBe(2);
    await writeProject(folder.path, { permissions: { rules: [{ tool: 'edit', decision: 'deny' }] } });
    expect(await parley(['permissions', 'trust', '--yes'], options)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('needs no trust') as string,
    });
  });

  test.skipIf(process.platform === 'win32')('chat asks on a terminal, once for each content', async () => {
    await using folder = await temporaryFolder();
    await writeProject(folder.path, bringing('theirs'));

    using screen = openScreen(['chat', '-a', 'theirs'], folder.path);
    await screen.shows('agent "theirs": runs');
    await screen.shows('[y/N]: ');
    screen.type('y\n');
    await screen.shows('> ');
    screen.type('/exit\n');
    expect(await screen.exited).toBe(0);
    expect(await readFile(path.join(folder.path, '.home', 'trust.json'), 'utf8')).toContain('config.json');

    using again = openScreen(['chat', '-a', 'theirs'], folder.path);
    await again.shows('> ');
    again.type('/exit\n');
    expect(await again.exited).toBe(0);
    expect(again.text()).not.toContain('Trust this file');
  });
});
