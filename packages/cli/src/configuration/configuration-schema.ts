import { hostFault } from '@parley/workspace';
import {
  ruleDecisions,
  ruleFault,
  ruleFields,
  toolField,
  type Rule,
  type RuleField,
} from '@parley/workspace/rule';
import {
  byName,
  checked,
  either,
  flag,
  isObject,
  knownFields,
  listOf,
  oneOf,
  optional,
  text,
  word,
  type FieldsOf,
  type OptionalField,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';
import { commandOrUrl } from './command-or-url.ts';
import {
  ownAgentName,
  type AgentOption,
  type ChangesConfiguration,
  type TeamConfiguration,
} from './configuration.ts';
import { providersSchema, type ProvidersFields } from './providers-schema.ts';
import { sandboxSchema, type SandboxFields } from './sandbox-schema.ts';

/** What a configuration file has, as it is written there. */
export interface ConfigurationFields {
  readonly defaultAgent?: string;
  readonly agents?: ReadonlyMap<string, CommandFields | RemoteFields | KnownFields>;
  readonly permissions?: { readonly rules?: readonly Rule[] };
  readonly limits?: {
    readonly requestSeconds?: number;
    readonly startSeconds?: number;
    readonly openSeconds?: number;
  };
  readonly changes?: ChangesConfiguration;
  readonly sandbox?: SandboxFields;
  readonly providers?: ProvidersFields;
  readonly team?: readonly string[] | TeamConfiguration;
  readonly serve?: { readonly mcpHosts?: readonly string[] };
}

/** An agent that a command starts. */
export interface CommandFields {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: ReadonlyMap<string, string | { readonly value: string; readonly public?: boolean }>;
  readonly options?: readonly AgentOption[];
  readonly sandbox?: SandboxFields;
}

/** An agent that is known by its name, like those of the catalogue. */
export interface KnownFields {
  readonly sandbox: SandboxFields;
}

/** An agent at a URL. */
export interface RemoteFields {
  readonly url: string;
  readonly headers?: ReadonlyMap<string, string>;
  readonly tokenEnv?: string;
  readonly sandbox?: SandboxFields;
}

const described = <T>(schema: Schema<T>, description: string): Schema<T> =>
  v.pipe(schema, v.description(description));

const object = <const Entries extends v.ObjectEntries>(entries: Entries): Schema<FieldsOf<Entries>> =>
  knownFields(entries, () => 'unknown field, ignored');

const variable = either(
  [
    object({
      value: text,
      public: optional(described(flag, 'Whether the value may be shown; otherwise it is a secret.')),
    }),
    text,
  ],
  isObject,
);

const option: Schema<AgentOption> = object({
  type: described(oneOf(['text', 'secret']), 'Whether the value may be shown.'),
  name: word,
  title: optional(text),
  description: optional(text),
  env: optional(described(word, 'The variable of the process that gets the value.')),
  default: optional(described(text, 'The value until you fill in another one.')),
});

const command: Schema<CommandFields> = object({
  command: described(word, 'The program that speaks ACP on standard input and output.'),
  args: optional(listOf(text)),
  env: optional(
    described(byName(variable), 'Variables of the process. Their values are secrets unless they are public.'),
  ),
  options: optional(described(listOf(option), 'Values that the user fills in.')),
  sandbox: optional(sandboxSchema),
});

const known: Schema<KnownFields> = object({ sandbox: sandboxSchema });

const remote: Schema<RemoteFields> = checked(
  object({
    url: described(word, 'Where the agent is: wss://, ws://, https:// or http://.'),
    headers: optional(described(byName(text), 'Headers of each request. Their values are secrets.')),
    tokenEnv: optional(described(word, 'The variable that has the token for the server.')),
    sandbox: optional(sandboxSchema),
  }),
  ({ headers, tokenEnv }) =>
    tokenEnv !== undefined &&
    [...(headers?.keys() ?? [])].some((name) => name.toLowerCase() === 'authorization')
      ? 'has both "tokenEnv" and a header "Authorization"; one is expected'
      : undefined,
);

const agentName = checked(text, (name) => (name === '' ? 'an agent needs a name' : undefined));

/** An agent that is named only to say how it is held has neither a command nor a URL. */
const agent: Schema<CommandFields | RemoteFields | KnownFields> = either(
  [known, commandOrUrl(command, remote)],
  (value) =>
    isObject(value) &&
    Object.hasOwn(value, 'sandbox') &&
    !Object.hasOwn(value, 'command') &&
    !Object.hasOwn(value, 'url'),
);

const agents = checked(byName(agent, agentName), (byNames) => {
  const own = byNames.get(ownAgentName);
  return own !== undefined && ('command' in own || 'url' in own)
    ? { field: ownAgentName, reason: `"${ownAgentName}" is the name of Parley's built-in agent` }
    : undefined;
});

const ruleField = (field: RuleField): OptionalField<string> =>
  optional(described(word, ruleFields[field].help));

/** The fields by which a rule says about which calls of its tool it is. */
const scope: { readonly [Field in RuleField]: OptionalField<string> } = {
  command: ruleField('command'),
  commandPrefix: ruleField('commandPrefix'),
  path: ruleField('path'),
  host: ruleField('host'),
  agent: ruleField('agent'),
  cwd: ruleField('cwd'),
  until: ruleField('until'),
};

const rule = checked<Rule>(
  knownFields(
    { tool: described(word, toolField.help), decision: oneOf(ruleDecisions), ...scope },
    ({ decision }) =>
      decision === 'allow'
        ? 'unknown field; the rule is ignored, because without this field it may allow more than intended'
        : 'unknown field, ignored',
  ),
  ruleFault,
);

/** A list of rules. */
export const rulesSchema: Schema<Rule[]> = listOf(rule);

const seconds = v.pipe(v.number('a number of seconds above 0'), v.gtValue(0, 'must be above 0'));

const bytes = v.pipe(
  v.number('a whole number of bytes above 0'),
  v.safeInteger('must be a whole number of bytes'),
  v.minValue(1, 'must be above 0'),
);

const count = v.pipe(
  v.number('a whole number from 1 on'),
  v.safeInteger('must be a whole number'),
  v.minValue(1, 'must be above 0'),
);

const teamNames = listOf(word);

const team: Schema<TeamConfiguration> = object({
  agents: described(teamNames, 'Their names.'),
  maxDepth: optional(described(count, 'How deep delegates may delegate. Default 1: not at all.')),
  maxRunning: optional(described(count, 'How many work at the same time. Default 4.')),
  maxTotal: optional(described(count, 'How many a session starts in total. Default 16.')),
});

/** A configuration file. */
export const configurationSchema: Schema<ConfigurationFields> = object({
  $schema: optional(described(v.unknown(), 'Where an editor finds this schema.')),
  defaultAgent: optional(described(word, 'The default agent.')),
  agents: optional(described(agents, 'Agents, by name.')),
  permissions: optional(
    object({
      rules: optional(
        described(
          rulesSchema,
          'Of the rules that match a tool call, deny wins over ask, and ask over allow.',
        ),
      ),
    }),
  ),
  limits: optional(
    object({
      requestSeconds: optional(described(seconds, 'How long an agent may take to answer a request.')),
      startSeconds: optional(described(seconds, 'How long an agent may take to answer `initialize`.')),
      openSeconds: optional(
        described(seconds, 'How long opening a session may take. Without it, `startSeconds` applies.'),
      ),
    }),
  ),
  changes: optional(
    object({
      enabled: optional(described(flag, 'Whether checkpoints are taken.')),
      maxFileBytes: optional(described(bytes, 'Larger files are left out of checkpoints.')),
      maxBytes: optional(
        described(bytes, 'Beyond this size, the oldest checkpoints of a folder are removed.'),
      ),
    }),
  ),
  sandbox: optional(sandboxSchema),
  providers: optional(
    described(
      providersSchema,
      'Where the model providers of agents are reached, by agent and provider id: a route, or "disabled". Read from your own file only.',
    ),
  ),
  team: optional(described(either([team, teamNames], isObject), 'The agents that sessions may delegate to.')),
  serve: optional(
    object({
      mcpHosts: optional(
        described(
          listOf(checked(word, hostFault)),
          'Hosts of the MCP servers that clients of `parley serve` may use. Read from your own file only.',
        ),
      ),
    }),
  ),
});
