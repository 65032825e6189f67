import { findEntry } from '@parley/host';
import { exitStatus } from '../exit-status.ts';
import { toCard, type CardRow } from '../output/card.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AgentReport, toAgentReport } from './agent-report.ts';
import { findKnownAgents, readVersions, type KnownAgent } from './known-agent.ts';
import { unknownAgent } from './unknown-agent.ts';

/** `parley agents show NAME`: all that is known about one agent. */
export async function showAgent(
  name: string,
  { json }: { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { agents, configuration } = await findKnownAgents(surroundings);
  const agent = agents.find((candidate) => candidate.name === name) ?? findById(agents, name);
  if (agent === undefined) {
    throw unknownAgent(
      name,
      agents.map((known) => known.name),
    );
  }
  const version = (await readVersions([agent], surroundings)).get(agent.name);
  const report = toAgentReport(agent, {
    isDefault: agent.name === configuration.defaultAgent,
    ...(version !== undefined && { version }),
  });
  surroundings.stdout.write(
    json === true ? `${JSON.stringify(report, undefined, 2)}\n` : `${describe(report).join('\n')}\n`,
  );
  return exitStatus.done;
}

function findById(agents: readonly KnownAgent[], id: string): KnownAgent | undefined {
  const entries = agents.flatMap((agent) => (agent.kind === 'catalogue' ? [agent.entry] : []));
  const entry = findEntry(entries, id);
  return agents.find((agent) => agent.kind === 'catalogue' && agent.entry === entry);
}

function describe(report: AgentReport): string[] {
  const { title, version, description, signIn, sandbox, quirks = [] } = report;
  const head = `${title ?? report.name}${version === undefined ? '' : ` ${version}`} (${report.name})`;
  const rows: CardRow[] = [
    ['state', report.state + (report.isDefault ? ', default agent' : '')],
    ...startRows(report),
    ...textRow('id', report.id),
    ...textRow('website', report.website),
    ...textRow('license', report.license),
    ...textRow('sign in', signIn?.hint),
    ...textRow('writes', sandbox?.stateDirs.join(', ')),
    ...textRow('hosts', sandbox?.hosts.join(', ')),
    ...quirks.map((quirk): CardRow => ['note', quirk]),
  ];
  return [
    toPlainLine(head),
    ...(description === undefined ? [] : [toPlainLine(description)]),
    '',
    ...toCard(rows.map(([label, text]) => [label, toPlainLine(text, 400)])),
  ];
}

function startRows(report: AgentReport): CardRow[] {
  const variables = report.variables ?? [];
  const headers = report.headers ?? [];
  const values = new Map(Object.entries(report.publicVariables ?? {}));
  const toShown = (name: string): string => {
    const value = values.get(name);
    return value === undefined ? name : `${name}=${value}`;
  };
  const words = [report.command ?? '', ...(report.args ?? [])].join(' ');
  return [
    ...(report.command === undefined ? [] : textRow('starts', words)),
    ...textRow('reached at', report.url),
    ...textRow(
      'starts',
      report.package === undefined
        ? undefined
        : [report.runner ?? '', report.package, ...(report.args ?? [])].join(' '),
    ),
    ...textRow('variables', variables.length === 0 ? undefined : variables.map(toShown).join(', ')),
    ...textRow('key in', report.tokenEnv),
    ...textRow('headers', headers.length === 0 ? undefined : headers.join(', ')),
    ...textRow('needs', report.missing?.join(', ')),
  ];
}

function textRow(label: string, text: string | undefined): CardRow[] {
  return text === undefined ? [] : [[label, text]];
}
