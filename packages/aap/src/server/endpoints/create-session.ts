import { Invalid, shorten } from '@parley/wire';
import type { AgentInfo } from '../../agent-info.ts';
import type { PostSessionsRequest, PostSessionsResponse } from '../../endpoint.ts';
import { parseStrict } from '../../schema/parse.ts';
import { checkClientTools, checkImages, checkSettings } from '../config/check-settings.ts';
import { sealOptions } from '../config/seal-options.ts';
import type { AapServerLimits } from '../limits.ts';
import { RequestError } from '../request-error.ts';
import { expectOpen, findAgent, invalidRequest, toJson, type Exchange } from './exchange.ts';
import { readIdempotency } from './idempotency.ts';
import { readJson } from './read-json.ts';

/** `POST /sessions`: makes a session, and runs nothing. */
export async function createSession(exchange: Exchange): Promise<Response> {
  const { context, request, access, sessions, basePath } = exchange;
  expectOpen(exchange);
  const { value, bytes } = await readJson(request, context.limits);
  const body = parseStrict('PostSessionsRequest', value);
  if (body instanceof Invalid) throw invalidRequest(body.message);
  const idempotency = await readIdempotency(request, bytes, context.limits);
  const { agent, tools, messages } = body;
  const info = findAgent(exchange, agent.name)?.info;
  if (info === undefined) {
    throw new RequestError(
      400,
      'unknown_agent',
      `agent.name: there is no agent ${JSON.stringify(shorten(agent.name))}`,
    );
  }
  check(body, info, context.limits);
  const sessionId = await sessions.create(access, idempotency, async () => {
    const options = await sealOptions(info, agent.options, { vault: context.vault });
    return {
      type: 'created',
      time: context.today().toISOString(),
      agent: {
        name: agent.name,
        ...(agent.tools !== undefined && { tools: agent.tools }),
        ...(options !== undefined && { options }),
      },
      ...(tools !== undefined && { tools }),
      ...(messages !== undefined && { messages }),
      ...(access.tenant !== undefined && { tenant: access.tenant }),
      ...(idempotency !== undefined && { idempotency }),
    };
  });
  const answer: PostSessionsResponse = { sessionId };
  return toJson(answer, { status: 201, headers: { location: `${basePath}/sessions/${sessionId}` } });
}

function check(
  { agent, tools = [], messages = [] }: PostSessionsRequest,
  info: AgentInfo,
  limits: AapServerLimits,
): void {
  checkSettings(info, agent);
  checkClientTools(info, tools, { limits, enabled: agent.tools });
  if (messages.length > limits.messages) {
    throw invalidRequest(`messages: expected at most ${String(limits.messages)}`);
  }
  for (const message of messages) if (message.role !== 'system') checkImages(info, message.content);
}
