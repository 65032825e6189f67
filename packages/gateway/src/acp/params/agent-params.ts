import type {
  AgentParams,
  ConnectModelParams,
  ModelProviderParams,
  NewAgent,
  RouteProviderParams,
  SignInInput,
  SignInParams,
  SignInTerminalOpened,
  SignInTerminalParams,
} from '@parley/host/hub';
import { either, isObject, listOf, oneOf, optional, type Schema } from '@parley/workspace/schema';
import * as v from 'valibot';
import { boundedText, params, paramsParser, recordOf, type ParamsParser } from './params.ts';

/** Arguments of a custom agent. */
const mostArguments = 1000;

const args: Schema<string[]> = v.pipe(
  listOf(boundedText),
  v.maxLength(mostArguments, `a list of at most ${String(mostArguments)} texts`),
);
const agent = { agent: boundedText };
const method = { ...agent, methodId: boundedText };
const terminal = { terminalId: boundedText };
const provider = { provider: boundedText };

/** Reads which agent is meant. */
export const parseAgentParams: ParamsParser<AgentParams> = paramsParser(params(agent));

/** Reads how a user signs in to an agent. */
export const parseSignInParams: ParamsParser<SignInParams> = paramsParser(
  params({ ...method, values: optional(recordOf(boundedText)) }),
);

/** Reads an agent that is added. */
export const parseNewAgent: ParamsParser<NewAgent> = paramsParser(
  params({
    name: boundedText,
    command: boundedText,
    args: v.exactOptional(args, () => []),
    env: v.exactOptional(recordOf(boundedText), () => ({})),
  }),
);

/** Reads where an agent is to reach a model provider. */
export const parseRouteProviderParams: ParamsParser<RouteProviderParams> = paramsParser(
  params({
    ...agent,
    providerId: boundedText,
    route: optional(
      either([params({ apiType: boundedText, baseUrl: boundedText }), oneOf(['disabled'])], isObject),
    ),
  }),
);

/** Reads which way to sign in runs on a terminal. */
export const parseSignInTerminalParams: ParamsParser<SignInTerminalParams> = paramsParser(params(method));

/** Reads which sign-in command is meant. */
export const parseSignInTerminal: ParamsParser<SignInTerminalOpened> = paramsParser(params(terminal));

/** Reads what a user typed into a sign-in command. */
export const parseSignInInput: ParamsParser<SignInInput> = paramsParser(
  params({ ...terminal, text: boundedText }),
);

/** Reads which model provider is meant. */
export const parseModelProviderParams: ParamsParser<ModelProviderParams> = paramsParser(params(provider));

/** Reads how a model provider is connected. */
export const parseConnectModelParams: ParamsParser<ConnectModelParams> = paramsParser(
  params({
    ...provider,
    key: optional(boundedText),
    baseUrl: optional(boundedText),
    model: optional(boundedText),
  }),
);
