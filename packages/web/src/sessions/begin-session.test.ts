import type { PromptResponse } from '@parley/acp';
import type { HubSession } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { unknownHub, type HubState } from '../hub/hub-state.ts';
import { Store } from '../hub/store.ts';
import { sendFirstPrompt } from './begin-session.ts';

const session: HubSession = {
  key: 'a',
  agent: 'parley',
  cwd: '/w',
  state: 'ready',
  createdAt: 1,
  updatedAt: 1,
  questions: 0,
  queue: [],
};

/** A hub with one session, whose turn ends as the test says. */
function stage(turn: Promise<PromptResponse>) {
  const state = new Store<HubState>({ ...unknownHub, sessions: new Map([['a', session]]) });
  return {
    client: { state, prompt: () => turn },
    become: (known: Partial<HubSession>) =>
      state.set({ ...state.get(), sessions: new Map([['a', { ...session, ...known }]]) }),
  };
}

test('a prompt has arrived when its turn is running', async () => {
  const { client, become } = stage(new Promise(() => {}));
  const sent = sendFirstPrompt(client, 'a', []);
  become({ state: 'running' });
  await expect(sent).resolves.toBeUndefined();
});

test('a prompt has arrived when its turn has ended, even a short one', async () => {
  const { client } = stage(Promise.resolve({ stopReason: 'end_turn' }));
  await expect(sendFirstPrompt(client, 'a', [])).resolves.toBeUndefined();
});

test('a rejected prompt has not arrived', async () => {
  const { client } = stage(Promise.reject(new Error('not signed in')));
  await expect(sendFirstPrompt(client, 'a', [])).rejects.toThrow('not signed in');
});
