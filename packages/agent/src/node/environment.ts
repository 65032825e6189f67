import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Files, NamedFile, WebProxy } from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import { AgentError } from '../agent-error.ts';
import type {
  CommandOptions,
  CommandResult,
  CommandSandbox,
  Environment,
  ProtectedFile,
  UserInstructions,
} from '../environment.ts';
import { createConversationFiles } from './conversations/conversation-files.ts';
import { withoutProviderKeys } from './provider-keys.ts';
import type { Variables } from './provider/provider-settings.ts';

/** Options of the environment. */
export interface NodeEnvironmentOptions {
  /** The folder whose `agent/sessions` stores sessions. @default sessions are not stored */
  readonly stateDirectory?: string;
  /** A file with the user's instructions for the model in each session; it need not exist. @default none */
  readonly userInstructions?: string;
  /** Whether pages may be fetched from this machine and from private networks. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** The proxy through which pages are fetched; it resolves their names. @default none */
  readonly proxy?: WebProxy;
  /**
   * Finds what holds commands in the mode `workspace-write`, by the directories of their session, the working directory first; undefined
   * where nothing does. @default they are not held
   */
  readonly findCommandHolder?: (directories: readonly string[]) => Promise<CommandHolder | undefined>;
}

/** How commands of sessions are held. */
export interface CommandHolder extends Pick<CommandSandbox, 'limits' | 'autoApprove'> {
  /** Opens the sandbox of a session. */
  open(): Promise<AsyncDisposable & { readonly sandbox: Sandbox }>;
}

/** Creates the environment of this machine. `@parley/workspace` is loaded when it is first needed. */
export function createNodeEnvironment(options: NodeEnvironmentOptions = {}): Environment {
  const {
    stateDirectory,
    userInstructions,
    allowPrivateAddresses = false,
    proxy,
    findCommandHolder,
  } = options;
  return {
    openFiles: async (request) => (await import('@parley/workspace')).openFiles(request),
    runCommand: async (command) => {
      const { runCommand } = await import('@parley/workspace');
      return runCommand({ ...command, env: await variablesIn(command.cwd) });
    },
    ...(findCommandHolder !== undefined && {
      findCommandSandbox: async (directories) => {
        const holder = await findCommandHolder(directories);
        return holder === undefined ? undefined : toCommandSandbox(holder);
      },
    }),
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
      (await import('./fetch/fetch-url.ts')).fetchUrl(request, {
        allowPrivateAddresses,
        ...(proxy !== undefined && { proxy }),
      }),
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
      conversations: createConversationFiles(join(stateDirectory, 'agent', 'sessions')),
    }),
  };
}

/** The variables of a command. No project's program comes before one of the system's, regardless of `PATH`. */
async function variablesIn(cwd: string): Promise<Variables> {
  const env = withoutProviderKeys(process.env);
  const searchPath = process.env['PATH'];
  if (process.platform === 'win32' || searchPath === undefined) return env;
  const { safeSearchPath } = await import('@parley/workspace');
  return { ...env, PATH: await safeSearchPath(searchPath, [cwd]) };
}

/** A sandbox that is opened with its first command. */
function toCommandSandbox({ open, ...about }: CommandHolder): CommandSandbox {
  let opened: ReturnType<CommandHolder['open']> | undefined;
  return {
    ...about,
    runCommand: async (command) => {
      opened ??= open();
      const { sandbox } = await opened.catch((error: unknown) => {
        // The next command tries again.
        opened = undefined;
        throw new AgentError('not-held', error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      });
      return await runIn(sandbox, command);
    },
    [Symbol.asyncDispose]: async () => {
      const held = await opened?.catch(() => undefined);
      await held?.[Symbol.asyncDispose]();
    },
  };
}

async function runIn(sandbox: Sandbox, options: CommandOptions): Promise<CommandResult> {
  const { command, shell, cwd, input, ...limits } = options;
  const { runHeld } = await import('@parley/workspace/sandbox');
  const held = { command, shell, cwd, input, env: await variablesIn(cwd) };
  const { result, trouble } = await runHeld(sandbox, held, limits);
  if (trouble !== undefined) throw new AgentError('not-held', trouble);
  return result;
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
  let opened: { readonly folder: string; readonly files: Files } | undefined;
  return {
    path,
    read: async (maxBytes) => {
      const { openFiles, toWorkspaceError } = await import('@parley/workspace');
      try {
        const real = await realpath(path);
        const folder = dirname(real);
        if (opened?.folder !== folder) opened = { folder, files: await openFiles({ cwd: folder }) };
        return (await opened.files.readText(basename(real), { maxBytes })).text;
      } catch (error) {
        throw toWorkspaceError(error, 'read', path);
      }
    },
  };
}
