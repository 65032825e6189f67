import { valueAt } from '@parley/wire';
import { demand, requireOffered } from '../check-error.ts';
import { shown } from '../json-value.ts';
import { specification } from '../requirement.ts';
import type { ClientRequirement } from './client-requirement.ts';
import { sessionId } from './scripted-agent.ts';

const noCancel = 'the client cancels nothing when it is interrupted';

/** What a client does that is interrupted during a turn. */
export const cancelRequirements: readonly ClientRequirement[] = [
  {
    id: 'CLIENT-CANCEL-101',
    level: 'required',
    rule: 'A client that is interrupted during a turn cancels it with the notification session/cancel, which names the session.',
    source: specification('prompt-turn'),
    scenario: 'interrupt',
    judge({ messages }) {
      const received = messages.find(({ method }) => method === 'session/cancel');
      requireOffered(received !== undefined, noCancel);
      demand(received['id'] === undefined, 'it is a request', { received });
      const id = valueAt(received['params'], 'sessionId');
      demand(id === sessionId, `it names the session ${shown(id)}`, { received });
    },
  },
  {
    id: 'CLIENT-CANCEL-102',
    level: 'required',
    rule: 'Until the turn that it cancelled has ended, a client answers permission requests with the outcome cancelled.',
    source: specification('prompt-turn'),
    scenario: 'interrupt',
    judge(talk) {
      requireOffered(
        talk.messages.some(({ method }) => method === 'session/cancel'),
        noCancel,
      );
      const sent = talk.asked.find((request) => request['method'] === 'session/request_permission');
      const received = talk.messages.find(
        (each) => each['method'] === undefined && each['id'] === sent?.['id'],
      );
      demand(received !== undefined, 'it was not answered: the client did not wait for the end of the turn', {
        sent,
      });
      const outcome = valueAt(received, 'result', 'outcome', 'outcome');
      demand(outcome === 'cancelled', `the outcome is ${shown(outcome)}`, { sent, received });
    },
  },
];
