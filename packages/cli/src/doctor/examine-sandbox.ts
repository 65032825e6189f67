import { findSandboxEngine } from '@parley/workspace/sandbox';
import type { Configuration } from '../configuration/configuration.ts';
import type { Variables } from '../configuration/places.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { agentsWithAutoApprove, configuredChoices } from '../configuration/sandbox-settings.ts';
import { proveSandbox } from '../conversation/agent/prove-sandbox.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Whether this machine can hold agents in a sandbox: finds the engine, and has it prove itself. */
export async function examineSandbox(cwd: string, env: Variables): Promise<Finding> {
  const engine = await findSandboxEngine({ env, projects: [cwd] });
  if (engine.name === 'none') {
    const { problem: what, advice } = engine;
    return missing(what, advice === undefined ? undefined : `run ${advice}`, await isWanted(cwd, env));
  }
  const trouble = await proveSandbox(engine);
  if (trouble === undefined) {
    const holds = `${engine.name} holds agents that are started with --sandbox`;
    return ok('sandbox', `${holds}${await approvalText(cwd, env)}`);
  }
  return missing(trouble.replace(/\.$/u, ''), undefined, await isWanted(cwd, env));
}

function missing(what: string, advice: string | undefined, wanted: boolean): Finding {
  const message = `agents cannot be held: ${what}`;
  if (!wanted) return note('sandbox', message, advice);
  const refused = `${message}; the configured sandbox keeps agents from starting`;
  return problem(
    'sandbox',
    refused,
    advice ?? 'set "sandbox" to "off", or run Parley where it can hold agents',
  );
}

/** Whether the configuration wants a sandbox for some agent. */
async function isWanted(cwd: string, env: Variables): Promise<boolean> {
  const configuration = await readQuietly(cwd, env);
  return configuration !== undefined && configuredChoices(configuration).some((choice) => choice !== 'off');
}

/** Says which agents run commands inside without permission. */
async function approvalText(cwd: string, env: Variables): Promise<string> {
  const configuration = await readQuietly(cwd, env);
  const names = configuration === undefined ? [] : agentsWithAutoApprove(configuration);
  if (names.length === 0) return '';
  const agents = names.includes('') ? 'all agents' : names.join(', ');
  return `; commands inside need no permission (autoApprove) for ${agents}`;
}

/** A damaged configuration is reported elsewhere. */
async function readQuietly(cwd: string, env: Variables): Promise<Configuration | undefined> {
  return await readConfiguration({ cwd, env, warn: () => undefined }).catch(() => undefined);
}
