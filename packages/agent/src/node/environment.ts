import { join, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { withoutProviderKeys } from './provider-keys.ts';
import { createSessionFiles } from './sessions/session-files.ts';
import { userInstructionsAt } from './user-instructions.ts';

/** What of this machine the agent uses. */
export interface NodeEnvironmentOptions {
  /** Where sessions are kept, in `agent/sessions`. @default nowhere: they end with their connection */
  readonly stateDirectory?: string;
  /** A file with what the user tells the model in each session; it need not exist. @default none */
  readonly userInstructions?: string;
  /** Whether pages may be fetched from this machine and from private networks. @default false */
  readonly allowPrivateAddresses?: boolean;
}

/** This machine: its files and processes through `@parley/workspace`, which is loaded when it is first needed. */
export function createNodeEnvironment(options: NodeEnvironmentOptions = {}): Environment {
  const { stateDirectory, userInstructions, allowPrivateAddresses = false } = options;
  return {
    openFiles: async (request) => (await import('@parley/workspace')).openFiles(request),
    runCommand: async (command) =>
      (await import('@parley/workspace')).runCommand({ ...command, env: withoutProviderKeys(process.env) }),
    toShellCommand: (line) =>
      process.platform === 'win32'
        ? { command: 'cmd', args: ['/d', '/s', '/c', line] }
        : { command: 'sh', args: ['-c', line] },
    irreversibleReason: async (command) => (await import('@parley/workspace')).irreversibleReason(command),
    openRules: async (cwd) => {
      const { narrowestScopes, ruleOn, ruleText } = await import('@parley/workspace');
      return {
        judge: (subject, rules) => ruleOn(subject, rules, cwd),
        narrowest: (subject) => narrowestScopes(subject, cwd),
        textOf: ruleText,
      };
    },
    fetchUrl: async (request) =>
      (await import('./fetch/fetch-url.ts')).fetchUrl(request, { allowPrivateAddresses }),
    connectMcpServer: async (server, connecting) =>
      (await import('./mcp/connect-mcp-server.ts')).connectMcpServer(server, connecting),
    toAbsolutePath: (base, path) => resolve(base, path),
    // The global: `node:crypto` would be loaded, at some cost, before the first message is read.
    createId: () => crypto.randomUUID(),
    clock: {
      sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
      breathe: () => setImmediate(),
    },
    ...(userInstructions !== undefined && { userInstructions: userInstructionsAt(userInstructions) }),
    ...(stateDirectory !== undefined && {
      sessions: createSessionFiles(join(stateDirectory, 'agent', 'sessions')),
    }),
  };
}
