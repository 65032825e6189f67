import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidRequest } from '@parley/acp';
import { hubMethods } from '@parley/host/hub';
import { entries } from '@parley/host/state';
import { expect, test } from 'vitest';
import { scriptedAgent, yesOrNo, type ScriptedAgentOptions } from '../scripted-agent.ts';
import { openHub, type HubStage } from './hub-stage.ts';

/** A hub with an agent that knows a secret. */
function openWithSecret(options: ScriptedAgentOptions): Promise<HubStage> {
  const { spec } = scriptedAgent(options);
  return openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: { ...spec, secrets: ['swordfish'] } }],
  });
}

test('secrets in commands, their output and files are stored and sent redacted', async () => {
  const stage = await openWithSecret({
    turn: async ({ client, request: { sessionId } }) => {
      // In two pieces, neither of which is the secret.
      const script = 'printf "it is sword"; while [ ! -f gate ]; do sleep 0.02; done; echo fish # swordfish';
      const started = { sessionId, command: 'sh', args: ['-c', script] };
      const { terminalId } = await client.request('terminal/create', started);
      await client.request('fs/write_text_file', {
        sessionId,
        path: join(stage.workspace, 'gate'),
        content: 'swordfish',
      });
      await client.request('terminal/wait_for_exit', { sessionId, terminalId });
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const command = await ada.question('permission');
  expect(JSON.stringify(command)).toContain('***');
  expect(JSON.stringify(command)).not.toContain('swordfish');
  const answer = { kind: 'option', optionId: 'allow' };
  await ada.ask(hubMethods.answer, { sessionId: key, requestId: command.requestId, answer });
  await ada.until(() => [...ada.texts.values()].includes('it is '));
  const write = await ada.question('permission');
  await ada.ask(hubMethods.answer, { sessionId: key, requestId: write.requestId, answer });
  await answered;

  await ada.until(() => ada.view(key).turns.length === 1 && ada.view(key).phase === 'ready');
  const [terminal] = [...entries(ada.view(key).terminals)];
  expect(terminal?.value).toMatchObject({ state: 'ended', output: 'it is ***\n' });
  expect(await readFile(join(stage.workspace, 'gate'), 'utf8')).toBe('swordfish');
  await stage.hub.close();
  for (const name of ['journal.jsonl', 'frames.jsonl']) {
    expect(await readFile(join(stage.eventLogs, key, name), 'utf8')).not.toContain('swordfish');
  }
});

test('a secret that an agent sends in pieces is redacted, and the text after it is shown', async () => {
  const stage = await openWithSecret({
    turn: async ({ say }) => {
      for (const piece of ['it is sw', 'ord', 'fish, I', ' think: s']) await say(piece);
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'go');
  await ada.until(() => ada.said(key) === 'it is ***, I think: s');
  await stage.hub.close();
  const eventLog = await readFile(join(stage.eventLogs, key, 'journal.jsonl'), 'utf8');
  expect(eventLog).not.toMatch(/"ord"|fish/u);
});

test('a question is shown with its secret redacted, and its answer is accepted', async () => {
  const stage = await openWithSecret({
    turn: async ({ client, request: { sessionId }, say }) => {
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'call', kind: 'execute', rawInput: { command: 'login swordfish' } },
        options: [...yesOrNo],
      });
      await say(outcome.outcome);
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const question = await ada.question('permission');
  expect(question.request.toolCall.rawInput).toEqual({ command: 'login ***' });
  expect(JSON.stringify(question)).not.toContain('swordfish');
  await ada.ask(hubMethods.answer, {
    sessionId: key,
    requestId: question.requestId,
    answer: { kind: 'option', optionId: 'yes' },
  });
  await answered;
  await ada.until(() => ada.said(key) === 'selected');
});

test('answers and forms of an agent are shown with secrets redacted', async () => {
  const stage = await openWithSecret({
    turn: async ({ client, request: { sessionId }, say }) => {
      await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'call', kind: 'execute', rawInput: { command: 'login' } },
        options: [{ optionId: 'yes', name: 'Yes, with swordfish', kind: 'allow_once' }],
      });
      const { action } = await client.request('elicitation/create', {
        sessionId,
        mode: 'form',
        message: 'Which key?',
        requestedSchema: {
          type: 'object',
          properties: { key: { type: 'string', title: 'Key', default: 'swordfish' } },
        },
      });
      await say(action);
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const permission = await ada.question('permission');
  expect(permission.request.options).toMatchObject([{ optionId: 'yes', name: 'Yes, with ***' }]);
  await ada.ask(hubMethods.answer, {
    sessionId: key,
    requestId: permission.requestId,
    answer: { kind: 'option', optionId: 'yes' },
  });
  const form = await ada.question('elicitation');
  expect(form.request).toMatchObject({ requestedSchema: { properties: { key: { default: '***' } } } });
  await ada.ask(hubMethods.answer, {
    sessionId: key,
    requestId: form.requestId,
    answer: { kind: 'form', action: 'decline' },
  });
  await answered;
  await ada.until(() => ada.said(key) === 'decline');
  await stage.hub.close();
  expect(await readFile(join(stage.eventLogs, key, 'journal.jsonl'), 'utf8')).not.toContain('swordfish');
});

test('the error of an agent is sent redacted', async () => {
  let isBroken = false;
  const refuse = (): never => {
    throw invalidRequest('not with swordfish', { key: 'swordfish' });
  };
  const stage = await openWithSecret({
    turn: refuse,
    onSession: () => {
      if (isBroken) refuse();
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const failure = async (asked: Promise<unknown>): Promise<string> => {
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    return `${String(error)} ${JSON.stringify(error)}`;
  };

  expect(await failure(ada.prompt(key, 'go'))).toMatch(/not with \*\*\*.*"key":"\*\*\*"/u);
  await ada.ask('session/close', { sessionId: key });
  isBroken = true;
  expect(await failure(ada.resume(key))).toContain('not with ***');
  await ada.until(() => ada.sessions.get(key)?.failure !== undefined);
  expect(ada.sessions.get(key)?.failure).toContain('not with ***');
});
