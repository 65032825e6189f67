import { expect, test } from 'vitest';
import type { Environment } from '../src/environment.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { courses, openStage, refused, toolUpdates } from './stage.ts';

/** This machine, on which no command is ever run: should the floor have a hole, nothing happens. */
function harmless(): Environment & { readonly ran: string[] } {
  const ran: string[] = [];
  return {
    ...createNodeEnvironment(),
    ran,
    runCommand: ({ command }) => {
      ran.push(command);
      return Promise.resolve({ status: { exitCode: 0, signal: null }, output: '', truncated: false });
    },
  };
}

test.each(['confirm', 'workspace-write', 'full-access'])(
  'in the mode %s what cannot be undone fails with the reason, and the user is not asked',
  async (modeId) => {
    const environment = harmless();
    await using stage = await openStage({ environment });
    const sessionId = await stage.openSession();
    await stage.agent.request('session/set_mode', { sessionId, modeId });
    await stage.prompt("run rm -rf /\nrun sudo sh -c 'mkfs.ext4 /dev/sda1'", sessionId);
    expect(courses(stage.updates)).toEqual([refused, refused]);
    expect(stage.permissions).toEqual([]);
    expect(environment.ran).toEqual([]);
    expect(toolUpdates(stage.updates).at(1)).toMatchObject({
      rawOutput: { error: { code: 'refused', message: expect.stringContaining('It removes the system') } },
    });
  },
);

test('an answer for always does not reach below the floor', async () => {
  const environment = harmless();
  await using stage = await openStage({
    environment,
    onPermission: () => ({ outcome: 'selected', optionId: 'allow_always' }),
  });
  await stage.prompt('run echo a\nrun rm -rf ~');
  expect(environment.ran).toEqual(['echo a']);
});
