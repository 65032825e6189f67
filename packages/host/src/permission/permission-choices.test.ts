import type { PermissionOption } from '@parley/acp';
import { expect, test } from 'vitest';
import { toPermissionChoices } from './permission-choices.ts';

const option = (optionId: string, kind: PermissionOption['kind']): PermissionOption =>
  kind === 'unknown' ? { optionId, name: optionId, kind, raw: {} } : { optionId, name: optionId, kind };

const once = option('once', 'allow_once');
const edited = option('edited', 'allow_once');
const always = option('always', 'allow_always');
const no = option('no', 'reject_once');
const never = option('never', 'reject_always');

test('lasting options are behind "Always…", with what Parley remembers', () => {
  const about = [{ tool: 'execute', commandPrefix: 'npm test' }];
  const scopes = ['turn', 'session', 'project', 'user'] as const;
  expect(
    toPermissionChoices([always, once, never, no], { remember: { about, scopes }, kind: 'execute' }),
  ).toEqual({
    allow: once,
    reject: no,
    others: [],
    always: { about, scopes: ['session', 'project', 'user'], agentOptions: [always, never] },
  });
});

test('further options and those of an unknown kind stay, and without lasting ones there is no "Always…"', () => {
  const odd = option('odd', 'unknown');
  expect(toPermissionChoices([once, odd, edited])).toEqual({ allow: once, others: [odd, edited] });
});

test("without Parley's own choices, only the agent's lasting options are offered", () => {
  expect(toPermissionChoices([once, always]).always).toEqual({
    about: [],
    scopes: [],
    agentOptions: [always],
  });
});

test('the options of a change of mode, such as those of a plan, are all offered at once', () => {
  expect(toPermissionChoices([once, always, no], { kind: 'switch_mode' })).toEqual({
    allow: once,
    reject: no,
    others: [always],
  });
});
