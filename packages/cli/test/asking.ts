const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
/** The script of an agent that asks for permission in each turn, for {@link scripted}. */
export const asking = {
  prompt: [
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'Do it',
        kind: 'execute',
        status: 'pending',
      },
    },
    { ask: { method: 'session/request_permission', params: { toolCall: { toolCallId: 't' }, options } } },
  ],
};
