import type { AgentCard, HubAgent } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { toFailureHints } from './failure-hints.ts';

const agent: HubAgent = { name: 'a', place: 'configured', signIn: 'unknown' };
const card: AgentCard = { time: 0, startMs: 0, signInMethods: [], log: '' };

test.each([
  ['spawn gemini ENOENT', agent, '', ['command', 'doctor']],
  ['initialize: no answer from "gemini" in 60000 ms', agent, 'loading…', ['log', 'again', 'doctor']],
  ['authentication required', agent, '', ['sign-in', 'doctor']],
  ['it ended with status 1', { ...agent, signIn: 'needed' } as const, '', ['sign-in', 'doctor']],
  ['command not found', { ...agent, place: 'available' } as const, '', ['install', 'doctor']],
])('after "%s" the likeliest is said first', (failure, of, log, hints) => {
  expect(toFailureHints(of, { ...card, failure, log })).toEqual(hints);
});
