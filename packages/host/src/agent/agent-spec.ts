import type { Transport } from '@parley/wire';
import type { SignIn } from './catalogue/catalogue-entry.ts';
import type { ServedResources } from './client-capabilities.ts';

/** How an agent is reached, and what it is started with. Everything that starts an agent starts from this. */
export interface AgentSpec {
  /** What messages, lists and event logs call it. */
  readonly name: string;
  readonly reach: AgentReach;
  /** Variables that are added to those of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** The names of those variables whose values may be shown; all others are secrets. @default none */
  readonly publicEnv?: ReadonlySet<string>;
  /** Values that are never shown, besides those of variables and headers. @default none */
  readonly secrets?: readonly string[];
  /** How one signs in, as far as that is known beside what the agent says. @default nothing is known */
  readonly signIn?: SignIn;
  /** What it is served where that is not everything. @default everything */
  readonly serves?: ServedResources;
  /** How long its start may take, when that is not what agents usually need. */
  readonly startTimeoutMs?: number;
}

/** Where an agent is. */
export type AgentReach =
  | {
      /** A process on this machine. */
      readonly by: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      /** The package that the command fetches first, unless it is there already. */
      readonly fetches?: string;
    }
  | {
      /** A server: `https:` or `http:` for streamable HTTP, `wss:` or `ws:` for a WebSocket. */
      readonly by: 'url';
      readonly url: string;
      /** What each request carries. Their values are secrets. @default nothing */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** In this process, as our own agent is. */
      readonly by: 'transport';
      connect(start: AgentStart): Transport | Promise<Transport>;
    };

/** What an agent in this process is started with. */
export interface AgentStart {
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The values of an agent that are never shown, to any user. */
export function specSecrets({ reach, env = {}, publicEnv, secrets = [] }: AgentSpec): readonly string[] {
  return [
    ...secrets,
    ...Object.entries(env).flatMap(([name, value]) => (publicEnv?.has(name) === true ? [] : [value])),
    ...Object.values(headersOf(reach)),
  ];
}

/** What an agent is started with, by name: its variables, and for a remote one the headers of each request. */
export function specVariables({ reach, env = {} }: AgentSpec): Readonly<Record<string, string>> {
  return { ...env, ...headersOf(reach) };
}

/** The headers, and what follows the scheme in each, by the header's name: `Bearer x` holds `x`. */
function headersOf(reach: AgentReach): Readonly<Record<string, string>> {
  if (reach.by !== 'url') return {};
  const { headers = {} } = reach;
  const credentials = Object.entries(headers).flatMap(([name, value]) => {
    const found = /^\S+\s+(\S.*)$/su.exec(value)?.[1];
    return found === undefined ? [] : [[`${name} credentials`, found] as const];
  });
  return { ...headers, ...Object.fromEntries(credentials) };
}
