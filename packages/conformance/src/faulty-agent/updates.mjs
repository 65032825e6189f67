// Updates at the wrong time, too often, or in an unknown form.

/** @type {import('./agent.mjs').Faults} */
export const updates = {
  'update-before-new': {
    what: 'An update comes before its session is answered.',
    on: {
      'session/new': (agent, message) => {
        agent.say('session-1', 'early');
        agent.answer(message);
      },
    },
  },
  'flood-before-new': {
    what: '2,000 updates come before their session is answered.',
    on: {
      'session/new': (agent, message) => {
        for (let count = 0; count < 2000; count++) agent.say('session-1', 'early');
        agent.answer(message);
      },
    },
  },
  'update-after-turn': {
    what: 'An update comes behind the end of its turn.',
    after: (agent, sessionId) => agent.say(sessionId, 'late'),
  },
  'update-of-unknown-session': {
    what: 'An update names a session that was never opened.',
    turn: (agent) => agent.say('ghost', 'boo'),
  },
  'unknown-update': {
    what: 'An update is of an unknown kind.',
    turn: (agent, sessionId) => agent.update(sessionId, { sessionUpdate: 'weather_update', degrees: 20 }),
  },
  'unknown-content': {
    what: 'A message chunk is of an unknown type.',
    turn: (agent, sessionId) =>
      agent.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'smell' } }),
  },
  'update-without-content': {
    what: 'A message chunk has no content.',
    turn: (agent, sessionId) => agent.update(sessionId, { sessionUpdate: 'agent_message_chunk' }),
  },
  'update-without-kind': {
    what: 'An update does not say of which kind it is.',
    turn: (agent, sessionId) => agent.update(sessionId, { content: { type: 'text', text: 'x' } }),
  },
  'mode-by-another-name': {
    what: 'A mode is reported in a field of another name.',
    turn: (agent, sessionId) =>
      agent.update(sessionId, { sessionUpdate: 'current_mode_update', modeId: 'code' }),
  },
  'unknown-tool-call': {
    what: 'A tool call that was never announced is updated, with an unknown kind and status.',
    turn: (agent, sessionId) =>
      agent.update(sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'ghost',
        kind: 'dance',
        status: 'tired',
      }),
  },
  'open-tool-call': {
    what: 'A turn ends with a tool call that has not.',
    turn: (agent, sessionId) =>
      agent.update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Never done' }),
  },
  'flood-of-updates': {
    what: 'It sends 20,000 updates without a pause.',
    turn: (agent, sessionId) => {
      for (let count = 0; count < 20_000; count++) agent.say(sessionId, `${count}`);
    },
  },
  'unknown-notification': {
    what: 'It sends unknown notifications.',
    turn: (agent) => {
      agent.send({ method: '$/ping', params: {} });
      agent.send({ method: '_vendor/ping', params: [1] });
      agent.send({ method: 'session/prompt', params: {} });
    },
  },
};
