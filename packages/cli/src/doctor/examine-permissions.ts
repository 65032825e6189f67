import { access } from 'node:fs/promises';
import { answerList, scopeText } from '@parley/host';
import { WorkspaceError } from '@parley/workspace';
import type { AnswerScope } from '@parley/workspace/rule';
import { answersFile, trustFile, type Variables } from '../configuration/places.ts';
import { trustedFiles } from '../configuration/trusted-files.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** The user's remembered answers, and the files of projects that the user trusts. */
export async function examinePermissions(env: Variables): Promise<readonly Finding[]> {
  return [
    ...(await findings('answers', answersFile(env), () => examineAnswers(env))),
    ...(await findings('trust', trustFile(env), () => examineTrust(env))),
  ];
}

/** A file that cannot be read is a finding: nothing in it counts. */
async function findings(
  topic: string,
  file: string,
  examine: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return [problem(topic, error.message, `correct ${file}, or remove it`)];
  }
}

async function examineAnswers(env: Variables): Promise<readonly Finding[]> {
  const answers = await answerList(answersFile(env)).read();
  if (answers.length === 0) return [ok('answers', 'none is remembered')];
  const scopes = [...new Set(answers.map(({ scope }) => scope))].map((scope): string => {
    const count = answers.filter((answer) => answer.scope === scope).length;
    return `${String(count)} ${scopeWords(scope)}`;
  });
  return [ok('answers', `${scopes.join(', ')}; "parley permissions list" shows them`)];
}

function scopeWords(scope: AnswerScope): string {
  return scope === 'project' ? 'in a project' : scope === 'user' ? scopeText(scope) : `for a ${scope}`;
}

async function examineTrust(env: Variables): Promise<readonly Finding[]> {
  const trusted = await trustedFiles(env).read();
  if (trusted.length === 0) return [ok('trust', 'no file of a project is trusted')];
  const there = await Promise.all(trusted.map(({ file }) => isThere(file)));
  const gone = trusted.filter((_entry, index) => there[index] === false);
  return [
    ok('trust', trusted.map(({ file }) => file).join(', ')),
    ...gone.map(({ id, file }) =>
      note('trust', `${file} is trusted, but no longer exists`, `run "parley permissions revoke ${id}"`),
    ),
  ];
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
