import { resourceNotFound } from '@parley/acp';
import { answerList } from '@parley/host';
import type { ListedAnswer } from '@parley/host/hub';
import { ruleWords, type ListPlace } from '@parley/workspace';

/** The remembered answers of all users, the newest first. */
export async function readAnswers(file: ListPlace | undefined): Promise<readonly ListedAnswer[]> {
  const answers = file === undefined ? [] : await answerList(file).read();
  return answers
    .flatMap(({ id, rule, scope, project, sessionId, time }): readonly ListedAnswer[] => {
      const { decision } = rule;
      if (decision === 'ask') return [];
      const about = ruleWords(rule).slice(`${decision} `.length);
      const { decision: _, ...scopeOfRule } = rule;
      return [
        {
          id,
          decision,
          scope,
          about,
          rule: scopeOfRule,
          ...(project !== undefined && { project }),
          ...(sessionId !== undefined && { session: sessionId }),
          time: Date.parse(time),
        },
      ];
    })
    .toReversed();
}

/**
 * Revokes a remembered answer: it stops applying at the next question.
 *
 * @throws {RpcError} -32002: unknown answer.
 */
export async function revokeAnswer(file: ListPlace | undefined, id: string): Promise<void> {
  const list = file === undefined ? undefined : answerList(file);
  const answers = (await list?.read()) ?? [];
  if (!answers.some((answer) => answer.id === id)) throw resourceNotFound(`answer ${id}`);
  await list?.change((known) => known.filter((answer) => answer.id !== id));
}
