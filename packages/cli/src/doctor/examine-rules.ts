import { answerList } from '@parley/host';
import { coversOnlyItsWords, ruleText, WorkspaceError, type Rule } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { answersFile, type Variables } from '../configuration/places.ts';
import { readUserFile, readProjectFile } from '../configuration/read-configuration.ts';
import { type Finding, note } from './finding.ts';

/** Rules that allow less than they seem to. */
export async function examineRules(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const found = await Promise.all([
    readable(async () => (await readUserFile(env))?.rules),
    readable(async () => (await readProjectFile(cwd, env))?.rules),
    readable(async () => (await answerList(answersFile(env)).read()).map(({ rule }) => rule)),
  ]);
  const narrow = new Map(
    found
      .flat()
      .filter(isNarrow)
      .map((rule) => [ruleText(rule), rule]),
  );
  return [...narrow].map(([text, { commandPrefix = '' }]) =>
    note(
      'rules',
      `${text} covers only "${commandPrefix}" without further words: Parley does not know which words of that program are harmless`,
      'write a rule with the whole "command" for each line that should be allowed',
    ),
  );
}

/** What is wrong with a file is a finding of its own. */
async function readable(read: () => Promise<readonly Rule[] | undefined>): Promise<readonly Rule[]> {
  try {
    return (await read()) ?? [];
  } catch (error) {
    if (error instanceof CliError || error instanceof WorkspaceError) return [];
    throw error;
  }
}

function isNarrow({ decision, command, commandPrefix }: Rule): boolean {
  return (
    decision === 'allow' &&
    command === undefined &&
    commandPrefix !== undefined &&
    coversOnlyItsWords(commandPrefix)
  );
}
