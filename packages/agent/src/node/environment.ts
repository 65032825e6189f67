import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { NamedFile } from '@parley/workspace';
import type {
  CommandOptions,
  CommandResult,
  Environment,
  ProtectedFile,
  UserInstructions,
} from '../environment.ts';
import { withoutProviderKeys } from './provider-keys.ts';
import { createSessionFiles } from './sessions/session-files.ts';

/** What of this machine the agent uses. */
export interface NodeEnvironmentOptions {
  /** Where sessions are kept, in `agent/sessions`. @default nowhere: they end with their connection */
  readonly stateDirectory?: string;
  /** A file with the user's instructions for the model in each session; it need not exist. @default none */
  readonly userInstructions?: string;
  /** Whether pages may be fetched from this machine and from private networks. @default false */
  readonly allowPrivateAddresses?: boolean;
}

/** This machine: its files and processes through `@parley/workspace`, which is loaded when it is first needed. */
export function createNodeEnvironment(options: NodeEnvironmentOptions = {}): Environment {
  const { stateDirectory, userInstructions, allowPrivateAddresses = false } = options;
  return {
    openFiles: async (request) => (await import('@parley/workspace')).openFiles(request),
    runCommand: runInFolder,
    toShellCommand: (line) =>
      process.platform === 'win32'
        ? { command: 'cmd', args: ['/d', '/s', '/c', line] }
        : { command: 'sh', args: ['-c', line] },
    irreversibleReason: async (command) => (await import('@parley/workspace')).irreversibleReason(command),
    protectedFiles: async (paths, effect, files) => {
      const { lookAtFile } = await import('@parley/workspace');
      return toProtected(await Promise.all(paths.map((path) => lookAtFile(path, effect, files))));
    },
    protectedInCommand: async (command, files) => {
      const { lookAtCommandFiles } = await import('@parley/workspace');
      return toProtected(await lookAtCommandFiles(command, files.cwd, files));
    },
    openRules: async (cwd) => {
      const { narrowestScopes, ruleOn } = await import('@parley/workspace');
      return {
        judge: (subject, rules) => ruleOn(subject, rules, cwd),
        narrowest: (subject) => narrowestScopes(subject, cwd),
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

/** No project's program comes before one of the system's, regardless of `PATH`. */
async function runInFolder(command: CommandOptions): Promise<CommandResult> {
  const { runCommand, safeSearchPath } = await import('@parley/workspace');
  const env = withoutProviderKeys(process.env);
  const searchPath = process.env['PATH'];
  if (process.platform === 'win32' || searchPath === undefined) return runCommand({ ...command, env });
  return runCommand({ ...command, env: { ...env, PATH: await safeSearchPath(searchPath, [command.cwd]) } });
}

async function toProtected(files: readonly NamedFile[]): Promise<readonly ProtectedFile[]> {
  const { protectionText } = await import('@parley/workspace');
  return files.flatMap(({ path, realPath, protection }) => {
    if (protection === undefined) return [];
    return [
      { paths: realPath === undefined ? [path] : [path, realPath], reason: protectionText(protection) },
    ];
  });
}

/** A file of the user's own; it may be a link to anywhere. */
function userInstructionsAt(path: string): UserInstructions {
  return {
    path,
    read: async (maxBytes) => {
      const { openFiles, toWorkspaceError } = await import('@parley/workspace');
      try {
        const real = await realpath(path);
        const files = await openFiles({ cwd: dirname(real) });
        return (await files.readText(basename(real), { maxBytes })).text;
      } catch (error) {
        throw toWorkspaceError(error, 'read', path);
      }
    },
  };
}
