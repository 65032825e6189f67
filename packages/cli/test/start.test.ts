import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanEnv, commandFile, temporaryFolder } from './command.ts';

/** Reports on standard error when the library that reads files is loaded. */
const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier === 'valibot') process._rawDebug('valibot is loaded');
  return next(specifier, context);
}`;
const register = `import { register } from 'node:module'; register(${JSON.stringify(toModule(hooks))});`;

function toModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

test('a run loads the configuration library only if there is a file to read', async () => {
  await using folder = await temporaryFolder();
  const run = async (): Promise<string> => {
    const words = ['--import', toModule(register), commandFile, 'run', 'say: hello'];
    const { stderr } = await promisify(execFile)(process.execPath, words, {
      cwd: folder.path,
      env: cleanEnv(folder.path),
    });
    return stderr;
  };

  expect(await run()).not.toContain('valibot is loaded');
  await writeFile(path.join(folder.path, 'config.json'), '{}');
  expect(await run()).toContain('valibot is loaded');
});
