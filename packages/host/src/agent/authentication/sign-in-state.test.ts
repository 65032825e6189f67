import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findEntry } from '../catalogue/catalogue-entry.ts';
import { knownAgents } from '../catalogue/catalogue.ts';
import { signInStateOf } from './sign-in-state.ts';

const methods = [{ id: 'login', name: 'Log in' }];
const offers = { agent: { authMethods: methods } };
const claude = findEntry(knownAgents(), 'claude')?.running.signIn;
const gemini = findEntry(knownAgents(), 'gemini')?.running.signIn;

async function emptyHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'parley-home-'));
  onTestFinished(() => rm(home, { recursive: true }));
  return home;
}

test.each([
  ['authenticated', 'signed-in'],
  ['unauthenticated', 'needed'],
  ['not_required', 'not-needed'],
  ['unknown', 'unknown'],
  ['something-newer', 'unknown'],
])('an agent that reports %s is believed: %s', async (authState, state) => {
  expect(await signInStateOf({ ...offers, authState }, { variables: {} })).toBe(state);
});

test('an open session proves a sign-in only for agents that reject sessions without one', async () => {
  expect(await signInStateOf({ agent: { authMethods: [] } }, { variables: {} })).toBe('not-needed');
  expect(await signInStateOf(offers, { variables: {} })).toBe('unknown');
  expect(gemini).toBeDefined();
  expect(await signInStateOf(offers, { variables: {}, ...(gemini && { known: gemini }) })).toBe('signed-in');
});

test('for Claude Code, which opens sessions without a sign-in, credentials decide', async () => {
  const home = await emptyHome();
  if (claude === undefined) throw new Error('no entry for claude');
  const evidence = { known: claude, variables: {}, home, platform: 'linux' } as const;

  expect(await signInStateOf(offers, evidence)).toBe('needed');
  expect(await signInStateOf(offers, { ...evidence, platform: 'darwin' })).toBe('unknown');
  expect(await signInStateOf(offers, { ...evidence, variables: { ANTHROPIC_API_KEY: 'k' } })).toBe(
    'signed-in',
  );
  expect(await signInStateOf(offers, { ...evidence, variables: { CLAUDE_CODE_USE_BEDROCK: '1' } })).toBe(
    'signed-in',
  );
  await mkdir(path.join(home, '.claude'));
  await writeFile(path.join(home, '.claude', '.credentials.json'), '{}');
  expect(await signInStateOf(offers, evidence)).toBe('signed-in');
});
