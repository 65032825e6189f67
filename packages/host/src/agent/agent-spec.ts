import type { Transport } from '@parley/wire';
import type { ProcessGroup, ProcessOptions } from '@parley/workspace';
import type { AsRoot, SignIn } from './catalogue/catalogue-entry.ts';
import type { ServedResources } from './client-capabilities.ts';
import type { ProviderRoutes } from './unstable/providers.ts';

/** How an agent is reached and started. */
export interface AgentSpec {
  /** The name in messages, lists and event logs. */
  readonly name: string;
  readonly reach: AgentReach;
  /** Variables in addition to those of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** The names of variables whose values are not secret. @default none */
  readonly publicEnv?: ReadonlySet<string>;
  /** Secret values other than those of variables and headers. @default none */
  readonly secrets?: readonly string[];
  /** How to sign in, in addition to the agent's own report. @default unknown */
  readonly signIn?: SignIn;
  /** What the agent needs to run as root. @default nothing */
  readonly asRoot?: AsRoot;
  /** Where its model providers are reached. The agent does not start if it does not accept this. @default it decides */
  readonly providers?: ProviderRoutes;
  /** The services of the client for the agent. @default all */
  readonly serves?: ServedResources;
  /** The agent's own state folders and files, writable in a sandbox; `~/` is the home folder. @default none */
  readonly stateDirs?: readonly string[];
  /** Hosts that the agent needs, in the syntax of the sandbox: `host`, `*.host` or `host:port`. @default none */
  readonly hosts?: readonly string[];
  /** Variables that are set only in a sandbox; a leading `~/` is the home folder. @default none */
  readonly sandboxEnv?: Readonly<Record<string, string>>;
  /** Time limit for its start, if it differs from the usual one. */
  readonly startTimeoutMs?: number;
}

/** How an agent is reached. */
export type AgentReach =
  | {
      /** A process on this machine. */
      readonly by: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      /** The package that the command downloads first, if it is not installed. */
      readonly fetches?: string;
      /**
       * Gives a process that was started just so, ahead of its connection; each process once. Undefined where there is
       * none: it is started then. @default there is none
       */
      readonly startedAhead?: (start: ProcessOptions) => ProcessGroup | undefined;
    }
  | {
      /** A server: `https:` or `http:` for streamable HTTP, `wss:` or `ws:` for a WebSocket. */
      readonly by: 'url';
      readonly url: string;
      /** Headers of each request. Their values are secret. @default none */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** In this process, like Parley's own agent. */
      readonly by: 'transport';
      connect(start: AgentStart): Transport | Promise<Transport>;
    };

/** The start parameters of an agent in this process. */
export interface AgentStart {
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Returns the secret values of an agent. */
export function specSecrets({
  reach,
  env = {},
  publicEnv,
  secrets = [],
  providers = {},
}: AgentSpec): readonly string[] {
  return [
    ...secrets,
    ...Object.values(providers).flatMap((route) =>
      route === 'disabled' ? [] : Object.values(withCredentials(route.headers ?? {})),
    ),
    ...Object.entries(env).flatMap(([name, value]) => (publicEnv?.has(name) === true ? [] : [value])),
    ...Object.values(headersOf(reach)),
  ];
}

/** Returns the start parameters of an agent by name: its variables, or the headers of a remote one. */
export function specVariables({ reach, env = {} }: AgentSpec): Readonly<Record<string, string>> {
  return { ...env, ...headersOf(reach) };
}

/** The values of the headers without their scheme, by header name: for `Bearer x`, `x`. */
function headersOf(reach: AgentReach): Readonly<Record<string, string>> {
  if (reach.by !== 'url') return {};
  return withCredentials(reach.headers ?? {});
}

function withCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const credentials = Object.entries(headers).flatMap(([name, value]) => {
    const found = /^\S+\s+(\S.*)$/su.exec(value)?.[1];
    return found === undefined ? [] : [[`${name} credentials`, found] as const];
  });
  return { ...headers, ...Object.fromEntries(credentials) };
}
