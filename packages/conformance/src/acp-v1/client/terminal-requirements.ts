import { isJsonObject, valueAt } from '@parley/wire';
import { demand, requireOffered } from '../check-error.ts';
import { shown } from '../json-value.ts';
import { specification } from '../requirement.ts';
import { answerTo, type ClientRequirement, responseTo } from './client-requirement.ts';
import { releasedOutput, type Talk } from './scripted-agent.ts';

/** What a client does with the commands of an agent. */
export const terminalRequirements: readonly ClientRequirement[] = [
  {
    id: 'CLIENT-TERM-101',
    level: 'required',
    rule: 'terminal/create is answered with a terminalId or an error, and with an error if the client does not declare terminals.',
    source: specification('terminals'),
    judge(talk) {
      const received = responseTo(talk, 'terminal/create');
      if (valueAt(talk.capabilities, 'terminal') !== true) {
        demand(isJsonObject(received['error']), 'the client does not declare terminals', { received });
        return;
      }
      const id = valueAt(received, 'result', 'terminalId');
      const isAnswered = isJsonObject(received['error']) || (typeof id === 'string' && id !== '');
      demand(isAnswered, `the terminalId is ${shown(id)}`, { received });
    },
  },
  {
    id: 'CLIENT-TERM-102',
    level: 'required',
    rule: 'terminal/wait_for_exit is answered when the command has ended, and terminal/output then has its output and exit status.',
    source: specification('terminals'),
    judge(talk) {
      requireTerminal(talk);
      const exit = responseTo(talk, 'terminal/wait_for_exit');
      const code = valueAt(exit, 'result', 'exitCode');
      demand(code === 0, `the exit code is ${shown(code)}`, { received: exit });
      const received = responseTo(talk, 'terminal/output');
      const output = valueAt(received, 'result', 'output');
      const isWhole = typeof output === 'string' && output.includes('parley-check');
      demand(isWhole, `the output is ${shown(output)}`, { received });
      const status = valueAt(received, 'result', 'exitStatus', 'exitCode');
      demand(status === 0, `the exit status is ${shown(status)}`, { received });
    },
  },
  {
    id: 'CLIENT-TERM-103',
    level: 'required',
    rule: 'A released terminal is no longer valid: a request about it is answered with an error.',
    source: specification('terminals'),
    judge(talk) {
      requireTerminal(talk);
      const received = answerTo(talk, releasedOutput);
      demand(isJsonObject(received['error']), 'it was answered with a result', { received });
    },
  },
];

function requireTerminal(talk: Talk): void {
  const created = responseTo(talk, 'terminal/create');
  const isOpen = typeof valueAt(created, 'result', 'terminalId') === 'string';
  requireOffered(isOpen, 'the client runs no command for the agent');
}
