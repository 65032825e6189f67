import { exitStatus } from '../exit-status.ts';
import { toCard, type CardRow } from '../output/card.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import { examineAgents } from './examine-agents.ts';
import { examineAudit } from './examine-audit.ts';
import { examineConfiguration } from './examine-configuration.ts';
import { examineMachine } from './examine-machine.ts';
import { examinePermissions } from './examine-permissions.ts';
import { examineProviders } from './examine-providers.ts';
import { examineRules } from './examine-rules.ts';
import { examineSafety } from './examine-safety.ts';
import { examineSandbox } from './examine-sandbox.ts';
import { examineStore } from './examine-store.ts';
import { examineToken } from './examine-token.ts';
import { examineTokens } from './examine-tokens.ts';
import { examineWorktrees } from './examine-worktrees.ts';
import type { Finding } from './finding.ts';

/** `parley doctor`: what is installed, configured and wrong. Gives 1 when something is wrong. */
export async function doctor(
  { json }: { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { cwd, env, stdout } = surroundings;
  const findings = [
    ...(await examineMachine(cwd, env)),
    ...(await examineSafety(cwd, env)),
    await examineSandbox(cwd, env),
    ...(await examineConfiguration(cwd, env)),
    ...(await examinePermissions(env)),
    ...(await examineRules(cwd, env)),
    await examineAudit(env),
    ...(await examineAgents(surroundings)),
    ...(await examineProviders(cwd, env)),
    ...(await examineWorktrees(env)),
    ...(await examineStore(surroundings)),
    ...(await examineTokens(env)),
    ...examineToken(env),
  ];
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (json === true) {
    stdout.write(`${JSON.stringify({ ok: problems === 0, findings }, undefined, 2)}\n`);
  } else {
    const style = createStyle(stdout.isTTY === true, env);
    const summary =
      problems === 0
        ? 'Nothing is wrong.'
        : `${String(problems)} ${problems === 1 ? 'problem' : 'problems'}.`;
    stdout.write(
      `${toCard(findings.flatMap(toRows), stdout.columns).join('\n')}\n\n${style.bold(summary)}\n`,
    );
  }
  return problems === 0 ? exitStatus.done : exitStatus.failed;
}

function toRows({ level, topic, message, advice }: Finding): CardRow[] {
  return [
    [`${level.padEnd(7)}  ${toPlainLine(topic, 40)}`, toPlainLine(message, 1000)],
    ...(advice === undefined ? [] : [['', `To do: ${toPlainLine(advice, 400)}`] as const]),
  ];
}
