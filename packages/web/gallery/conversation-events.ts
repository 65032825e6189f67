import type { LoggedEntry } from '@parley/host/state';

/** The first events of a session. */
export const opening: readonly LoggedEntry[] = [
  { type: 'journal-start', key: 'a', agent: 'parley', cwd: '/home/ada/engine', program: 'gallery' },
  {
    type: 'agent-start',
    agent: 'parley',
    info: { name: 'parley', title: 'Parley Agent', version: '0.1.0' },
    protocolVersion: 1,
    capabilities: {},
  },
  { type: 'session', sessionId: 's', cwd: '/home/ada/engine', origin: 'new' },
  { type: 'session-ready', sessionId: 's' },
];

/** An update of the agent. */
export function update(sessionUpdate: string, fields: object): LoggedEntry {
  return { type: 'update', update: { sessionUpdate, ...fields } };
}

/** A piece of a message. */
export function said(sessionUpdate: string, text: string): LoggedEntry {
  return update(sessionUpdate, { content: { type: 'text', text } });
}

/** A tool call. */
export function call(toolCallId: string, fields: object): LoggedEntry {
  return update('tool_call', { toolCallId, ...fields });
}

/** More of a tool call. */
export function callUpdate(toolCallId: string, fields: object): LoggedEntry {
  return update('tool_call_update', { toolCallId, ...fields });
}

/** The beginning of a turn. */
export function prompt(turnId: string, text: string): LoggedEntry {
  return { type: 'turn-start', sessionId: 's', turnId, prompt: [{ type: 'text', text }] };
}

/** The end of a turn. */
export function end(turnId: string, fields: object = {}): LoggedEntry {
  return { type: 'turn-end', sessionId: 's', turnId, stopReason: 'end_turn', ...fields };
}

/** The last message of a turn. */
export function answer(turn: number): LoggedEntry {
  return said(
    'agent_message_chunk',
    `\n\nThat was turn ${turn}:\n\n- one\n- two\n\n\`\`\`ts\nlet turn = ${turn};\n\`\`\`\n`,
  );
}

/** Most of what Markdown has. */
export const longMessage = `## What I found

The class is used in **three** places, see [the guide](https://example.com/guide) and [this one](src/store.ts):

1. in \`src/store.ts\`, where it is defined
2. in the tests
   - \`a.test.ts\`
   - \`b.test.ts\`

| File | Uses | Note |
| --- | ---: | --- |
| src/store.ts | 1 | defines it |
| src/a.ts | 14 | imports it from the old place |

- [x] looked at the sources
- [ ] looked at the docs

\`\`\`ts
export class SessionStore<T> {
  readonly #items = new Map<string, T>();

  // Never more than a hundred.
  get(name: string): T | undefined {
    return this.#items.get(name) ?? (name === 'none' ? undefined : load(\`a-\${name}\`, 42));
  }
}
\`\`\`

> It was said to be unused. That is not so.

![A picture of it](https://example.com/picture.png)

Ends with a note[^1] and <b>no HTML</b>.

[^1]: It is a small one.
`;
