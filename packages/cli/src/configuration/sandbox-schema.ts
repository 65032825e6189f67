import { sandboxChoices, type SandboxChoice, type SandboxHosts } from '@parley/host';
import { hostFault } from '@parley/workspace';
import {
  checked,
  either,
  flag,
  isObject,
  knownFields,
  listOf,
  oneOf,
  optional,
  word,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';

/** The field `sandbox` of a configuration, for all agents or for one. */
export interface SandboxFields {
  readonly mode?: SandboxChoice;
  readonly write?: readonly string[];
  readonly stateDirs?: readonly string[];
  readonly read?: 'all' | readonly string[];
  readonly hide?: readonly string[];
  readonly network?: SandboxHosts;
  readonly autoApprove?: boolean;
}

const described = <T>(schema: Schema<T>, description: string): Schema<T> =>
  v.pipe(schema, v.description(description));

const paths = listOf(
  checked(word, (path) => (path.includes('\0') ? 'must not contain a NUL character' : undefined)),
);

const host = checked(word, (text) => {
  if (text === '*') return 'must be a host; for all hosts, "network" is "on"';
  const port = /:(\d+)$/u.exec(text)?.[1];
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) {
    return 'must have a port from 1 to 65535';
  }
  return hostFault(text) === undefined
    ? undefined
    : 'must be a host, like "example.com", "example.com:8443" or "*.example.com"';
});

const mode = oneOf(sandboxChoices);

const object: Schema<SandboxFields> = knownFields(
  {
    mode: optional(described(mode, 'What the agent and everything it starts may write.')),
    write: optional(described(paths, "Folders it may write in, besides the session's.")),
    stateDirs: optional(
      described(paths, "The agent's own state folders. Without it, those that the catalogue names."),
    ),
    read: optional(
      described(
        either([paths, v.literal('all', '"all" or a list of folders')], Array.isArray),
        'The folders it may read, besides those of the system, the session and itself.',
      ),
    ),
    hide: optional(described(paths, 'Files and folders it may not read.')),
    network: optional(
      described(
        either([listOf(host), v.picklist(['off', 'on'], '"off", "on" or a list of hosts')], Array.isArray),
        'The hosts it may connect to. Without it, those that the catalogue names.',
      ),
    ),
    autoApprove: optional(
      described(
        flag,
        'Whether commands that run inside need no permission. Only your own configuration can set it to true.',
      ),
    ),
  },
  () => 'unknown field, ignored',
);

/** A mode alone, or an object. */
export const sandboxSchema: Schema<SandboxFields> = described(
  either(
    [
      object,
      v.pipe(
        mode,
        v.transform((chosen): SandboxFields => ({ mode: chosen })),
      ),
    ],
    isObject,
  ),
  'Restrictions that the operating system enforces on agents.',
);
