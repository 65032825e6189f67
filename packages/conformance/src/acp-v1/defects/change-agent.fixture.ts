import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { Refusal, type SeededAgent } from './seeded-agent.fixture.ts';

/** A small change to an agent that does everything right. */
export interface AgentDefect {
  readonly what: string;
  /** The checks that fail. */
  readonly fails: readonly string[];
  /** Whether the defect is a missing message, which a check notices only at its time limit. @default false */
  readonly isSilent?: true;
  readonly change: Change;
}

/** What is done to an agent before it starts. */
type Change = (agent: SeededAgent) => void;

/** Changes the result of a method. */
export function result(method: string, change: (right: JsonObject, params: JsonObject) => unknown): Change {
  return (agent: SeededAgent): void => {
    const run = agent.methods[method];
    agent.methods[method] = async (params) => {
      const right = await run?.(params);
      return change(isJsonObject(right) ? right : {}, params);
    };
  };
}

/** Does something before a method. */
export function before(method: string, act: (agent: SeededAgent, params: JsonObject) => unknown): Change {
  return (agent: SeededAgent): void => {
    const run = agent.methods[method];
    agent.methods[method] = async (params) => {
      await act(agent, params);
      return run?.(params);
    };
  };
}

/** Answers a method with an error. */
export function refusing(method: string, code: unknown = -32_603): Change {
  return (agent: SeededAgent): void => {
    agent.methods[method] = () => {
      throw new Refusal(code);
    };
  };
}

/** Rejects prompts that have a block of this type. */
export function withoutBlocks(type: string): Change {
  return before('session/prompt', (_agent, { prompt }) => {
    const blocks: readonly unknown[] = Array.isArray(prompt) ? prompt : [];
    if (blocks.some((block) => valueAt(block, 'type') === type)) throw new Refusal(-32_602);
  });
}

/** Does something in each greeting. */
export function greeting(act: (agent: SeededAgent, sessionId: unknown) => unknown): Change {
  return (agent: SeededAgent): void => {
    const greet = agent.greet.bind(agent);
    agent.greet = async (sessionId) => {
      await act(agent, sessionId);
      return greet(sessionId);
    };
  };
}

/** Does something in each turn with tools. */
export function working(act: (agent: SeededAgent, sessionId: unknown) => unknown): Change {
  return (agent: SeededAgent): void => {
    const work = agent.work.bind(agent);
    agent.work = async (sessionId, session) => {
      await act(agent, sessionId);
      return work(sessionId, session);
    };
  };
}

/** Does something in each turn with a sub-agent, for a client that knows these. */
export function delegating(act: (agent: SeededAgent, sessionId: unknown) => unknown): Change {
  return (agent: SeededAgent): void => {
    const delegate = agent.delegate.bind(agent);
    agent.delegate = async (sessionId) => {
      if (valueAt(agent.client, 'subagents') !== undefined) await act(agent, sessionId);
      return delegate(sessionId);
    };
  };
}

/** Changes each update of a kind. */
export function updating(kind: string, change: (update: JsonObject) => JsonObject | undefined): Change {
  return (agent: SeededAgent): void => {
    const update = agent.update.bind(agent);
    agent.update = (sessionId, fields) => {
      const sent = fields['sessionUpdate'] === kind ? change(fields) : fields;
      if (sent !== undefined) update(sessionId, sent);
    };
  };
}

/** Changes the params of each request to the client. */
export function requesting(method: string, change: (params: JsonObject) => JsonObject | undefined): Change {
  return (agent: SeededAgent): void => {
    const request = agent.request.bind(agent);
    agent.request = (name, params) => {
      const sent = name === method ? change(params) : params;
      return sent === undefined ? Promise.resolve({}) : request(name, sent);
    };
  };
}

/** Changes the capabilities of the agent. */
export const capabilities = (change: (right: JsonObject) => JsonObject): Change =>
  result('initialize', (right) => {
    const declared = right['agentCapabilities'];
    return { ...right, agentCapabilities: change(isJsonObject(declared) ? declared : {}) };
  });

/** An object less one of its fields. */
export function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));
}
