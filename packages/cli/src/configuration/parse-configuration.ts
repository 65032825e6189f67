import { hostFault } from '@parley/workspace';
import { readRuleFields, ruleDecisions, ruleFault, ruleFieldNames, type Rule } from '@parley/workspace/rule';
import {
  type AgentEntry,
  type AgentOption,
  type ChangesConfiguration,
  ownAgentName,
} from './configuration.ts';
import { JsonNode } from './json-node.ts';

/** What one configuration file says. */
export interface ConfigurationFile {
  readonly file: string;
  readonly defaultAgent?: string;
  readonly agents: ReadonlyMap<string, AgentEntry>;
  readonly rules: readonly Rule[];
  readonly mcpHosts?: readonly string[];
  readonly changes?: ChangesConfiguration;
  readonly requestTimeoutMs?: number;
  readonly startTimeoutMs?: number;
  readonly openTimeoutMs?: number;
  /** Fields that mean nothing here: a typing error, or of a newer version. */
  readonly warnings: readonly string[];
}

/** Reads the text of a configuration file. */
export function parseConfiguration(text: string, file: string): ConfigurationFile {
  const warnings: string[] = [];
  const known = (node: JsonNode, fields: readonly string[]): void => {
    warnings.push(...warningsOf(node, fields));
  };

  const root = JsonNode.parse(text, file);
  known(root, ['$schema', 'defaultAgent', 'agents', 'permissions', 'limits', 'serve', 'changes']);

  const agents = new Map<string, AgentEntry>();
  for (const [name, node] of root.field('agents')?.entries() ?? []) {
    if (name === '') throw node.wrong('an agent needs a name');
    if (name === ownAgentName) throw node.wrong(`"${ownAgentName}" is the name of Parley's own agent`);
    agents.set(name, toAgentEntry(node, known));
  }

  const permissions = root.field('permissions');
  if (permissions !== undefined) known(permissions, ['rules']);
  const rules =
    permissions
      ?.field('rules')
      ?.items()
      .flatMap((node) => toRule(node, warnings)) ?? [];

  const serve = root.field('serve');
  if (serve !== undefined) known(serve, ['mcpHosts']);
  const mcpHosts = serve?.field('mcpHosts')?.items().map(toHost);

  const changes = root.field('changes');
  if (changes !== undefined) known(changes, ['enabled', 'maxFileBytes', 'maxBytes']);

  const limits = root.field('limits');
  if (limits !== undefined) known(limits, ['requestSeconds', 'startSeconds', 'openSeconds']);
  const requestSeconds = limits?.field('requestSeconds')?.seconds();
  const startSeconds = limits?.field('startSeconds')?.seconds();
  const openSeconds = limits?.field('openSeconds')?.seconds();

  const defaultAgent = root.field('defaultAgent')?.word();
  return {
    file,
    agents,
    rules,
    warnings,
    ...(changes !== undefined && { changes: toChanges(changes) }),
    ...(defaultAgent !== undefined && { defaultAgent }),
    ...(mcpHosts !== undefined && { mcpHosts }),
    ...(requestSeconds !== undefined && { requestTimeoutMs: requestSeconds * 1000 }),
    ...(startSeconds !== undefined && { startTimeoutMs: startSeconds * 1000 }),
    ...(openSeconds !== undefined && { openTimeoutMs: openSeconds * 1000 }),
  };
}

/** Reads rules alone: those of a configuration, or a bare list of them. */
export function parseRules(text: string, file: string): Pick<ConfigurationFile, 'rules' | 'warnings'> {
  const root = JsonNode.parse(text, file);
  if (!Array.isArray(root.value())) {
    if (root.field('permissions')?.field('rules') !== undefined) return parseConfiguration(text, file);
    throw root.wrong('expected a list of rules, or a configuration with "permissions": {"rules": […]}');
  }
  const warnings: string[] = [];
  const rules = root.items().flatMap((node) => toRule(node, warnings));
  return { rules, warnings };
}

function warningsOf(node: JsonNode, fields: readonly string[]): readonly string[] {
  return node.unknownFields(fields).map((place) => `${place}: unknown field, ignored`);
}

type KnownFields = (node: JsonNode, fields: readonly string[]) => void;

function toAgentEntry(node: JsonNode, known: KnownFields): AgentEntry {
  const command = node.field('command');
  const url = node.field('url');
  if (command !== undefined && url !== undefined) {
    throw node.wrong('has both "command" and "url"; one is expected');
  }
  if (url !== undefined) {
    known(node, ['url', 'headers', 'tokenEnv']);
    return toRemoteAgent(node, url.word());
  }
  if (command === undefined) throw node.wrong('expected "command" or "url"');
  known(node, ['command', 'args', 'env', 'options']);
  return {
    kind: 'command',
    command: command.word(),
    args: node.field('args')?.texts() ?? [],
    ...toVariables(node.field('env'), known),
    options:
      node
        .field('options')
        ?.items()
        .map((option) => toAgentOption(option, known)) ?? [],
  };
}

/** A variable is its value, or an object that says whether that may be shown. */
function toVariables(
  node: JsonNode | undefined,
  known: KnownFields,
): { readonly env: ReadonlyMap<string, string>; readonly publicEnv?: ReadonlySet<string> } {
  const env = new Map<string, string>();
  const publicEnv = new Set<string>();
  for (const [name, variable] of node?.entries() ?? []) {
    if (variable.isObject()) {
      known(variable, ['value', 'public']);
      env.set(name, required(variable, 'value').text());
      if (variable.field('public')?.flag() === true) publicEnv.add(name);
    } else {
      env.set(name, variable.text());
    }
  }
  return { env, ...(publicEnv.size > 0 && { publicEnv }) };
}

function toRemoteAgent(node: JsonNode, url: string): AgentEntry {
  const headers = node.field('headers')?.textByName() ?? new Map<string, string>();
  const tokenEnv = node.field('tokenEnv')?.word();
  if (tokenEnv === undefined) return { kind: 'remote', url, headers };
  if (Array.from(headers.keys()).some((name) => name.toLowerCase() === 'authorization')) {
    throw node.wrong('has both "tokenEnv" and a header "Authorization"; one is expected');
  }
  return { kind: 'remote', url, headers, tokenEnv };
}

function toAgentOption(node: JsonNode, known: KnownFields): AgentOption {
  known(node, ['type', 'name', 'title', 'description', 'env', 'default']);
  const type = required(node, 'type').oneOf(['text', 'secret']);
  const name = required(node, 'name').word();
  const title = node.field('title')?.text();
  const description = node.field('description')?.text();
  const env = node.field('env')?.word();
  const value = node.field('default')?.text();
  return {
    type,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(env !== undefined && { env }),
    ...(value !== undefined && { default: value }),
  };
}

/** One rule; none where it allows something under a condition that is not known here: without that it may allow more. */
function toRule(node: JsonNode, warnings: string[]): readonly Rule[] {
  const fields = ['tool', 'decision', ...ruleFieldNames];
  const tool = required(node, 'tool').word();
  const decision = required(node, 'decision').oneOf(ruleDecisions);
  const rule = { tool, decision, ...readRuleFields((field) => node.field(field)?.word()) };
  const fault = ruleFault(rule);
  if (fault !== undefined) throw required(node, fault.field).wrong(fault.reason);
  const unknown = node.unknownFields(fields);
  if (decision !== 'allow' || unknown.length === 0) {
    warnings.push(...warningsOf(node, fields));
    return [rule];
  }
  const why = 'unknown field; the rule is ignored, for without this field it may allow more than was meant';
  warnings.push(...unknown.map((place) => `${place}: ${why}`));
  return [];
}

function toChanges(node: JsonNode): ChangesConfiguration {
  const enabled = node.field('enabled')?.flag();
  const maxFileBytes = node.field('maxFileBytes')?.bytes();
  const maxBytes = node.field('maxBytes')?.bytes();
  return {
    ...(enabled !== undefined && { enabled }),
    ...(maxFileBytes !== undefined && { maxFileBytes }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

function toHost(node: JsonNode): string {
  const host = node.word();
  const fault = hostFault(host);
  if (fault !== undefined) throw node.wrong(fault);
  return host;
}

function required(node: JsonNode, name: string): JsonNode {
  const field = node.field(name);
  if (field === undefined) throw node.wrong(`expected a field "${name}"`);
  return field;
}
