import { createAapClient, runTurn } from '@parley/aap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../src/text/en.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { openProxyEditor, openWebSocketEditor, type OfficialEditor } from './official-editor.ts';
import { answer, beginSession, card, conversation, signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';
import { openTerminal } from './terminal.ts';

describe.skipIf(chromium === undefined)('one session, any client', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
  });

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('a page, a terminal and two editors share a session next to an application, answer its requests, and continue after the server is killed', async () => {
    const { page } = await browser.openDevice();
    await signIn(page, server);
    const address = await beginSession(page, 'say hello');
    await conversation(page).getByText('hello', { exact: true }).waitFor();
    const key = new URL(address).pathname.split('/').at(-1) ?? '';
    using terminal = openTerminal(server, ['attach', key]);
    await terminal.shows('hello');
    await using editor = await openWebSocketEditor(server, 'editor');
    await using other = await openProxyEditor(server, 'other editor');
    for (const each of [editor, other]) {
      await load(each, key, server);
      expect(each.said).toEqual(['user: say hello', 'agent: hello']);
    }

    const application = createAapClient({ baseUrl: `${server.origin}/aap`, apiKey: server.token });
    const begun = await application.createSession({ agent: { name: 'stage' } });
    await runTurn(application, begun.sessionId, 'say for an application');
    const list = page.getByRole('region', { name: 'Sessions' });
    await list.getByText(en.sessions.application, { exact: true }).waitFor();

    // Two permission requests at once, each answered by another client.
    const turn = editor.connection.agent.request('session/prompt', {
      sessionId: key,
      prompt: [{ type: 'text', text: 'ask npm test, rm -rf build' }],
    });
    await Promise.all([editor, other].map((each) => each.until(({ requests }) => requests.length === 2)));
    await terminal.shows('Enter: ');
    await card(page, 'npm test').waitFor();
    requestOf(editor, 'npm test').answer('once');
    await answer(page, 'rm -rf build', /^Reject/u);
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    await other.until(({ said }) => said.includes('user: ask npm test, rm -rf build'));
    expect(editor.said).not.toContain('user: ask npm test, rm -rf build');
    await other.until(({ requests }) => requests.every(({ signal }) => signal.aborted));
    await editor.until((each) => requestOf(each, 'rm -rf build').signal.aborted);
    for (const each of [editor, other]) {
      await each.until(({ said }) => said.includes('agent: rm -rf build: rejected'));
      expect(each.said.filter((text) => text.endsWith('npm test: allowed'))).toHaveLength(1);
      expect(each.said.filter((text) => text.endsWith('rm -rf build: rejected'))).toHaveLength(1);
    }
    await conversation(page).getByText('rm -rf build: rejected', { exact: true }).waitFor();
    expect(await conversation(page).getByText('npm test: allowed', { exact: true }).count()).toBe(1);
    await terminal.shows('rm -rf build: rejected');

    // The server is killed in the middle of a turn, and started again where it was.
    await terminal.shows('\n> ');
    // It would go on for half an hour: no client has to be fast.
    terminal.type('words 100000\r');
    await Promise.all([
      conversation(page)
        .getByText(/word20 /u)
        .waitFor(),
      terminal.shows('word20 '),
      ...[editor, other].map((each) => each.until(({ said }) => said.includes('agent: word20'))),
    ]);
    await server.restart('SIGKILL');
    await editor.closed;

    await conversation(page).getByText(en.conversation.turnLost).first().waitFor();
    await using again = await openWebSocketEditor(server, 'editor');
    await load(again, key, server);
    await terminal.shows('\n> ');
    terminal.type('say after the restart\r');
    await Promise.all([
      conversation(page).getByText('after the restart', { exact: true }).waitFor(),
      ...[again, other].map((each) => each.until(({ said }) => said.includes('agent: after the restart'))),
    ]);
    await terminal.shows('after the restart');

    const { sessions } = await application.getSessions();
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([begun.sessionId]);
    expect(await list.getByRole('listitem').count()).toBe(2);
    expect(await list.getByText(en.sessions.application, { exact: true }).count()).toBe(1);
    for (const said of [again.said, other.said]) {
      expectInOrder(said.join(' '));
      expect(said.filter((text) => text === 'agent: after the restart')).toHaveLength(1);
      expect(said.filter((text) => text === 'agent: npm test: allowed')).toHaveLength(1);
    }
    expectInOrder((await conversation(page).textContent()) ?? '');
    expect(await conversation(page).getByText('after the restart', { exact: true }).count()).toBe(1);
    expectInOrder((await terminal.lines()).join(' '));
  });
});

/** Each word of the turn that was cut short is there once, none is left out. */
function expectInOrder(text: string): void {
  const words = Array.from(text.matchAll(/word(\d+)/gu), ([, word]) => Number(word));
  expect(words.length).toBeGreaterThanOrEqual(20);
  expect(words).toEqual(Array.from(words, (_, index) => index + 1));
}

async function load(editor: OfficialEditor, sessionId: string, { workspace }: TestServer): Promise<void> {
  await editor.connection.agent.request('session/load', { sessionId, cwd: workspace, mcpServers: [] });
}

function requestOf(editor: OfficialEditor, title: string): OfficialEditor['requests'][number] {
  const found = editor.requests.find((request) => request.title === title);
  if (found === undefined) throw new Error(`the editor was not asked about ${title}`);
  return found;
}
