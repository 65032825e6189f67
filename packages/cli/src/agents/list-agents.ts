import { exitStatus } from '../exit-status.ts';
import { toColumns } from '../output/columns.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AgentReport, toAgentReport } from './agent-report.ts';
import { findKnownAgents, readVersions } from './known-agent.ts';

/** `parley agents list`: which agents can be named, and whether they are here. */
export async function listAgents(
  { json }: { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { agents, configuration } = await findKnownAgents(surroundings);
  const versions = await readVersions(agents, surroundings);
  const reports = agents.map((agent) => {
    const version = versions.get(agent.name);
    return toAgentReport(agent, {
      isDefault: agent.name === configuration.defaultAgent,
      ...(version !== undefined && { version }),
    });
  });
  const { stdout, env } = surroundings;
  if (json === true) {
    stdout.write(`${JSON.stringify({ agents: reports }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const style = createStyle(stdout.isTTY === true, env);
  const [head = '', ...lines] = toColumns([
    ['NAME', 'VERSION', 'STATE', 'HOW'],
    ...reports.map((report) => [
      report.isDefault ? `${report.name} *` : report.name,
      report.version ?? '-',
      report.state,
      toPlainLine(howToStart(report)),
    ]),
  ]);
  stdout.write(`${[style.bold(head), ...lines].join('\n')}\n`);
  stdout.write(style.dim('\n* default agent. "parley agents show NAME" shows details.\n'));
  return exitStatus.done;
}

/** How an agent is started, in a few words. */
function howToStart(report: AgentReport): string {
  switch (report.state) {
    case 'built-in':
      return 'runs inside parley';
    case 'configured':
      return report.url ?? [report.command ?? '', ...(report.args ?? [])].join(' ');
    case 'installed':
      return report.command ?? '';
    case 'available':
      return `${report.runner ?? ''} ${report.package ?? ''}`;
    case 'absent':
      return report.missing === undefined
        ? (report.website ?? '').replace(/^https:\/\//u, '')
        : `needs ${report.missing.join(', ')} on PATH`;
  }
}
