import type { Environment } from '../environment.ts';
import { rulesText } from './decide.ts';
import type { SessionPermissions } from './session-permissions.ts';

/** The machine of a session, where no redirect leads to a host that a rule denies. */
export function withRuledFetch(environment: Environment, permissions: SessionPermissions): Environment {
  const denialOf = (host: string): string | undefined => {
    const ruling = permissions.judge({ kind: 'fetch', tool: 'fetch', paths: [], host });
    if (ruling?.decision !== 'deny') return undefined;
    return `Not allowed: ${rulesText(ruling.rules)} applies`;
  };
  return { ...environment, fetchUrl: (request) => environment.fetchUrl({ ...request, denialOf }) };
}
