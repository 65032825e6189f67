import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  ClientCapabilities,
  ClientOptions,
  ReadTextFileRequest,
  WriteTextFileRequest,
} from '@parley/acp';
import { connect, memoryPair, RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import { createCodingAgent } from '../src/coding-agent.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, ranAndFailed, refused, said, succeeded, toolUpdates } from './stage.ts';
import type { Stage, StageOptions } from './stage.ts';

type Handlers = Required<Pick<ClientOptions['handlers'], 'fs/read_text_file' | 'fs/write_text_file'>>;

/** An editor with texts of its own, by path; what it does not have it says it has not. */
interface Editor extends Handlers {
  readonly texts: Map<string, string>;
  readonly reads: ReadTextFileRequest[];
  readonly writes: WriteTextFileRequest[];
}

function editor(): Editor {
  const texts = new Map<string, string>();
  const reads: ReadTextFileRequest[] = [];
  const writes: WriteTextFileRequest[] = [];
  return {
    texts,
    reads,
    writes,
    'fs/read_text_file': (request) => {
      reads.push(request);
      const text = texts.get(request.path);
      if (text === undefined) throw new RpcError(-32002, 'no such resource');
      const lines = text.split(/(?<=\n)/u).slice((request.line ?? 1) - 1);
      return { content: lines.slice(0, request.limit).join('') };
    },
    'fs/write_text_file': (request) => {
      writes.push(request);
      texts.set(request.path, request.content);
      return {};
    },
  };
}

const both: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };

function open(handlers: Handlers, options: StageOptions = {}): Promise<Stage> {
  const { 'fs/read_text_file': read, 'fs/write_text_file': write } = handlers;
  return openStage({
    capabilities: both,
    handlers: { 'fs/read_text_file': read, 'fs/write_text_file': write },
    ...options,
  });
}

const textOfLast = (stage: Stage): string => JSON.stringify(toolUpdates(stage.updates).at(-1)?.content);

const failing = (code: number, message: string): Handlers => ({
  'fs/read_text_file': () => {
    throw new RpcError(code, message);
  },
  'fs/write_text_file': () => {
    throw new RpcError(code, message);
  },
});

describe('reading', () => {
  test("returns the client's unsaved text, not the file on disk", async () => {
    const client = editor();
    await using stage = await open(client);
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'saved');
    client.texts.set(path, 'not saved yet');
    await stage.prompt('read a.txt');
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(textOfLast(stage)).toContain('not saved yet');
    expect(client.reads).toEqual([expect.objectContaining({ sessionId: stage.sessionId, path })]);
  });

  test('without the capability the client is not asked', async () => {
    const client = editor();
    await using stage = await open(client, { capabilities: { fs: { writeTextFile: true } } });
    await writeFile(join(stage.directory, 'a.txt'), 'saved');
    await stage.prompt('read a.txt');
    expect(textOfLast(stage)).toContain('saved');
    expect(client.reads).toEqual([]);
  });

  test.each([
    'read ../outside.txt',
    'read /etc/hosts',
    'write ../outside.txt: x',
    'replace a with b in /etc/hosts',
  ])('the client is not asked about what lies outside: %s', async (instruction) => {
    const client = editor();
    await using stage = await open(client);
    await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'full-access' });
    await stage.prompt(instruction);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { error: { code: 'outside' } },
    });
    expect([...client.reads, ...client.writes]).toEqual([]);
  });

  test.runIf(isPosix)('links are followed first', async () => {
    const client = editor();
    await using stage = await open(client);
    await writeFile(join(stage.directory, 'target.txt'), 'saved');
    await symlink('target.txt', join(stage.directory, 'inside.txt'));
    await symlink('/etc/hosts', join(stage.directory, 'outside.txt'));
    client.texts.set(join(stage.directory, 'target.txt'), 'not saved yet');
    await stage.prompt('read inside.txt\nread outside.txt');
    expect(courses(stage.updates)).toEqual([succeeded, ranAndFailed]);
    expect(client.reads.map(({ path }) => path)).toEqual([join(stage.directory, 'target.txt')]);
  });

  test.runIf(isPosix)(
    'paths sent to the client begin with the directory as the client named it',
    async () => {
      const client = editor();
      await using stage = await open(client);
      const workplace = join(stage.directory, 'work');
      await mkdir(workplace);
      await symlink(workplace, join(stage.directory, 'link'));
      const sessionId = await stage.openSession(join(stage.directory, 'link'));
      client.texts.set(join(stage.directory, 'link', 'a.txt'), 'not saved yet');
      await stage.prompt('read a.txt', sessionId);
      expect(textOfLast(stage)).toContain('not saved yet');
    },
  );

  const numbered = Array.from({ length: 9 }, (_, index) => `line ${String(index + 1)}\n`).join('');

  test.each([
    ['minds `limit`', false],
    ['ignores `line` and `limit`', true],
  ])('lines are those that were asked for, from a client which %s', async (_, ignores) => {
    const client = editor();
    await using stage = await open({
      ...client,
      'fs/read_text_file': (request, context) => {
        const { line: _line, limit: _limit, ...whole } = request;
        return client['fs/read_text_file'](ignores ? whole : request, context);
      },
    });
    client.texts.set(join(stage.directory, 'a.txt'), numbered);
    await stage.prompt('call read {"path": "a.txt", "line": 4, "limit": 2}');
    const text = textOfLast(stage);
    expect(text).toContain('line 4\\nline 5\\n');
    expect(text).not.toContain('line 3');
    expect(text).not.toContain('line 6');
    expect(text).toContain(ignores ? 'after line 5 of 9' : 'after line 5 of 6 or more');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      rawOutput: { line: 4, lines: 2, ...(ignores && { totalLines: 9 }) },
    });
  });

  test('lines after the end are empty', async () => {
    const client = editor();
    await using stage = await open(client);
    client.texts.set(join(stage.directory, 'a.txt'), numbered);
    await stage.prompt('call read {"path": "a.txt", "line": 40}');
    expect(textOfLast(stage)).toContain('The file has 9 lines');
  });

  test('a response that is too large or not text fails the call', async () => {
    const client = editor();
    await using stage = await open(client, { limits: { fileBytes: 100 } });
    client.texts.set(join(stage.directory, 'large.txt'), 'ä'.repeat(51));
    client.texts.set(join(stage.directory, 'binary'), 'a\0b');
    client.texts.set(join(stage.directory, 'fits.txt'), 'ä'.repeat(50));
    await stage.prompt('read large.txt\nread binary\nread fits.txt');
    expect(courses(stage.updates)).toEqual([ranAndFailed, ranAndFailed, succeeded]);
    expect(said(stage.updates).join('\n')).toContain('more than 100 bytes');
    expect(said(stage.updates).join('\n')).toContain('not a text');
  });

  test.each([[{ content: 5 }], [{}], [null], ['text'], [[]]])(
    'an answer that breaks the protocol fails the call: %j',
    async (answer) => {
      const [left, right] = memoryPair();
      await using _agent = createCodingAgent(createNodeEnvironment()).connect(left);
      const updates: unknown[] = [];
      await using client = connect(right, {
        onRequest: () => answer,
        onNotification: (_method, params) => void updates.push(params),
      });
      await client.request('initialize', { protocolVersion: 1, clientCapabilities: both });
      const session = await client.request('session/new', { cwd: import.meta.dirname, mcpServers: [] });
      const prompt = [{ type: 'text', text: `read ${basename(import.meta.filename)}` }];
      const turn = client.request('session/prompt', { ...Object(session), prompt });
      expect(await turn).toMatchObject({ stopReason: 'end_turn' });
      expect(JSON.stringify(updates)).toContain('"code":"client-failed"');
    },
  );

  test.each([
    [-32603, 'client-failed'],
    [-32602, 'client-failed'],
    [-32000, 'client-failed'],
    [403, 'refused'],
  ])(
    'an error %i of the client fails the call with its message, and the disk is not read',
    async (code, word) => {
      await using stage = await open(failing(code, 'the editor says no'));
      await writeFile(join(stage.directory, 'a.txt'), 'on the disk');
      await stage.prompt('read a.txt');
      expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
        status: 'failed',
        rawOutput: { error: { code: word } },
      });
      expect(textOfLast(stage)).toContain('the editor says no');
      expect(textOfLast(stage)).not.toContain('on the disk');
    },
  );

  test('a cancel ends the wait for a client that never answers', async () => {
    let cancel = (): void => undefined;
    await using stage = await open({
      ...editor(),
      'fs/read_text_file': () => {
        cancel();
        return new Promise<never>(() => undefined);
      },
    });
    cancel = () => void stage.cancel();
    expect(await stage.prompt('read a.txt')).toBe('cancelled');
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
  });
});

describe('writing', () => {
  test('goes through the client, and the diff is against what is not saved yet', async () => {
    const client = editor();
    await using stage = await open(client);
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'saved');
    client.texts.set(path, 'not saved yet');
    await stage.prompt('write a.txt: new');
    const diff = { type: 'diff', path, oldText: 'not saved yet', newText: 'new' };
    expect(stage.permissions[0]?.toolCall.content).toEqual([diff]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ status: 'completed', content: [diff] });
    expect(client.writes).toEqual([expect.objectContaining({ path, content: 'new' })]);
    expect(await readFile(path, 'utf8')).toBe('saved');
  });

  test('a file the client does not have is new', async () => {
    const client = editor();
    await using stage = await open(client);
    await stage.prompt('write folder/a.txt: new');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'completed',
      rawOutput: { isNew: true },
    });
    expect(client.texts.get(join(stage.directory, 'folder', 'a.txt'))).toBe('new');
  });

  test.each([-32603, -32602])(
    'a file is new too where the client says %i for want of a better code, and the disk has none',
    async (code) => {
      const client = editor();
      await using stage = await open({
        ...client,
        'fs/read_text_file': () => {
          throw new RpcError(code, 'ENOENT');
        },
      });
      await stage.prompt('write a.txt: new\nreplace a with b in b.txt');
      expect(courses(stage.updates)).toEqual([succeeded, refused]);
      expect(client.writes).toHaveLength(1);
    },
  );

  test('replace, edit and patch change the text of the client', async () => {
    const client = editor();
    await using stage = await open(client);
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'nothing that fits');
    client.texts.set(path, 'one\ntwo\nthree\n');
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -3 +3 @@\n-three\n+3\n';
    await stage.prompt(
      [
        'replace one with 1 in a.txt',
        'call edit {"path": "a.txt", "edits": [{"oldText": "two", "newText": "2"}]}',
        `call patch ${JSON.stringify({ patch })}`,
      ].join('\n'),
    );
    expect(courses(stage.updates)).toEqual([succeeded, succeeded, succeeded]);
    expect(client.texts.get(path)).toBe('1\n2\n3\n');
    expect(await readFile(path, 'utf8')).toBe('nothing that fits');
  });

  test('a client that only reads has its text compared, and the file written directly', async () => {
    const client = editor();
    await using stage = await open(client, { capabilities: { fs: { readTextFile: true } } });
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'saved');
    client.texts.set(path, 'not saved yet');
    await stage.prompt('write a.txt: new');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ content: [{ oldText: 'not saved yet' }] });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(client.writes).toEqual([]);
  });

  test('a client that only writes is compared with the disk', async () => {
    const client = editor();
    await using stage = await open(client, { capabilities: { fs: { writeTextFile: true } } });
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'saved');
    await stage.prompt('write a.txt: new');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ content: [{ oldText: 'saved' }] });
    expect(await readFile(path, 'utf8')).toBe('saved');
    expect(client.reads).toEqual([]);
    expect(client.writes).toHaveLength(1);
  });

  test('a write that the client rejects is not written, and the error names the client', async () => {
    const client = editor();
    const { 'fs/write_text_file': refuse } = failing(403, 'Not allowed: write "a.txt"');
    await using stage = await open({ ...client, 'fs/write_text_file': refuse });
    await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'workspace-write' });
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, 'saved');
    client.texts.set(path, 'saved');
    await stage.prompt('write a.txt: new');
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { error: { code: 'refused' } },
    });
    expect(textOfLast(stage)).toContain('the client did not allow it: Not allowed: write');
    expect(await readFile(path, 'utf8')).toBe('saved');
  });

  test('a call that is rejected writes nothing', async () => {
    const client = editor();
    await using stage = await open(client, {
      onPermission: () => ({ outcome: 'selected', optionId: 'reject_once' }),
    });
    await stage.prompt('write a.txt: new');
    expect(courses(stage.updates)).toEqual([refused]);
    expect(client.writes).toEqual([]);
  });
});

test('list, search, glob, delete and move do not go through the client', async () => {
  const client = editor();
  await using stage = await open(client);
  await writeFile(join(stage.directory, 'a.txt'), 'needle');
  await stage.prompt(
    'list .\nsearch needle\ncall glob {"pattern": "*.txt"}\nmove a.txt to b.txt\ndelete b.txt',
  );
  expect(courses(stage.updates)).toEqual(Array.from({ length: 5 }, () => succeeded));
  expect([...client.reads, ...client.writes]).toEqual([]);
});
