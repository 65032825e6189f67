import { Invalid, parseSessionUpdate, type ToolCallUpdate } from '@parley/acp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeToolCall, withoutTag } from './merge-tool-call.ts';

/** An update as the parser gives it, with any fields of the protocol and of the agent. */
const updates: fc.Arbitrary<ToolCallUpdate> = fc
  .record(
    {
      toolCallId: fc.constant('call'),
      title: fc.oneof(fc.string(), fc.constant(null)),
      name: fc.string(),
      kind: fc.constantFrom('read', 'edit', 'other'),
      status: fc.constantFrom('pending', 'in_progress', 'completed'),
      content: fc.constantFrom([], [{ type: 'content', content: { type: 'text', text: 'x' } }]),
      locations: fc.constantFrom([], [{ path: '/a', line: 1 }]),
      rawInput: fc.constantFrom(null, 0, '', { command: 'ls' }),
      rawOutput: fc.constantFrom(null, 'text', ['a']),
      _meta: fc.constantFrom({}, { terminal_info: { terminal_id: 't' } }),
      own: fc.constantFrom(1, { deep: [1] }),
      constructor: fc.constantFrom(1),
    },
    { requiredKeys: ['toolCallId'] },
  )
  .map((fields) => {
    const update = parseSessionUpdate({ sessionUpdate: 'tool_call_update', ...fields });
    if (update instanceof Invalid || update.sessionUpdate !== 'tool_call_update') throw new Error('unlikely');
    return update;
  });

test('the fields of an update replace those of the call, and others stay', () => {
  fc.assert(
    fc.property(updates, fc.array(updates, { minLength: 1, maxLength: 4 }), (first, others) => {
      const merged = others.reduce(mergeToolCall, withoutTag(first));
      let spread = withoutTag(first);
      for (const update of others) spread = withoutTag({ ...spread, ...update });
      expect(merged).toStrictEqual(spread);
    }),
  );
});
