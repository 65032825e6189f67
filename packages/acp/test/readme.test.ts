import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The programs that the README shows, by the file they are built as. */
async function readPrograms(): Promise<readonly (readonly [name: string, code: string])[]> {
  const readme = await readFile(join(folder, '../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  return [
    ['agent.mjs', blocks[0] ?? ''],
    ['client.mjs', blocks[1] ?? ''],
  ];
}

test('the agent and the client of the README are complete in under 30 lines', async () => {
  for (const [, code] of await readPrograms()) {
    expect(code).not.toBe('');
    expect(code.trimEnd().split('\n').length).toBeLessThan(30);
  }
});

test('the client of the README has a conversation with the agent of the README', async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'parley-readme-'));
  onTestFinished(() => rm(outdir, { recursive: true, force: true }));
  for (const [name, contents] of await readPrograms()) {
    await build({
      stdin: { contents, loader: 'ts', resolveDir: folder },
      outfile: join(outdir, name),
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@parley/source'],
      logLevel: 'silent',
    });
  }
  const programs = [join(outdir, 'client.mjs'), process.execPath, join(outdir, 'agent.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, programs);
  expect(stdout).toBe('HELLO THERE!\nend_turn\n');
});
