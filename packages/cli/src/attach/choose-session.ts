import type { HubSession } from '@parley/host/hub';
import { CliError } from '../cli-error.ts';
import { toPlainLine } from '../output/plain.ts';
import { shortId } from '../sessions/find-session.ts';

/** The session of the hub whose id begins like this. @throws {CliError} `usage`: there is none, or several. */
export function sessionByBeginning(beginning: string, sessions: readonly HubSession[]): HubSession {
  const matching =
    beginning === ''
      ? []
      : sessions.filter(({ key }) => key.startsWith(beginning) || tailOf(key).startsWith(beginning));
  const only = matching.find(({ key }) => key === beginning || tailOf(key) === beginning);
  if (only !== undefined) return only;
  const [first] = matching;
  if (first === undefined) {
    throw new CliError(
      'usage',
      sessions.length === 0
        ? `the hub has no session "${beginning}", and no other sessions; --new starts one`
        : `the hub has no session "${beginning}"; it has ${listed(sessions)}`,
    );
  }
  if (matching.length > 1) {
    throw new CliError(
      'usage',
      `"${beginning}" matches ${String(matching.length)} sessions: ${listed(matching)}; enter more characters`,
    );
  }
  return first;
}

/** The only session of the hub. @throws {CliError} `usage`: there is none, or several. */
export function onlySession(sessions: readonly HubSession[]): HubSession {
  const own = sessions.filter(({ parent }) => parent === undefined);
  const [only] = own;
  if (only === undefined) throw new CliError('usage', 'the hub has no session; --new starts one');
  if (own.length > 1) {
    throw new CliError('usage', `which SESSION? The hub has ${listed(own)}`);
  }
  return only;
}

/** A session as a line of a list. */
export function sessionLine({ key, agent, cwd, title = '', state }: HubSession): string {
  return toPlainLine(`${shortId(key)}  ${state}  ${agent}  ${cwd}  ${title}`.trimEnd(), 200);
}

/** As many as fit a message. */
function listed(sessions: readonly HubSession[]): string {
  const some = sessions.slice(0, mostListed).map(({ key }) => key);
  return `${some.join(', ')}${sessions.length > some.length ? ', …' : ''}`;
}

/** Sessions in the list to choose from. */
const mostListed = 20;

/** A key is a time and a random number. */
function tailOf(key: string): string {
  return key.slice(key.lastIndexOf('-') + 1);
}
