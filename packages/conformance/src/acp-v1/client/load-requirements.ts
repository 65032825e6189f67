import { isAbsolute } from 'node:path';
import { valueAt } from '@parley/wire';
import { demand, requireOffered } from '../check-error.ts';
import { shown } from '../json-value.ts';
import { specification } from '../requirement.ts';
import type { ClientRequirement } from './client-requirement.ts';

const noLoad = 'the client loads no session; give it a command line that does';

/** What a client does with a stored session. */
export const loadRequirements: readonly ClientRequirement[] = [
  {
    id: 'CLIENT-LOAD-101',
    level: 'required',
    rule: 'session/load has an absolute cwd and a list of MCP servers.',
    source: specification('session-setup'),
    scenario: 'stored',
    judge({ messages }) {
      const received = messages.find(({ method }) => method === 'session/load');
      requireOffered(received !== undefined, noLoad);
      const cwd = valueAt(received['params'], 'cwd');
      demand(typeof cwd === 'string' && isAbsolute(cwd), `cwd is ${shown(cwd)}`, { received });
      const servers = valueAt(received['params'], 'mcpServers');
      demand(Array.isArray(servers), `mcpServers is ${shown(servers)}`, { received });
    },
  },
  {
    id: 'CLIENT-LOAD-102',
    level: 'required',
    rule: 'A client that loads a session reads the replay, and sends no prompt before the response.',
    source: specification('session-setup'),
    scenario: 'stored',
    judge({ messages, loadedAfter }) {
      requireOffered(
        messages.some(({ method }) => method === 'session/load'),
        noLoad,
      );
      demand(loadedAfter !== undefined, 'the client ended the connection during the replay');
      const received = messages.slice(0, loadedAfter).find(({ method }) => method === 'session/prompt');
      demand(received === undefined, 'a prompt came before the response', { received });
    },
  },
];
