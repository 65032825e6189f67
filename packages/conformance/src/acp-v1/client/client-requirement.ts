import type { JsonObject } from '@parley/wire';
import { requireOffered } from '../check-error.ts';
import type { Rule } from '../requirement.ts';
import type { Scenario, Talk } from './scripted-agent.ts';

/** One thing that an ACP client has to do. */
export type ClientRequirement = Rule & {
  /** @default an ordinary turn */
  readonly scenario?: Scenario;
  /** Returns where the rule is met; throws a `CheckError` otherwise. */
  judge(talk: Talk): void;
};

/** Why a check of a turn does not apply. */
export const noTurn = 'the client sends no prompt';

/** The response to the first request of this method. */
export function responseTo(talk: Talk, method: string): JsonObject {
  const sent = talk.asked.find((request) => request['method'] === method);
  requireOffered(sent !== undefined, noTurn);
  return answerTo(talk, sent['id']);
}

/** The response to a request. */
export function answerTo({ messages, asked }: Talk, id: unknown): JsonObject {
  const sent = asked.find((request) => request['id'] === id);
  requireOffered(sent !== undefined, noTurn);
  const received = messages.find((each) => each['method'] === undefined && each['id'] === sent['id']);
  requireOffered(received !== undefined, 'it was not answered: see CLIENT-JSONRPC-102');
  return received;
}
