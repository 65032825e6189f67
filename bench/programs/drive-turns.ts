import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { spreadOf } from '../statistics.ts';
import { onLines } from './lines.ts';

// The client of the coding agents: no library, so that only the agents differ. Arguments: the directory of the session,
// how many short turns, how many steps of the long one, and the agent that Node is to run.

interface Incoming {
  readonly id?: number;
  readonly params?: { readonly update: { readonly sessionUpdate: string; readonly status?: string } };
  readonly result?: { readonly sessionId?: string; readonly stopReason?: string };
  readonly error?: unknown;
}

const [, , cwd = '', turns = '0', steps = '0', ...agentCommand] = process.argv;
const agent = spawn(process.execPath, agentCommand, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<number, (message: Incoming) => void>();
let onUpdate: (update: NonNullable<Incoming['params']>['update']) => void = () => undefined;
let ids = 0;
onLines(agent.stdout, (lines) => {
  for (const line of lines) {
    const message: Incoming = JSON.parse(line);
    if (message.params !== undefined) onUpdate(message.params.update);
    else if (message.id !== undefined) waiting.get(message.id)?.(message);
  }
});

await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
const { sessionId } = await request('session/new', { cwd, mcpServers: [] });

const firsts: number[] = [];
for (let turn = 0; turn < Number(turns); turn++) {
  let first: number | undefined;
  onUpdate = ({ sessionUpdate }) => {
    if (sessionUpdate === 'agent_message_chunk') first ??= performance.now();
  };
  const start = performance.now();
  await prompt('0');
  if (first === undefined) throw new Error('the agent said nothing');
  firsts.push(first - start);
}

let completed = 0;
onUpdate = ({ status }) => {
  if (status === 'completed') completed += 1;
};
const start = performance.now();
await prompt(steps);
const stepMicros = ((performance.now() - start) * 1000) / Number(steps);
if (completed !== Number(steps)) throw new Error(`${completed} of ${steps} calls were completed`);

const exited = once(agent, 'exit');
agent.stdin.end();
agent.stdout.resume();
// The agent written on the official package stays when its input ends.
const kill = setTimeout(() => agent.kill(), 3000);
await exited;
clearTimeout(kill);
console.log(JSON.stringify({ firstMicros: spreadOf(firsts).median * 1000, stepMicros }));

async function prompt(text: string): Promise<void> {
  const { stopReason } = await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  if (stopReason !== 'end_turn') throw new Error(`the turn ended with ${stopReason}`);
}

async function request(method: string, params: unknown): Promise<NonNullable<Incoming['result']>> {
  const id = ids++;
  const answered = new Promise<Incoming>((resolve) => {
    waiting.set(id, resolve);
  });
  agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const { result, error } = await answered;
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
