import { projectRoot, type StoredAnswerRule, type StoredAnswer } from '@parley/host';
import { stateFolder, type Variables } from '../configuration/places.ts';

/** The remembered answers that would count in any session in this folder. */
export async function rememberedAnswers(
  answers: readonly StoredAnswer[],
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<readonly StoredAnswerRule[]> {
  if (answers.length === 0) return [];
  const project = await projectRoot(cwd, stateFolder(env));
  return answers
    .filter(({ scope, project: where }) => scope === 'user' || (scope === 'project' && where === project))
    .map((answer) => ({ ...answer.rule, origin: 'answer', answer, isFresh: false }));
}
