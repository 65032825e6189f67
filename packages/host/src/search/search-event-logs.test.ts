import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedEntry } from '../event/logged-event.ts';
import { filesStore } from '../store/files/files-store.ts';
import { temporaryFolder } from '../store/temporary-folder.fixture.ts';
import { searchEventLogs, type SearchHit } from './search-event-logs.ts';
import { createSearchPattern, type SearchPattern } from './search-pattern.ts';

async function keep(directory: string, key: string, entries: readonly LoggedEntry[]): Promise<void> {
  const eventLog = await filesStore(directory).open(key, {
    start: { agent: 'test', cwd: '/project', program: 'test 1' },
    onFailure: (error) => {
      throw error;
    },
  });
  for (const entry of entries) {
    eventLog.append(entry, entry.type === 'update' ? JSON.stringify(entry.update) : undefined);
  }
  await eventLog.close();
}

function said(text: string, messageId?: string): LoggedEntry {
  const content = { type: 'text', text };
  const update = {
    sessionUpdate: 'agent_message_chunk',
    content,
    ...(messageId !== undefined && { messageId }),
  };
  return { type: 'update', update };
}

async function search(directory: string, pattern: SearchPattern): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  const store = filesStore(directory);
  for await (const hit of searchEventLogs(store, await store.list(), pattern)) hits.push(hit);
  return hits;
}

test('a typed answer is found with its question', async () => {
  const directory = await temporaryFolder();
  const question = { requestId: 'q', message: 'Which branch?', mode: 'form' } as const;
  await keep(directory, 'a', [
    { type: 'elicitation-request', ...question },
    { type: 'elicitation', ...question, action: 'accept', chosen: ['release/7.2'], by: 'person' },
  ]);

  const hits = await search(directory, createSearchPattern('release/7'));

  expect(hits.map(({ role, excerpt }) => [role, excerpt])).toEqual([
    ['question', 'Which branch?\nrelease/7.2'],
  ]);
});

test('text is found in prompts, messages and tool calls, each once', async () => {
  const directory = await temporaryFolder();
  await keep(directory, 'a', [
    { type: 'turn-start', sessionId: 's', turnId: 't', prompt: [{ type: 'text', text: 'mend the parser' }] },
    said('The parser is mended. '),
    said('It was the parser.'),
    {
      type: 'update',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'c',
        title: 'Edit',
        rawInput: { edits: [{ file: 'parser.ts' }] },
      },
    },
    said('Bye.'),
  ]);
  await keep(directory, 'b', [said('nothing of it')]);
  const hits = await search(directory, createSearchPattern('parser'));
  expect(hits.map(({ role, session, title }) => [role, session.start.key, title])).toEqual([
    ['user', 'a', 'mend the parser'],
    ['agent', 'a', 'mend the parser'],
    ['tool', 'a', 'mend the parser'],
  ]);
  const [first] = hits;
  expect(first).toMatchObject({ seq: 2, excerpt: 'mend the parser', start: 9, end: 15 });
});

test('text is found across chunks, also with chunks of another message in between', async () => {
  const directory = await temporaryFolder();
  await keep(directory, 'a', [said('a need', '1'), said('something else', '2'), said('le in hay', '1')]);
  expect(await search(directory, createSearchPattern('needle in'))).toMatchObject([
    { role: 'agent', excerpt: 'a needle in hay' },
  ]);
});

test('a search with an uppercase letter is case-sensitive', async () => {
  const directory = await temporaryFolder();
  await keep(directory, 'a', [said('Große TOKENS')]);
  expect(await search(directory, createSearchPattern('große tokens'))).toHaveLength(1);
  expect(await search(directory, createSearchPattern('Große tokens'))).toHaveLength(0);
  expect(await search(directory, createSearchPattern(String.raw`\Btok\w+$`, { isRegex: true }))).toHaveLength(
    0,
  );
  expect(await search(directory, createSearchPattern(String.raw`\btok\w+$`, { isRegex: true }))).toHaveLength(
    1,
  );
});

test('searching chunks finds the same as searching complete messages', async () => {
  const letter = fc.constantFrom('a', 'B', '"', '\\', '\n', 'ä', '😀', '\u0001', '\u2028', '.', '{');
  const text = fc.string({ unit: letter, maxLength: 12 });
  const wanted = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), wanted, async (pieces, literal) => {
      const directory = await temporaryFolder();
      await keep(
        directory,
        'a',
        pieces.map((piece) => said(piece)),
      );
      const pattern = createSearchPattern(literal);
      const unfiltered = await search(directory, { regex: pattern.regex });
      expect(await search(directory, pattern)).toEqual(unfiltered);
    }),
    { numRuns: 60 },
  );
});

test('an event log that cannot be read is reported, and the others are searched', async () => {
  const directory = await temporaryFolder();
  for (const key of ['a', 'b']) await keep(directory, key, [said('needle')]);
  const sessions = await filesStore(directory).list();
  await writeFile(join(directory, 'a', 'journal.jsonl'), 'something else\n');
  const unreadable: string[] = [];
  const hits: SearchHit[] = [];
  const options = { onUnreadable: ({ start }: SearchHit['session']) => void unreadable.push(start.key) };
  for await (const hit of searchEventLogs(
    filesStore(directory),
    sessions,
    createSearchPattern('needle'),
    options,
  )) {
    hits.push(hit);
  }
  expect(unreadable).toEqual(['a']);
  expect(hits).toMatchObject([{ session: { start: { key: 'b' } } }]);
});

test('an aborted search reads no further event log', async () => {
  const directory = await temporaryFolder();
  await keep(directory, 'one', [said('needle')]);
  await keep(directory, 'two', [said('needle')]);
  const given = new AbortController();
  const found = searchEventLogs(
    filesStore(directory),
    await filesStore(directory).list(),
    createSearchPattern('needle'),
    given,
  );

  const keys: string[] = [];
  for await (const { session } of found) {
    keys.push(session.start.key);
    given.abort();
  }

  expect(keys).toHaveLength(1);
});
