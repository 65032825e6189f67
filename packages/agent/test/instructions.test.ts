import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyText, textWith } from './matchers.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, ranAndFailed, refused, said, succeeded, toolUpdates } from './stage.ts';

describe('say, think and plan', () => {
  test('are updates of their own, with no tool call', async () => {
    await using stage = await openStage();
    expect(await stage.prompt('think: hm\nsay: one\nsay: two\nplan: look; change')).toBe('end_turn');
    const [notice, thought, one, two, plan, usage, ...rest] = stage.updates;
    expect(notice).toMatchObject({ sessionUpdate: 'agent_thought_chunk' });
    expect(thought).toMatchObject({ sessionUpdate: 'agent_thought_chunk', content: { text: 'hm' } });
    expect(one).toMatchObject({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'one' },
    });
    expect(two).toMatchObject({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'two' },
    });
    expect(plan).toEqual({
      sessionUpdate: 'plan',
      entries: [
        { content: 'look', priority: 'medium', status: 'pending' },
        { content: 'change', priority: 'medium', status: 'pending' },
      ],
    });
    expect(usage).toMatchObject({ sessionUpdate: 'usage_update', size: 1_000_000 });
    expect(rest).toEqual([]);
  });

  test('are messages of their own, by their ids', async () => {
    await using stage = await openStage();
    await stage.prompt('say: one\nsay: two\nrepeat 2: say: three');
    const ids = stage.updates.flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' ? [update.messageId] : [],
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe(ids[3]);
  });
});

describe('read', () => {
  test('returns the text of a file, with its location and size', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'one\ntwo\n');
    await stage.prompt('read a.txt');
    const [call, , done] = toolUpdates(stage.updates);
    const path = join(stage.directory, 'a.txt');
    expect(call).toMatchObject({
      sessionUpdate: 'tool_call',
      name: 'read',
      title: 'Read a.txt',
      kind: 'read',
      status: 'pending',
      locations: [{ path }],
      rawInput: { path: 'a.txt' },
    });
    expect(done).toMatchObject({
      toolCallId: call?.toolCallId,
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: '```\none\ntwo\n```' } }],
      rawOutput: { path, line: 1, lines: 2, totalLines: 2, truncated: false },
    });
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(stage.permissions).toEqual([]);
  });

  test('takes a line to begin with and a number of lines', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), '1\n2\n3\n4\n');
    await stage.prompt('call read {"path":"a.txt","line":2,"limit":2}');
    const [call, , done] = toolUpdates(stage.updates);
    expect(call?.locations).toEqual([{ path: join(stage.directory, 'a.txt'), line: 2 }]);
    expect(done).toMatchObject({ rawOutput: { line: 2, lines: 2, totalLines: 4 } });
    expect(JSON.stringify(done?.content)).toContain('2\\n3\\n\\n[More lines follow after line 3 of 4]');
  });

  test('of a long file returns the beginning and says so', async () => {
    await using stage = await openStage({ limits: { readChars: 10, readLines: 100 } });
    await writeFile(join(stage.directory, 'a.txt'), '123456789\n'.repeat(5));
    await stage.prompt('read a.txt');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { lines: 1, truncated: true } });
    expect(JSON.stringify(toolUpdates(stage.updates).at(-1)?.content)).toContain('Truncated at line 1 of 5');
  });

  test('of an empty file, and beyond the end, says so', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'empty'), '');
    await writeFile(join(stage.directory, 'short'), 'one');
    await stage.prompt('read empty\ncall read {"path":"short","line":5}');
    expect(courses(stage.updates)).toEqual([succeeded, succeeded]);
    const contents = JSON.stringify(toolUpdates(stage.updates).map(({ content }) => content));
    expect(contents).toContain('The file is empty');
    expect(contents).toContain('The file has 1 lines');
  });

  test('of a missing file fails, is reported, and the next line follows', async () => {
    await using stage = await openStage();
    expect(await stage.prompt('read missing.txt\nsay: go on')).toBe('end_turn');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { error: { code: 'not-found' } },
    });
    expect(said(stage.updates)).toEqual([
      expect.stringMatching(/^"read missing\.txt" failed: .*no such file/u),
      'go on',
    ]);
  });

  test.runIf(isPosix)('outside the directories is refused', async () => {
    await using stage = await openStage();
    await symlink('/etc', join(stage.directory, 'link'));
    await stage.prompt('read /etc/hostname\nread ../x\nread link/hostname');
    const failed = toolUpdates(stage.updates).filter(({ status }) => status === 'failed');
    expect(failed.map(({ rawOutput }) => rawOutput)).toEqual(
      Array.from({ length: 3 }, () => ({ error: { code: 'outside', message: anyText } })),
    );
  });
});

describe('list and search', () => {
  test('list gives the names in a directory', async () => {
    await using stage = await openStage();
    await mkdir(join(stage.directory, 'src'));
    await writeFile(join(stage.directory, 'b.txt'), 'xyz');
    await stage.prompt('list .');
    const [call, , done] = toolUpdates(stage.updates);
    expect(call).toMatchObject({ title: 'List .', kind: 'read', locations: [{ path: stage.directory }] });
    expect(done).toMatchObject({
      status: 'completed',
      content: [{ content: { text: '```\nb.txt (3 bytes)\nsrc/\n```' } }],
      rawOutput: { entries: 2, hasMore: false },
    });
  });

  test('search gives the lines that match, with their places', async () => {
    await using stage = await openStage();
    await mkdir(join(stage.directory, 'src'));
    await writeFile(join(stage.directory, 'src/a.ts'), 'const one = 1;\nconst needle = 2;\n');
    await writeFile(join(stage.directory, 'b.ts'), 'needle\n');
    await stage.prompt('search needle in src');
    const [call, , done] = toolUpdates(stage.updates);
    expect(call).toMatchObject({ title: 'Search needle in src', kind: 'search' });
    expect(done).toMatchObject({
      status: 'completed',
      content: [{ content: { text: `\`\`\`\n${join('src', 'a.ts')}:2: const needle = 2;\n\`\`\`` } }],
      locations: [{ path: join(stage.directory, 'src/a.ts'), line: 2 }],
      rawOutput: { matches: 1, hasMore: false },
    });
  });

  test('search takes plain text, and leaves out files whose names do not fit', async () => {
    await using stage = await openStage();
    for (const name of ['a.ts', 'b.js']) await writeFile(join(stage.directory, name), 'f(x');
    await stage.prompt('call search {"pattern":"f(","literal":"true","include":"*.ts"}');
    expect(toolUpdates(stage.updates)[0]).toMatchObject({ title: 'Search f( in *.ts' });
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      locations: [{ path: join(stage.directory, 'a.ts'), line: 1 }],
    });
  });

  test('search without a match is no failure', async () => {
    await using stage = await openStage();
    await stage.prompt('search needle');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      content: [{ content: { text: 'No matches' } }],
    });
  });
});

describe('write', () => {
  test('makes a file after a question that shows it, with the id of the call', async () => {
    await using stage = await openStage();
    await stage.prompt('write sub/a.txt: hello');
    const path = join(stage.directory, 'sub/a.txt');
    const [call, , done] = toolUpdates(stage.updates);
    const diff = { type: 'diff', path, newText: 'hello' };
    expect(call).toMatchObject({ title: 'Write sub/a.txt', kind: 'edit', locations: [{ path }] });
    expect(stage.permissions).toMatchObject([
      { toolCall: { toolCallId: call?.toolCallId, title: 'Write sub/a.txt', kind: 'edit', content: [diff] } },
    ]);
    expect(done).toMatchObject({ status: 'completed', content: [diff], rawOutput: { path, isNew: true } });
    expect(await readFile(path, 'utf8')).toBe('hello');
  });

  test('shows the old text beside the new one', async () => {
    await using stage = await openStage();
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'old');
    await stage.prompt('write a.txt: new');
    const diff = { type: 'diff', path, oldText: 'old', newText: 'new' };
    expect(stage.permissions[0]?.toolCall.content).toEqual([diff]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ content: [diff], rawOutput: { isNew: false } });
  });

  test('over a binary file says so, and shows what would be written', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.bin'), Uint8Array.of(0, 1, 255, 254));
    await stage.prompt('write a.bin: text');
    expect(stage.permissions[0]?.toolCall.content).toMatchObject([
      { type: 'content' },
      { type: 'diff', newText: 'text' },
    ]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      content: [{ type: 'content' }],
      rawOutput: { isNew: false },
    });
  });

  test.runIf(isPosix)('outside the directories fails before the user is asked', async () => {
    await using stage = await openStage();
    await using elsewhere = await openStage();
    await symlink(elsewhere.directory, join(stage.directory, 'link'));
    await symlink(join(elsewhere.directory, 'b.txt'), join(stage.directory, 'dangling'));
    await stage.prompt(
      [
        'write ../a.txt: x',
        'write link/a.txt: x',
        `write ${elsewhere.directory}/a.txt: x`,
        'write dangling: x',
      ].join('\n'),
    );
    expect(courses(stage.updates)).toEqual([refused, refused, refused, refused]);
    expect(stage.permissions).toEqual([]);
    expect(await readdir(elsewhere.directory)).toEqual([]);
  });
});

describe('replace', () => {
  test('changes the one place, and points to its line', async () => {
    await using stage = await openStage();
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'one\ntwo\n');
    await stage.prompt('replace two with 2 in a.txt');
    const diff = { type: 'diff', path, oldText: 'one\ntwo\n', newText: 'one\n2\n' };
    expect(stage.permissions).toMatchObject([
      { toolCall: { content: [diff], locations: [{ path, line: 2 }] } },
    ]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      content: [diff],
      locations: [{ path, line: 2 }],
    });
    expect(await readFile(path, 'utf8')).toBe('one\n2\n');
  });

  test('of a missing or ambiguous text fails before the user is asked', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'one one');
    await stage.prompt('replace two with 2 in a.txt\nreplace one with 1 in a.txt');
    const failed = toolUpdates(stage.updates).filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([
      { rawOutput: { error: { code: 'no-match' } } },
      { rawOutput: { error: { code: 'ambiguous-match', message: textWith('2 times') } } },
    ]);
    expect(stage.permissions).toEqual([]);
  });

  test('looks again after the question: a file that changed meanwhile is not overwritten', async () => {
    const path = { value: '' };
    await using stage = await openStage({
      onPermission: async () => {
        await writeFile(path.value, 'something else');
        return { outcome: 'selected', optionId: 'allow_once' };
      },
    });
    path.value = join(stage.directory, 'a.txt');
    await writeFile(path.value, 'one');
    await stage.prompt('replace one with 1 in a.txt');
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
    expect(await readFile(path.value, 'utf8')).toBe('something else');
  });
});

describe('delete and move', () => {
  test('delete removes a file, and shows what it held', async () => {
    await using stage = await openStage();
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'old');
    await stage.prompt('delete a.txt');
    const diff = { type: 'diff', path, oldText: 'old', newText: '' };
    expect(toolUpdates(stage.updates)[0]).toMatchObject({ title: 'Delete a.txt', kind: 'delete' });
    expect(stage.permissions[0]?.toolCall.content).toEqual([diff]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ status: 'completed', content: [diff] });
    expect(await readdir(stage.directory)).toEqual([]);
  });

  test.runIf(isPosix)('delete removes a link that leads outside, not what it links to', async () => {
    await using stage = await openStage();
    await using elsewhere = await openStage();
    await writeFile(join(elsewhere.directory, 'a.txt'), 'kept');
    await symlink(join(elsewhere.directory, 'a.txt'), join(stage.directory, 'link'));
    await stage.prompt('delete link');
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(await readdir(stage.directory)).toEqual([]);
    expect(await readFile(join(elsewhere.directory, 'a.txt'), 'utf8')).toBe('kept');
  });

  test('delete and move outside the directories fail before the user is asked', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'x');
    await stage.prompt('delete ../a.txt\nmove a.txt to ../a.txt\nmove ../b.txt to b.txt');
    expect(courses(stage.updates)).toEqual([refused, refused, refused]);
    expect(stage.permissions).toEqual([]);
  });

  test('move gives a file another path', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'x');
    await stage.prompt('move a.txt to sub/b.txt');
    expect(toolUpdates(stage.updates)[0]).toMatchObject({
      title: 'Move a.txt to sub/b.txt',
      kind: 'move',
      locations: [{ path: join(stage.directory, 'a.txt') }, { path: join(stage.directory, 'sub/b.txt') }],
    });
    expect(await readFile(join(stage.directory, 'sub/b.txt'), 'utf8')).toBe('x');
  });

  test('move never overwrites', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'a');
    await writeFile(join(stage.directory, 'b.txt'), 'b');
    await stage.prompt('move a.txt to b.txt');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { error: { code: 'exists' } },
    });
    expect(await readFile(join(stage.directory, 'b.txt'), 'utf8')).toBe('b');
  });
});

describe('call', () => {
  test('runs any tool by its name', async () => {
    await using stage = await openStage();
    await stage.prompt('call write {"path":"a.txt","text":"one\\ntwo\\n"}');
    expect(await readFile(join(stage.directory, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('of an unknown tool fails', async () => {
    await using stage = await openStage();
    await stage.prompt('call nothing {}');
    expect(toolUpdates(stage.updates)).toMatchObject([
      { title: 'nothing', kind: 'other', status: 'pending' },
      {
        status: 'failed',
        rawOutput: { error: { code: 'unknown-tool', message: textWith('Unknown tool "nothing"') } },
      },
    ]);
  });

  test('with wrong arguments fails and says which', async () => {
    await using stage = await openStage();
    await stage.prompt(
      'call read {"path":5}\ncall read {"path":"a","line":0}\ncall replace {"path":"a","oldText":"","newText":""}',
    );
    const failed = toolUpdates(stage.updates).filter(({ status }) => status === 'failed');
    expect(failed.map(({ rawOutput }) => rawOutput)).toEqual([
      { error: { code: 'invalid-input', message: 'read: "path" must be a text' } },
      { error: { code: 'invalid-input', message: 'read: "line" must be a whole number from 1' } },
      { error: { code: 'invalid-input', message: 'replace: "oldText" must not be empty' } },
    ]);
  });
});

test.runIf(isPosix)('paths are sent as the client named the directory, not as they really are', async () => {
  await using stage = await openStage();
  await mkdir(join(stage.directory, 'real'));
  await writeFile(join(stage.directory, 'real/a.txt'), 'needle\n');
  await symlink(join(stage.directory, 'real'), join(stage.directory, 'link'));
  const sessionId = await stage.openSession(join(stage.directory, 'link'));
  await stage.prompt('search needle\nwrite b.txt: x', sessionId);
  const paths = toolUpdates(stage.updates).flatMap(({ locations = [] }) => locations.map(({ path }) => path));
  expect(new Set(paths)).toEqual(
    new Set(['a.txt', 'b.txt'].map((name) => join(stage.directory, 'link', name))),
  );
});

test('fetch asks before anything is fetched', async () => {
  await using stage = await openStage({
    onPermission: () => ({ outcome: 'selected', optionId: 'reject_once' }),
  });
  expect(await stage.prompt('fetch https://example.com/')).toBe('end_turn');
  expect(stage.permissions.map(({ toolCall }) => toolCall.title)).toEqual(['Fetch https://example.com/']);
  expect(courses(stage.updates)).toEqual([refused]);
});

test('what is not understood is answered with what is', async () => {
  await using stage = await openStage();
  expect(await stage.prompt('Please fix the tests')).toBe('end_turn');
  expect(said(stage.updates)).toEqual([textWith('replace OLD with NEW in PATH')]);
});

test('sleep waits for its time', async () => {
  const slept: number[] = [];
  const { createNodeEnvironment } = await import('../src/node/environment.ts');
  const environment = createNodeEnvironment();
  const clock = {
    ...environment.clock,
    sleep: (ms: number) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
  await using stage = await openStage({ environment: { ...environment, clock } });
  expect(await stage.prompt('sleep 3\nsay: awake')).toBe('end_turn');
  expect(slept).toEqual([3000]);
  expect(said(stage.updates)).toEqual(['awake']);
});
