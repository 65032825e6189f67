import { expect, test } from 'vitest';
import type { MethodRule } from '../method.ts';
import { agentRules } from './agent-methods.ts';
import { clientRules } from './client-methods.ts';
import type { Gate } from './gate.ts';

const rules: [string, MethodRule][] = [...Object.entries(agentRules), ...Object.entries(clientRules)];
const gates = rules.flatMap(([name, { gate, fields = {} }]): [string, Gate][] => [
  ...(gate === undefined ? [] : [[name, gate] satisfies [string, Gate]]),
  ...Object.entries(fields).map(([field, of]): [string, Gate] => [`${name} ${field}`, of]),
]);

/** `{ a: { b: marker } }` for `a.b`. */
function declare(capability: string, marker: unknown): object {
  return capability.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), marker) as object;
}

test.each(gates)(
  '%s needs the capability that its gate names, from the side that it names',
  (_name, gate) => {
    // Elicitation as a whole is no capability: one of its modes is.
    const capability = gate.capability === 'elicitation' ? 'elicitation.form' : gate.capability;
    const nothing = { agent: {}, client: {}, authMethods: [] };
    const isOpen = (marker: unknown): boolean =>
      gate.isOpen({ ...nothing, [gate.by]: declare(capability, marker) });
    expect(gate.isOpen(nothing)).toBe(false);
    expect(isOpen({})).toBe(true);
    expect(isOpen(true)).toBe(true);
    expect(isOpen(false)).toBe(false);
    expect(isOpen(undefined)).toBe(false);
    expect(isOpen(null)).toBe(false);
  },
);
