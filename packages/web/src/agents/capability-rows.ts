import { valueAt } from '@parley/wire';

/** Whether an agent declared a capability; an undeclared one counts as missing. */
export type CapabilityState = 'yes' | 'no' | 'unreported';

/** The capabilities of ACP v1 that are known, by their path in the answer. */
export const knownCapabilities = {
  prompt: ['promptCapabilities.image', 'promptCapabilities.audio', 'promptCapabilities.embeddedContext'],
  session: [
    'loadSession',
    'sessionCapabilities.resume',
    'sessionCapabilities.list',
    'sessionCapabilities.fork',
    'sessionCapabilities.close',
    'sessionCapabilities.delete',
    'sessionCapabilities.additionalDirectories',
    'sessionCapabilities.systemPrompt',
    'sessionCapabilities.title',
    'sessionCapabilities.archive',
    'sessionCapabilities.status',
  ],
  mcp: ['mcpCapabilities.http', 'mcpCapabilities.sse', 'mcpCapabilities.acp'],
  account: ['auth.logout', 'auth.status', 'providers'],
} as const;

/** What capabilities are about. */
export type CapabilityArea = keyof typeof knownCapabilities;

/** The path of a known capability. */
export type CapabilityPath = (typeof knownCapabilities)[CapabilityArea][number];

/** A capability, and whether the agent has it. */
export interface CapabilityRow {
  readonly area: CapabilityArea;
  readonly path: CapabilityPath;
  readonly state: CapabilityState;
}

/** An unknown capability of an agent, as raw JSON. */
export interface ExtraCapability {
  readonly path: string;
  readonly json: string;
}

const areas: readonly CapabilityArea[] = ['prompt', 'session', 'mcp', 'account'];
const known: ReadonlySet<string> = new Set(areas.flatMap((area) => knownCapabilities[area]));
const groups: ReadonlySet<string> = new Set([...known].map((path) => path.split('.').slice(0, -1).join('.')));

/** One row for each known capability. */
export function toCapabilityRows(capabilities: unknown): CapabilityRow[] {
  return areas.flatMap((area) =>
    knownCapabilities[area].map((path) => ({
      area,
      path,
      state: toState(valueAt(capabilities, ...path.split('.'))),
    })),
  );
}

/** The unknown capabilities of an agent: newer ones, and extensions. */
export function toExtraCapabilities(capabilities: unknown): ExtraCapability[] {
  return extrasIn(capabilities, '');
}

function extrasIn(value: unknown, path: string): ExtraCapability[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, unknown]): ExtraCapability[] => {
    const place = path === '' ? name : `${path}.${name}`;
    if (groups.has(place)) return extrasIn(part, place);
    if (!known.has(place)) return [{ path: place, json: JSON.stringify(part) }];
    // Of what is known, only what stands beside it is new.
    return isPlain(part) ? [] : extrasIn(part, place);
  });
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function toState(value: unknown): CapabilityState {
  if (value === undefined) return 'unreported';
  return value === false || value === null ? 'no' : 'yes';
}
