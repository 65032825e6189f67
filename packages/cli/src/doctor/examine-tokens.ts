import path from 'node:path';
import { tokenFile } from '@parley/gateway';
import { stateList, WorkspaceError } from '@parley/workspace';
import { servedFolder, tokensFile, type Variables } from '../configuration/places.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** The named tokens of `parley serve`, and the files that decide who may sign in. */
export async function examineTokens(env: Variables): Promise<readonly Finding[]> {
  return [
    ...(await findings('tokens', () => examineNamed(tokensFile(env)))),
    ...(await findings('browsers', () => examineBrowsers(path.join(servedFolder(env), 'browsers.json')))),
  ];
}

/** A file that cannot be used is a finding: a link, one of another user, one that others can read, or a damaged one. */
async function findings(
  topic: string,
  examine: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const advice =
      error.code === 'insecure'
        ? 'find out who changed it; remove it, and make new tokens with "parley serve tokens add"'
        : 'correct the file, or remove it';
    return [problem(topic, error.message, advice)];
  }
}

async function examineNamed(file: string): Promise<readonly Finding[]> {
  const tokens = await tokenFile(file).list();
  const lasting = tokens.filter(({ scope, expiresAt }) => scope === 'admin' && expiresAt === undefined);
  const known = tokens.map(({ name, scope, expiresAt }) =>
    expiresAt === undefined ? `${name} (${scope})` : `${name} (${scope}, until ${expiresAt.slice(0, 10)})`,
  );
  return [
    ok('tokens', known.length === 0 ? 'no named tokens' : known.join(', ')),
    ...lasting.map(({ name }) =>
      note(
        'tokens',
        `${name} has full access and never expires`,
        `run "parley serve tokens revoke ${name}", and add it again with --expires 30d, or with a narrower --scope`,
      ),
    ),
  ];
}

async function examineBrowsers(file: string): Promise<readonly Finding[]> {
  await stateList(file, (entry) => entry, { isPrivate: true }).read();
  return [];
}
