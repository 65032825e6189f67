import { Invalid } from '@parley/wire';
import type { AgentInfo, StreamMode } from '../../agent-info.ts';
import type { PostSessionTurnRequest } from '../../endpoint.ts';
import { parseStrict } from '../../schema/parse.ts';
import { checkClientTools, checkSettings } from '../config/check-settings.ts';
import { openSettings } from '../config/open-settings.ts';
import { sealOptions } from '../config/seal-options.ts';
import { RequestError } from '../request-error.ts';
import type { Run, RunSender, ServedAgent } from '../served-agent.ts';
import type { TurnInput, TurnStarted } from '../session/aap-session-record.ts';
import type { AapSession } from '../session/aap-session.ts';
import { expectSameBody, type Idempotency } from '../session/idempotency.ts';
import { acceptInput } from '../turn/accept-input.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import { answerTurn } from './answer-turn.ts';
import {
  eventStreamType,
  expectAccepted,
  expectOpen,
  findAgent,
  invalidRequest,
  jsonType,
  type Exchange,
} from './exchange.ts';
import { readIdempotency } from './idempotency.ts';
import { readJson } from './read-json.ts';

/** `POST /sessions/:id/turns`. */
export async function startTurn(exchange: Exchange, sessionId: string): Promise<Response> {
  const { context, request, access, sessions } = exchange;
  const { value, bytes } = await readJson(request, context.limits);
  const idempotency = await readIdempotency(request, bytes, context.limits);
  return sessions.use(sessionId, access, async (session) => {
    const body = parseStrict('PostSessionTurnRequest', value);
    if (body instanceof Invalid) throw invalidRequest(body.message);
    expectAccepted(exchange, (body.stream ?? 'none') === 'none' ? jsonType : eventStreamType);
    // No other request may run between the check and the turn that follows from it.
    while (session.isAccepting(idempotency)) await session.accepted();
    const known = idempotency && findTurn(session, idempotency);
    if (known !== undefined) return answerTurn(exchange, session, { turnId: known });
    expectOpen(exchange);
    const turn = await session.accept(idempotency, () => begin(exchange, session, { body, idempotency }));
    return answerTurn(exchange, session, { turnId: turn.turnId, live: turn });
  });
}

/** The turn that the same request began before. */
function findTurn(session: AapSession, idempotency: Idempotency): string | undefined {
  for (const [turnId, { idempotency: before }] of session.state.turns) {
    if (before?.key !== idempotency.key) continue;
    expectSameBody(before, idempotency);
    return turnId;
  }
  return undefined;
}

interface Accepted {
  readonly body: PostSessionTurnRequest;
  readonly idempotency: Idempotency | undefined;
}

async function begin(
  exchange: Exchange,
  session: AapSession,
  { body, idempotency }: Accepted,
): Promise<LiveTurn> {
  const { context, request } = exchange;
  const { agent, info } = expectAgent(exchange, session);
  const stream = body.stream ?? 'none';
  expectMode(info, stream);
  const tools = body.tools ?? session.state.tools;
  const enabled = body.agent?.tools ?? session.state.agent.tools;
  checkOverride(body, session, info);
  if (body.tools !== undefined || body.agent?.tools !== undefined) {
    checkClientTools(info, tools ?? [], { limits: context.limits, enabled });
  }
  const accept = (): TurnInput => acceptInput(body.messages, { state: session.state, info, enabled });
  const { kind } = accept();
  const options = await sealOptions(info, body.agent?.options, {
    vault: context.vault,
    before: session.state.agent.options,
  });
  const config = {
    agent: {
      name: session.state.agent.name,
      ...(enabled !== undefined && { tools: enabled }),
      ...(options !== undefined && { options }),
    },
    ...(tools !== undefined && { tools }),
  };
  const settings = await openSettings(config, { info, vault: context.vault });
  // A message cancels calls that wait; answered calls continue.
  if (kind === 'message') await session.stopRun('superseded', 'superseded');
  if (session.isDeleted) throw new RequestError(404, 'unknown_session', 'the session does not exist');
  const record: TurnStarted = {
    type: 'turn-start',
    turnId: context.newId(),
    time: context.today().toISOString(),
    stream,
    // Calls may have been denied meanwhile, because the time to answer was over.
    input: accept(),
    ...config,
    ...(idempotency !== undefined && { idempotency }),
  };
  const trace = readTrace(request.headers);
  const sender = toSender(exchange);
  return session.startTurn({ record, settings, agent, sender, ...(trace !== undefined && { trace }) });
}

function toSender({ access: { name }, request }: Exchange): RunSender {
  // RFC 9110, User-Agent: products with versions, the most significant first.
  const [client] = /^[^\s/]{1,100}/u.exec(request.headers.get('user-agent') ?? '') ?? [];
  return { ...(name !== undefined && { name }), ...(client !== undefined && { client }) };
}

function expectAgent(
  exchange: Exchange,
  { state }: AapSession,
): { readonly agent: ServedAgent; readonly info: AgentInfo } {
  const found = findAgent(exchange, state.agent.name);
  if (found !== undefined) return found;
  throw new RequestError(
    409,
    'agent_gone',
    `the agent ${JSON.stringify(state.agent.name)} is not served any more`,
  );
}

function expectMode({ name, capabilities }: AgentInfo, mode: StreamMode): void {
  const { stream } = capabilities ?? {};
  if (stream === undefined ? mode === 'none' : stream[mode] !== undefined) return;
  throw new RequestError(400, 'unsupported_stream_mode', `stream: ${name} has no mode ${mode}`);
}

function checkOverride({ agent }: PostSessionTurnRequest, { state }: AapSession, info: AgentInfo): void {
  if (agent === undefined) return;
  if (agent.name !== undefined && agent.name !== state.agent.name) {
    throw invalidRequest('agent.name: a session keeps its agent');
  }
  checkSettings(info, agent);
}

const traceParent = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/;

/** As W3C Trace Context says; what is not so is left out. */
function readTrace(headers: Headers): Run['trace'] | undefined {
  const traceparent = headers.get('traceparent');
  if (traceparent === null || !traceParent.test(traceparent)) return undefined;
  const tracestate = headers.get('tracestate');
  return { traceparent, ...(tracestate !== null && tracestate.length <= 512 && { tracestate }) };
}
