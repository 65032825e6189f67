import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

test('piped lines are answered one after another until the end of input', async () => {
  await using folder = await temporaryFolder();
  const { status, stdout } = await parley(['chat'], {
    cwd: folder.path,
    input: 'say: one\n\nsay: two\nwrite notes.txt: x\nsay: three',
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/one\n[^]*two\n[^]*three\n/);
  // No user can be asked.
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
});

test('the first three lines name the interface, the model and what to try', async () => {
  const { stdout } = await parley(['chat'], { input: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('Parley');
  expect(lines[1]).toContain('offline demo model');
  expect(lines[2]).toContain('write notes.txt: hello');
});

test('/help, /mode, /model and /new are answered without the agent, an unknown command with a hint', async () => {
  const script = {
    session: {
      modes: {
        currentModeId: 'ask',
        availableModes: [
          { id: 'ask', name: 'Ask' },
          { id: 'code', name: 'Code' },
        ],
      },
      configOptions: [
        {
          id: 'm',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: 'a',
          options: [
            { value: 'a', name: 'A' },
            { value: 'b', name: 'B' },
          ],
        },
      ],
    },
  };
  const { status, stdout, stderr } = await parley(['chat', '--', ...scripted(script)], {
    input: '/help\n/mode code\n/mode\n/model b\n/model\n/mode none\n/wat\n/new\n/exit\nnever sent\n',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('/mode [ID]');
  expect(stdout).toContain('  * code  Code\n');
  expect(stdout).toContain('  * b  B\n');
  expect(stdout).toContain('Started a new session.');
  expect(stderr).toContain('does not offer mode "none"');
  expect(stderr).toContain('unknown command /wat');
});

test("the agent's commands are listed, once and without those of the chat, and reach the agent", async () => {
  const { status, stdout, stderr } = await parley(['chat'], { input: '/help\n/usage\n/clear\n' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/^ {2}\/\w+/gm)).toEqual(
    expect.arrayContaining(['  /mode', '  /model', '  /new', '  /exit', '  /usage', '  /clear']),
  );
  for (const name of ['help', 'mode', 'model']) {
    expect(stdout.match(new RegExp(`^ {2}/${name}\\b`, 'gm'))?.length ?? 0).toBeLessThan(2);
  }
  expect(stdout).toContain('- Window: about 0 of 1,000,000 tokens');
  expect(stdout).toContain('The conversation was cleared');
});

test('/last shows a truncated result in full', async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 30 }, (_, index) => `line number ${String(index)}`);
  await writeFile(path.join(folder.path, 'a.txt'), `${lines.join('\n')}\n`);
  const { stdout } = await parley(['chat'], { cwd: folder.path, input: '/last\nread a.txt\n/last\n' });
  const [before, none = '', cut = '', whole = ''] = stdout.split(/^(?=No tool call|• )/mu);
  expect(before).toContain('Parley');
  expect(none).toContain('No tool call has ended yet.');
  expect(cut).toMatch(/… \d+ more lines/u);
  expect(cut).not.toContain('line number 29');
  expect(whole).toContain('line number 29');
});

test('an error of the agent is shown, and the chat continues', async () => {
  const { status, stderr } = await parley(
    ['chat', '--', ...scripted({ errors: { 'session/prompt': { code: -32603, message: 'not now' } } })],
    { input: 'a\nb\n' },
  );
  expect(status).toBe(0);
  expect(stderr.match(/not now/g)).toHaveLength(2);
});

test("the chat ends with status 1 and the agent's last lines if no session opens in time", async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'config.json');
  await writeFile(file, JSON.stringify({ limits: { openSeconds: 0.5 } }));
  const words = scripted({ silent: ['session/new'], log: 'waiting for a model\n' });
  const { status, stderr } = await parley(['chat', '--config', file, '--', ...words], { cwd: folder.path });
  expect(status).toBe(1);
  expect(stderr).toContain('session/new: no answer');
  expect(stderr).toContain('| waiting for a model\n');
});

test('a crashed agent is restarted and the session continues; the outcome of its turn is unknown', async () => {
  await using folder = await temporaryFolder();
  const log = path.join(folder.path, 'log');
  const script = {
    initialize: { agentCapabilities: { sessionCapabilities: { resume: {} } } },
    prompt: [{ say: 'so far' }, { stderr: 'out of luck\n' }, { exit: 9 }],
  };
  const { status, stdout, stderr } = await parley(['chat', '--', ...scripted(script)], {
    cwd: folder.path,
    env: { SCRIPTED_LOG: log },
    input: 'a\nb\n',
  });
  expect(status).toBe(0);
  expect(stdout.match(/so far/g)).toHaveLength(2);
  expect(stderr.match(/\| out of luck/g)).toHaveLength(2);
  expect(stderr).toContain('exited with status 9; the outcome of its running work is unknown');
  expect(stderr).toContain('agent-restart: the agent exited; restarting it');
  expect(stderr).toContain('session-recovered: the agent was restarted, and the session continues');
  const methods = (await readFile(log, 'utf8')).match(/"session\/\w+"/g);
  expect(methods?.slice(0, 4)).toEqual([
    '"session/new"',
    '"session/prompt"',
    '"session/resume"',
    '"session/prompt"',
  ]);
});

test('an agent that cannot be started again ends the chat with status 1', async () => {
  await using folder = await temporaryFolder();
  const once = path.join(folder.path, 'once');
  const script = scripted({ prompt: [{ exit: 9 }] });
  const { status, stderr } = await parley(
    ['chat', '--', 'sh', '-c', `[ -e "$0" ] && exit 5; touch "$0"; exec "$@"`, once, ...script],
    { cwd: folder.path, input: 'a\nb\n' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('next attempt in 0.5 s (2 of 5)');
  expect(stderr).toContain('could not be restarted');
  expect(stderr).toContain('exited with status 5');
});

test('on a terminal, a prompt is answered, a permission asked, a turn cancelled, and Ctrl-D leaves', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('> ');
  screen.type('say: hello there\r');
  await screen.shows('\nhello there');
  await screen.shows('> ');
  screen.type('write notes.txt: hello\r');
  await screen.shows('Enter: no]: ');
  screen.type('y\r');
  await screen.shows('> ');
  expect(await readFile(path.join(folder.path, 'notes.txt'), 'utf8')).toMatch(/^hello\n?$/);
  screen.type('run sleep 60\r');
  await screen.shows('Enter: no]: ');
  screen.type('y\r');
  await screen.shows('• Run sleep 60');
  screen.type('\u0003');
  await screen.shows('(cancelled)');
  await screen.shows('> ');
  screen.type('\u0004');
  await screen.shows('Resume with: parley chat --session sess_');
  expect(await screen.exited).toBe(0);
});

test('Ctrl-C at a question answers it as cancelled and cancels the turn, and the chat continues', async () => {
  await using folder = await temporaryFolder();
  const log = path.join(folder.path, 'log');
  const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
  const ask = { method: 'session/request_permission', params: { toolCall: { toolCallId: 'c' }, options } };
  // This agent takes any answer, and goes on until the turn is cancelled.
  const words = scripted({ prompt: [{ ask }, { until: 'cancel' }] });
  using screen = openScreen(['chat', '--', ...words], folder.path, { env: { SCRIPTED_LOG: log } });
  await screen.shows('> ');
  screen.type('go\r');
  await screen.shows('Enter: no]: ');
  screen.type('\u0003');
  await screen.shows('(cancelled)');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
  expect(await readFile(log, 'utf8')).toMatch(/"session\/cancel".*\n.*"outcome":"cancelled"/u);
});

test('Ctrl-C at the question whether to trust a project ends the chat with status 130', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, '.parley'));
  const rules = [{ tool: 'execute', decision: 'allow' }];
  await writeFile(
    path.join(folder.path, '.parley', 'config.json'),
    JSON.stringify({ permissions: { rules } }),
  );
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('[y/N]: ');
  screen.type('\u0003');
  expect(await screen.exited).toBe(130);
  await expect(readFile(path.join(folder.path, '.home', 'trust.json'))).rejects.toThrow('ENOENT');
});

test('Ctrl-C clears the line, asks once at an empty one, and leaves', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('> ');
  screen.type('half a thou');
  await screen.shows('half a thou');
  screen.type('\u0003');
  await screen.shows('> half a thou^C');
  await screen.shows('> ');
  screen.type('\u0003');
  await screen.shows('Press Ctrl-C again to leave.');
  screen.type('\u0003');
  expect(await screen.exited).toBe(0);
});

test('TERM during a turn cancels it, and the agent is neither ended early nor restarted', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('\n> ');
  screen.type('say: begun\\\rsleep 600\r');
  await screen.shows('begun\n');

  screen.signal('SIGTERM');

  await screen.shows('(cancelled)');
  await screen.exited;
  expect(screen.text()).not.toMatch(/agent-ended|agent-restart/u);
});

test('one key answers a permission question', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('> ');
  screen.type('write notes.txt: hello\r');
  await screen.shows('Enter: no]: ');
  screen.type('y');
  await screen.shows('done');
  await screen.shows('> ');
  screen.type('write notes.txt: bye\r');
  await screen.shows('Enter: no]: ');
  // A key that is no answer begins a line, and the question waits for that.
  screen.type('x');
  await screen.shows('A question waits');
  await screen.shows('> x');
  screen.type('\u007f');
  await screen.shows('Enter: no]: ');
  screen.type('n');
  await screen.shows('> ');
  expect(await readFile(path.join(folder.path, 'notes.txt'), 'utf8')).toMatch(/^hello\n?$/);
});

test('text typed during a turn is queued, and does not answer a question', async () => {
  await using folder = await temporaryFolder();
  const question = { sessionId: 'scripted-1', message: 'Which colour?', mode: 'form' };
  const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
  const ask = { method: 'elicitation/create', params: { ...question, requestedSchema } };
  const words = scripted({
    prompt: [{ say: 'working' }, { untilFile: path.join(folder.path, 'go') }, { ask }],
  });
  using screen = openScreen(['chat', '--', ...words], folder.path);
  await screen.shows('> ');
  screen.type('first\r');
  await screen.shows('working');
  screen.type('second\r');
  await screen.shows('(queued: ');
  await writeFile(path.join(folder.path, 'go'), '');
  await screen.shows('Which colour?');
  await screen.shows('> ');
  screen.type('blue\r');
  await screen.shows('"colour":"blue"');
  await screen.shows('> second');
  await screen.shows('Which colour?');
  expect(screen.text()).not.toContain('"colour":"second"');
});

test('stopping a turn pauses the queue, and Enter sends it', async () => {
  await using folder = await temporaryFolder();
  const words = scripted({ prompt: [{ say: 'working' }, { until: 'cancel' }] });
  using screen = openScreen(['chat', '--', ...words], folder.path);
  await screen.shows('> ');
  screen.type('first\r');
  await screen.shows('working');
  screen.type('second\r');
  await screen.shows('(queued: ');
  screen.type('\u0003');
  await screen.shows('(cancelled)');
  await screen.shows('1 queued prompt is paused: Enter sends');
  screen.type('\r');
  await screen.shows('> second');
  await screen.shows('working');
  screen.type('\u0003');
  await screen.shows('(cancelled)');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
});

test('text typed during output has a line of its own, and the output continues above', async () => {
  await using folder = await temporaryFolder();
  const [more, end] = ['more', 'end'].map((name) => path.join(folder.path, name));
  const words = scripted({
    prompt: [{ say: 'half of ' }, { untilFile: more }, { say: 'a sentence' }, { untilFile: end }],
  });
  for (const env of [{}, { TERM: 'dumb', NO_COLOR: '1' }]) {
    using screen = openScreen(['chat', '--', ...words], folder.path, { env, columns: 80 });
    await screen.shows('> ');
    screen.type('first\r');
    await screen.shows('half of');
    screen.type('sec');
    await screen.shows('\n> sec');
    screen.type('ond');
    await screen.shows('ond');
    screen.type('\r');
    await screen.shows('(queued: ');
    await writeFile(more ?? '', '');
    await screen.shows('a sentence');
    await writeFile(end ?? '', '');
    await screen.shows('> second');
    expect(screen.text()).toContain('a sentence');
    screen.type('\u0003');
    screen.type('\u0004');
    await rm(more ?? '');
    await rm(end ?? '');
  }
});

test('Tab completes commands of the chat and of its agent, and files of its folder', async () => {
  await using folder = await temporaryFolder();
  await writeFile(path.join(folder.path, 'notes.txt'), 'milk');
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('\n> ');

  screen.type('/he');
  await screen.shows('show this list');
  screen.type('\t');
  await screen.shows('> /help');
  screen.type('\u0015/usa');
  await screen.shows('Show how much');
  screen.type('\t\r');
  await screen.shows('Turns: ');
  await screen.shows('\n> ');
  screen.type('say: @not');
  await screen.shows('notes.txt');
  screen.type('\t');
  await screen.shows('> say: @notes.txt');
  expect(screen.text()).not.toContain('TypeError');
});

test('several lines are one prompt if pasted, or typed with Alt+Enter or a backslash', async () => {
  await using folder = await temporaryFolder();
  const log = path.join(folder.path, 'log');
  const words = scripted({ prompt: [{ say: 'working' }] });
  using screen = openScreen(['chat', '--', ...words], folder.path, { env: { SCRIPTED_LOG: log } });
  await screen.shows('> ');
  screen.type('\u001b[200~one\r\ntwo\rthree\u001b[201~');
  await screen.shows('three');
  screen.type('\u001b\rfour\\\rfive\r');
  await screen.shows('working');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
  expect(await readFile(log, 'utf8')).toContain('"text":"one\\ntwo\\nthree\\nfour\\nfive"');
});

test('a session that is continued shows its last turns, and more of them when asked', async () => {
  await using folder = await temporaryFolder();
  const input = Array.from({ length: 7 }, (_, index) => `say: answer ${String(index + 1)}`).join('\n');
  expect((await parley(['chat'], { cwd: folder.path, input })).status).toBe(0);
  using screen = openScreen(['chat', '--continue'], folder.path);
  await screen.shows('(2 earlier turns: /history 7 shows all)');
  await screen.shows('> say: answer 3\n\nanswer 3');
  await screen.shows('answer 7');
  await screen.shows('> ');
  expect(screen.text()).not.toContain('answer 2');
  screen.type('/history 7\r');
  await screen.shows('answer 1');
  await screen.shows('answer 7');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
});

test('queued prompts can be listed, moved, dropped and edited', async () => {
  await using folder = await temporaryFolder();
  const go = path.join(folder.path, 'go');
  const log = path.join(folder.path, 'log');
  const words = scripted({ prompt: [{ say: 'working' }, { untilFile: go }] });
  using screen = openScreen(['chat', '--', ...words], folder.path, { env: { SCRIPTED_LOG: log } });
  await screen.shows('> ');
  screen.type('first\r');
  await screen.shows('working');
  for (const [index, line] of ['alpha', 'beta', 'gamma'].entries()) {
    screen.type(`${line}\r`);
    await screen.shows(index === 0 ? '(queued: sent' : `(queued: number ${String(index + 1)}`);
  }
  screen.type('/queue drop 1\r');
  await screen.shows('  1  beta');
  screen.type('/queue move 2 1\r');
  await screen.shows('  1  gamma\n  2  beta');
  screen.type('/queue edit 1\r');
  await screen.shows('> gamma');
  screen.type('-rays\r');
  await screen.shows('(queued: number 2');
  await writeFile(go, '');
  await screen.shows('> beta');
  await screen.shows('> gamma-rays');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
  const prompts = (await readFile(log, 'utf8')).match(/"text":"[\w-]+"/g);
  expect(prompts).toEqual(['"text":"first"', '"text":"beta"', '"text":"gamma-rays"']);
});

test('a half-typed line is still there when the turn ends', async () => {
  await using folder = await temporaryFolder();
  const go = path.join(folder.path, 'go');
  const words = scripted({ prompt: [{ say: 'working' }, { untilFile: go }, { say: ' done' }] });
  using screen = openScreen(['chat', '--', ...words], folder.path);
  await screen.shows('> ');
  screen.type('first\r');
  await screen.shows('working');
  screen.type('half a tho');
  await screen.shows('> half a tho');
  await writeFile(go, '');
  await screen.shows(' done');
  await screen.shows('> half a tho');
  screen.type('ught\r');
  await screen.shows('working');
  expect(screen.text()).toContain('> half a thought\n');
  screen.type('\u0003');
});

test('"Always…" also saves a rejection, and the request is not asked again', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['chat'], folder.path);
  await screen.shows('> ');
  screen.type('run touch a\r');
  await screen.shows('Always… exactly this command');
  await screen.shows('Enter: no]: ');
  screen.type('a');
  await screen.shows('4  Never allow for this session');
  await screen.shows('Enter: back]: ');
  screen.type('4\r');
  await screen.shows('failed');
  await screen.shows('> ');
  screen.type('run touch a\r');
  await screen.shows('not allowed');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
});
