import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { startProcess } from '@parley/workspace';
import { openSandbox, runHeld, type SandboxEngine } from '@parley/workspace/sandbox';
import { describe, expect, test } from 'vitest';
import { findEngines } from './engines.fixture.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.fixture.ts';
import { planFor } from './workspace.fixture.ts';

const engines = await findEngines();
const visible = process.env['PARLEY_TEST_VISIBLE'];
/** A repository in /tmp has no folder that a sandbox shows: it hides all of /tmp. */
const isHidden = /^\/(?:var\/)?tmp\//u.test(visible ?? '');

describe.skipIf(isHidden).each(engines)(
  'with $name, a socket that is removed while a command starts',
  (engine) => {
    test('does not prevent it: it is started again', async () => {
      await using directory = await temporaryDirectory(visible);
      await using _ = await socketAt(directory.at('socket'));
      await using sandbox = await openSandbox(
        planFor(await workIn(directory)),
        await removing(directory, engine, directory.at('socket')),
      );
      const { result } = await runHeld(sandbox, {
        command: '/bin/echo',
        args: ['started'],
        cwd: directory.at('work'),
      });
      expect(result).toMatchObject({ output: 'started\n', status: { exitCode: 0 } });
      expect(await readFile(directory.at('starts'), 'utf8')).toBe('start\nstart\n');
    });

    test('is named, as a reason that has passed', async () => {
      await using directory = await temporaryDirectory(visible);
      await using _ = await socketAt(directory.at('socket'));
      await using sandbox = await openSandbox(
        planFor(await workIn(directory)),
        await removing(directory, engine, directory.at('socket')),
      );
      const held = sandbox.hold({ command: '/bin/echo', cwd: directory.at('work'), input: 'ignore' });
      await using group = await startProcess(held.options);
      await group.closed;
      const trouble = await held.trouble();
      expect(trouble?.isPassing).toBe(true);
      expect(trouble?.message).toContain(`${directory.at('socket')} was removed while the sandbox started`);
    });
  },
);

async function workIn(directory: TemporaryDirectory): Promise<string> {
  await mkdir(directory.at('work'));
  return directory.at('work');
}

/** A socket on which something listens. */
async function socketAt(file: string): Promise<AsyncDisposable> {
  const server = createServer((connection) => connection.destroy()).listen(file);
  await once(server, 'listening');
  return server;
}

/** An engine that removes a file right before it begins, and counts its starts. */
async function removing(
  directory: TemporaryDirectory,
  engine: SandboxEngine,
  file: string,
): Promise<SandboxEngine> {
  const program = directory.at('engine');
  await writeFile(
    program,
    `#!/bin/sh\necho start >>'${directory.at('starts')}'\nrm -f '${file}'\nexec ${engine.program} "$@"\n`,
  );
  await chmod(program, 0o755);
  return { ...engine, program };
}
