import { expect, test } from 'vitest';
import { policyInside } from './policy-inside.ts';

const policy = { approve: { level: 'reads', given: false }, rules: [] } as const;

test.each([
  [true, 'off', 'read-only'],
  [true, ['example.com'], 'read-only'],
  [true, 'on', undefined],
  [false, 'off', undefined],
  [undefined, 'off', undefined],
] as const)(
  'with autoApprove %j and the network %j, the policy has the sandbox %j',
  (autoApprove, network, sandboxed) => {
    const settings = {
      mode: 'read-only',
      network,
      ...(autoApprove !== undefined && { autoApprove }),
    } as const;
    expect(policyInside(policy, settings)).toEqual({
      ...policy,
      ...(sandboxed !== undefined && { sandboxed }),
    });
  },
);
