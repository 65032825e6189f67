import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { runGit } from './run-git.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.skipIf(process.platform === 'win32')(
  'a git in the folder in which it would run is never run, also where PATH names it first',
  async () => {
    await using directory = await temporaryDirectory();
    const cwd = directory.at('project');
    const bin = path.join(cwd, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'git'), `#!/bin/sh\ntouch "${cwd}/ran"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', [bin, '.', process.env['PATH']].join(path.delimiter));

    const { stdout } = await runGit(['version'], { cwd });

    expect(stdout.toString()).toMatch(/^git version/u);
    await expect(access(path.join(cwd, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    vi.stubEnv('PATH', bin);
    await expect(runGit(['version'], { cwd })).rejects.toMatchObject({ code: 'no-git' });
  },
);
