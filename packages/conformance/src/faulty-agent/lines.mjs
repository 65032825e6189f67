// What can be wrong with the lines themselves, on standard output and standard error.

const notUtf8 = Buffer.from('{"jsonrpc":"2.0","method":"_x/\xff\xfe"}\n', 'latin1');
const mebibyte = Buffer.alloc(1024 * 1024, 'x');

/** @type {import('./agent.mjs').Faults} */
export const lines = {
  'noise-on-stdout': {
    what: 'A banner and log lines stand between its messages.',
    start: () => process.stdout.write('Welcome to the agent!\n'),
    turn: () => process.stdout.write('debug: thinking\n[info] {"half":\n'),
  },
  'noise-without-end': {
    what: 'It writes 10,000 lines that are no messages.',
    turn: () => process.stdout.write('noise\n'.repeat(10_000)),
  },
  'prompt-of-a-shell': {
    what: 'A line begins with what is no JSON, and ends with a message.',
    turn: (agent, sessionId) => {
      process.stdout.write('$ ');
      agent.say(sessionId, 'behind a shell');
    },
  },
  'invalid-utf8': {
    what: 'A line is no UTF-8.',
    turn: () => process.stdout.write(notUtf8),
  },
  'long-line': {
    what: 'A line has 81 MiB.',
    turn: () => {
      for (let count = 0; count < 81; count++) process.stdout.write(mebibyte);
      process.stdout.write('\n');
    },
  },
  'byte-by-byte': {
    what: 'Each byte comes by itself.',
    write: (text) => {
      for (const byte of Buffer.from(text)) process.stdout.write(Uint8Array.of(byte));
    },
    turn: (agent, sessionId) => agent.say(sessionId, 'ä€😀'),
  },
  'crlf-lines': {
    what: 'Its lines end with CR and LF.',
    write: (text) => process.stdout.write(text.replaceAll('\n', '\r\n')),
  },
  'byte-order-mark': {
    what: 'It begins with a byte order mark.',
    start: () => process.stdout.write('\uFEFF'),
  },
  'empty-lines': {
    what: 'There are empty lines between its messages.',
    write: (text) => process.stdout.write(`\n  \n${text}\r\n`),
  },
  'no-last-newline': {
    what: 'Its last line has no end, and it exits.',
    on: {
      'session/prompt': (agent, { id }) => {
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } }));
        process.exit(0);
      },
    },
  },
  'half-a-line': {
    what: 'It exits in the middle of a line.',
    turn: () => {
      process.stdout.write('{"jsonrpc":"2.0","method":"session/up');
      process.exit(0);
    },
  },
  'two-values-in-a-line': {
    what: 'Two messages stand in one line.',
    turn: () => process.stdout.write('{"jsonrpc":"2.0","method":"_a"}{"jsonrpc":"2.0","method":"_b"}\n'),
  },
  batch: {
    what: 'It sends a batch, which ACP does not have.',
    turn: () => process.stdout.write('[{"jsonrpc":"2.0","method":"_a"}]\n[]\n'),
  },
  'other-json': {
    what: 'Its lines are JSON, but no messages.',
    turn: () => process.stdout.write('7\n"text"\nnull\n{"id":1.5,"jsonrpc":"2.0","result":{}}\n'),
  },
  'jsonrpc-1.0': {
    what: 'It sends a notification of JSON-RPC 1.0.',
    turn: () => process.stdout.write('{"jsonrpc":"1.0","method":"session/update","params":{}}\n'),
  },
  'deep-nesting': {
    what: 'An update has 100,000 lists in each other.',
    turn: (agent, sessionId) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const update = `{"sessionUpdate":"tool_call","toolCallId":"t","title":"deep","rawInput":${deep}}`;
      const params = `{"sessionId":${JSON.stringify(sessionId)},"update":${update}}`;
      agent.write(`{"jsonrpc":"2.0","method":"session/update","params":${params}}\n`);
    },
  },
  'lone-surrogates': {
    what: 'A text holds half a character.',
    turn: (agent, sessionId) => agent.say(sessionId, '\ud800'),
  },
  'prototype-keys': {
    what: 'An update has a field "__proto__".',
    turn: (agent, sessionId) => {
      const update = `{"sessionUpdate":"tool_call","toolCallId":"t","title":"t","__proto__":{"polluted":true}}`;
      const params = `{"sessionId":${JSON.stringify(sessionId)},"update":${update},"__proto__":{"polluted":true}}`;
      agent.write(`{"jsonrpc":"2.0","method":"session/update","params":${params}}\n`);
    },
  },
  'stderr-flood': {
    what: 'It writes 10 MiB to standard error.',
    turn: () => {
      for (let count = 0; count < 10; count++) process.stderr.write(mebibyte);
      process.stderr.write('\nlast words\n');
    },
  },
};
