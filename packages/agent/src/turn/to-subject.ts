import type { ToolCall } from '@parley/acp';
import type { Subject } from '@parley/workspace/rule';
import type { ProtectedFile } from '../environment.ts';
import { belowDirectory } from '../tools/argument/below-directory.ts';
import type { PreparedCall, Workplace } from '../tools/tool.ts';

/** A call as rules see it. */
export async function toSubject(
  { workplace }: { readonly workplace: Workplace },
  { name = '', kind = 'other' }: ToolCall,
  prepared: PreparedCall,
  protectedFiles: readonly ProtectedFile[],
): Promise<Subject> {
  const { action } = prepared;
  return {
    kind,
    tool: name,
    paths: await pathsOf(prepared, workplace),
    ...(action.kind === 'execute' && { command: action.command }),
    ...(action.kind === 'fetch' && { host: action.host }),
    ...(protectedFiles.length > 0 && { protected: protectedFiles.flatMap(({ paths }) => paths) }),
  };
}

/** The protected files of a call. */
export async function protectedOf(
  { workplace }: { readonly workplace: Workplace },
  prepared: PreparedCall,
): Promise<readonly ProtectedFile[]> {
  const { environment, files } = workplace;
  const { action } = prepared;
  switch (action.kind) {
    case 'read':
    case 'delete':
    case 'move':
      return environment.protectedFiles(await namedPaths(prepared, workplace), action.kind, files);
    case 'edit':
      return environment.protectedFiles(await namedPaths(prepared, workplace), 'write', files);
    case 'execute':
      return environment.protectedInCommand(action.command, files);
    case 'none':
    case 'ask-user':
    case 'switch-mode':
    case 'fetch':
    case 'mcp':
      return [];
  }
}

/** The files of a call, below the real working directory, and where links among them lead. */
async function pathsOf(prepared: PreparedCall, workplace: Workplace): Promise<readonly string[]> {
  const { cwd, files } = workplace;
  const paths = new Set<string>();
  for (const path of await namedPaths(prepared, workplace)) {
    const below = path === cwd ? '.' : belowDirectory(cwd, path);
    paths.add(workplace.environment.toAbsolutePath(files.cwd, below));
    try {
      paths.add(await files.resolve(path));
    } catch {
      // It leads out of the session's directories, or is no path: the call will say so.
    }
  }
  return [...paths];
}

async function namedPaths(prepared: PreparedCall, { cwd }: Workplace): Promise<readonly string[]> {
  switch (prepared.action.kind) {
    case 'read':
      return prepared.locations?.map(({ path }) => path) ?? [cwd];
    case 'edit':
    case 'delete':
    case 'move': {
      // Some calls know their files only once they have looked at them.
      const { locations = [] } =
        prepared.locations === undefined ? ((await prepared.preview?.()) ?? {}) : prepared;
      return locations.map(({ path }) => path);
    }
    case 'none':
    case 'ask-user':
    case 'switch-mode':
    case 'execute':
    case 'fetch':
    case 'mcp':
      return [];
  }
}
