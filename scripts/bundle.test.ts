import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OutputChunk } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCommand } from './bundle.mjs';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

let folder: string;
let chunks: readonly OutputChunk[];

beforeAll(async () => {
  // Where the dependencies of the command are found.
  folder = await mkdtemp(join(packages, 'cli', 'node_modules', '.cache', 'parley-bundle-'));
  chunks = await bundleCommand(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The files that are loaded with a module of the command, the modules in them, and the packages that they import. */
function loadedWith(source: string): {
  readonly files: number;
  readonly modules: readonly string[];
  readonly imported: readonly string[];
} {
  const first = chunks.filter(({ moduleIds }) => moduleIds.includes(join(packages, 'cli', 'src', source)));
  expect(first).toHaveLength(1);
  const loaded = new Set(first);
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
  }
  const modules = [...loaded].flatMap(({ moduleIds }) =>
    moduleIds.map((id) => id.slice(packages.length + 1)),
  );
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const outside = [...loaded].flatMap(({ imports }) => imports.filter((name) => !files.has(name)));
  const imported = [...new Set(outside)].filter((name) => !isBuiltin(name)).toSorted();
  return { files: loaded.size, modules, imported };
}

test.each([
  ['program.ts', /^(?!cli)[a-z]+\/src\/(?!host-error)/u, ['commander']],
  ['agent-command.ts', /^(gateway|host\/src\/session|postgres)\//u, ['tokenx']],
  [
    'run/run.ts',
    /^(gateway|agent|postgres|aap|acp\/src\/v1|host\/src\/session\/session|workspace\/src\/checkpoint)/u,
    ['fast-string-width', 'fast-wrap-ansi'],
  ],
  [
    'conversation/command-sessions.ts',
    /^(gateway|agent|postgres|aap)\//u,
    ['fast-string-width', 'fast-wrap-ansi'],
  ],
  [
    'sessions/list.ts',
    /^(gateway|agent|postgres|aap|acp\/src\/http)\//u,
    ['fast-string-width', 'fast-wrap-ansi'],
  ],
])('with %s nothing is loaded that only other commands need', (source, others, packagesOf) => {
  const { files, modules, imported } = loadedWith(source);

  expect(modules).toContain(`cli/src/${source}`);
  expect(modules.filter((module) => others.test(module))).toEqual([]);
  expect(imported).toEqual(packagesOf);
  expect(files).toBeLessThan(40);
});

test('our own agent in a command loads nothing of the server', () => {
  const { modules, imported } = loadedWith('conversation/agent/own-agent.ts');

  expect(modules.filter((module) => module.startsWith('gateway/'))).toEqual([]);
  expect(imported).toEqual(['tokenx']);
});

test.each([false, true])(
  'each file can be loaded before the others: in reverse order %s',
  async (isReversed) => {
    const names = chunks.filter(({ isEntry }) => !isEntry).map(({ fileName }) => fileName);
    const order = isReversed ? names.toReversed() : names;
    const script = join(folder, `load-${String(isReversed)}.mjs`);
    await writeFile(script, order.map((name) => `await import('./${name}');\n`).join(''));

    await expect(promisify(execFile)(process.execPath, [script])).resolves.toEqual({
      stdout: '',
      stderr: '',
    });
  },
);
