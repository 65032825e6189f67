import type { AgentInfo, AgentOption } from '@parley/aap';
import type { AgentCapabilities, Implementation } from '@parley/acp';
import type { Settings } from '@parley/host';
import { toolKinds } from '../tool-kinds.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { workspaceOption } from './launch-plan.ts';
import { toAgentOptions } from './option-values.ts';

/** What a probe of an agent found. */
export interface AgentFindings {
  readonly info?: Implementation;
  readonly capabilities: AgentCapabilities;
  readonly settings: Settings;
}

/** The version of an agent that reports none, or a meaningless one. */
const noVersion = '0.0.0';

/** The description of an agent for applications; without findings, it only contains what the configuration says. */
export function toAgentInfo(bridge: BridgeOptions, findings?: AgentFindings): AgentInfo {
  const { spec, description, toolEndpoints } = bridge;
  const title = bridge.title ?? findings?.info?.title ?? findings?.info?.name;
  const takesImages = findings?.capabilities.promptCapabilities?.image === true;
  return {
    name: spec.name,
    ...(title !== undefined && { title }),
    version: toVersion(findings?.info?.version),
    ...(description !== undefined && { description }),
    tools: toolKinds,
    options: toOptions(bridge, findings),
    capabilities: {
      history: { full: {} },
      stream: { delta: {}, message: {}, none: {} },
      ...(toolEndpoints !== undefined && { application: { tools: {} } }),
      ...(takesImages && { image: { data: {} } }),
    },
  };
}

function toOptions(bridge: BridgeOptions, findings: AgentFindings | undefined): readonly AgentOption[] {
  const { workspaces, options = [], askMode } = bridge;
  const [first] = workspaces;
  const configured = options.map(
    // Applications need not know a configured secret for it to be used.
    ({ env: _env, ...option }): AgentOption =>
      option.type === 'secret' ? { ...option, default: '' } : option,
  );
  const workspace: readonly AgentOption[] =
    first === undefined || workspaces.length < 2
      ? []
      : [{ type: 'select', name: workspaceOption, title: 'Directory', options: workspaces, default: first }];
  const offered = findings === undefined ? [] : toAgentOptions(findings.settings, askMode);
  // The configuration comes first: an agent cannot take away the name of an option that is a secret.
  const known = new Set([...configured, ...workspace].map((option) => option.name));
  return [...configured, ...workspace, ...offered.filter((option) => !known.has(option.name))];
}

function toVersion(version = noVersion): string {
  return /^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?(?:\+[\dA-Za-z.-]+)?$/.test(version) ? version : noVersion;
}
