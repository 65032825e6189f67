#!/usr/bin/env node
// An adapter as that of Claude Code: it opens sessions for anyone, refuses prompts without its credentials, and signs in on a terminal.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const credentials = join(homedir(), '.claude', '.credentials.json');
const lines = createInterface({ input: process.stdin });

if (process.argv.includes('login')) {
  console.log('If the browser did not open, visit: https://claude.example/oauth?code=true');
  process.stdout.write(process.stdin.isTTY ? 'Paste code here> ' : 'no terminal> ');
  lines.once('line', (line) => {
    if (line.trim() !== 'the-code') {
      console.log('wrong code');
      process.exit(1);
    }
    mkdirSync(join(homedir(), '.claude'), { recursive: true });
    writeFileSync(credentials, '{}');
    console.log('Signed in');
    process.exit(0);
  });
} else {
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const authMethods = [{ id: 'claude-login', name: 'Log in with Claude', type: 'terminal', args: ['login'] }];
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    switch (method) {
      case 'initialize':
        return say({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods } });
      case 'session/new':
        return say({ id, result: { sessionId: 's' } });
      case 'session/prompt': {
        if (!existsSync(credentials)) return say({ id, error: { code: -32000, message: 'Please log in' } });
        const content = { type: 'text', text: 'Claude answers.' };
        say({
          method: 'session/update',
          params: { sessionId: params.sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
        });
        return say({ id, result: { stopReason: 'end_turn' } });
      }
      default:
        if (id !== undefined) say({ id, error: { code: -32601, message: method } });
    }
  });
}
