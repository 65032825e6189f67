// What the agent does with its sub-agents, a scene for each rule that a client has to know.

/** @typedef {import('../faulty-agent/agent.mjs').Agent} Agent */

/** @typedef {import('../faulty-agent/agent.mjs').Fault & { readonly steers?: boolean, readonly resumes?: boolean }} Scene */

const running = { state: 'running' };
const ended = { state: 'idle', stopReason: 'end_turn' };
const cancelled = { state: 'idle', stopReason: 'cancelled' };
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** @type {(agent: Agent, parent: string, sessionId: string, fields?: object) => void} */
function announce(agent, parent, sessionId, fields = {}) {
  agent.update(parent, { sessionUpdate: 'subagent_update', sessionId, ...fields });
}

/** @type {(agent: Agent, sessionId: string) => Promise<any>} */
async function ask(agent, sessionId) {
  const toolCall = { toolCallId: 't1', title: 'Run the tests', kind: 'execute' };
  return agent.request('session/request_permission', { sessionId, toolCall, options });
}

/** Works until it is cancelled, and confirms that. @type {(agent: Agent, parent: string, sessionId: string) => void} */
function workUntilCancelled(agent, parent, sessionId) {
  announce(agent, parent, sessionId, { title: sessionId, capabilities: { cancel: {} }, state: running });
  void agent.untilCancelled(sessionId).then(() => {
    announce(agent, parent, sessionId, { capabilities: null, state: cancelled });
  });
}

/** Announces anew, after its answer, a sub-agent that was there before. @type {(agent: Agent, message: import('../faulty-agent/agent.mjs').Message) => void} */
function continueWork(agent, { id, method, params: { sessionId } }) {
  if (method === 'session/load') {
    announce(agent, sessionId, 'kid', { title: 'Old', capabilities: { cancel: {} }, state: running });
    agent.say('kid', 'said before');
  }
  const availableModes = ['ask', 'code'].map((name) => ({ id: name, name }));
  // All of it arrives in one read.
  process.stdout.cork();
  agent.send({ id, result: { modes: { currentModeId: 'ask', availableModes } } });
  agent.update(sessionId, { sessionUpdate: 'current_mode_update', currentModeId: 'code' });
  workUntilCancelled(agent, sessionId, 'kid');
  agent.say('kid', `here after ${method}`);
  agent.say(sessionId, `own after ${method}`);
  process.stdout.uncork();
}

/** Announces, changes, nests, writes to and links sub-agents. @type {(agent: Agent, sessionId: string) => void} */
function showWhole(agent, sessionId) {
  const description = 'Finds the flaky test';
  announce(agent, sessionId, 'kid', {
    title: 'Draft',
    description,
    capabilities: { cancel: {} },
    state: running,
  });
  announce(agent, sessionId, 'kid', { title: 'Worker' });
  announce(agent, 'kid', 'grandchild', { title: 'Helper', capabilities: { cancel: {} }, state: running });
  sendPrompt(agent, sessionId);
  agent.say('kid', 'The clock is wrong.');
  agent.say('grandchild', 'deep words');
}

/** The prompt of the sub-agent as a message between sessions, and a tool call that links it. @type {(agent: Agent, sessionId: string) => void} */
function sendPrompt(agent, sessionId) {
  const prompt = [{ type: 'text', text: 'Find the flaky test.' }];
  const between = { senderSessionId: sessionId, recipientSessionId: 'kid' };
  const message = { sessionUpdate: 'session_message', messageId: 'm1', ...between, content: prompt };
  agent.update(sessionId, { ...message, recipientMessageId: 'm2' });
  agent.update('kid', { ...message, messageId: 'm2', senderMessageId: 'm1' });
  agent.update(sessionId, {
    sessionUpdate: 'tool_call',
    toolCallId: 'c1',
    title: 'Delegate',
    status: 'completed',
    content: [{ type: 'session', sessionId: 'kid' }],
  });
}

/** @type {Readonly<Record<string, Scene>>} */
export const scenes = {
  whole: {
    what: 'Does all that sub-agents can, waits for a permission and a form of one, shows it again when it is loaded, and takes some steering.',
    steers: true,
    on: {
      '_session/steering': (agent, { id, params }) => {
        const [{ text }] = params.prompt;
        const late = { outcome: 'promptRequired', reason: 'noRunningTurn' };
        if (text === 'now') agent.send({ id, result: { outcome: 'injected' } });
        else if (text === 'late') agent.send({ id, result: late });
      },
      'session/load': (agent, { id, params }) => {
        showWhole(agent, params.sessionId);
        agent.send({ id, result: {} });
      },
    },
    turn: async (agent, sessionId) => {
      showWhole(agent, sessionId);
      const form = { type: 'object', properties: { test: { type: 'string' } } };
      const asked = { sessionId: 'kid', mode: 'form', message: 'Which test?', requestedSchema: form };
      const answers = [ask(agent, 'kid'), agent.request('elicitation/create', asked)];
      for (const { result, error } of await Promise.all(answers)) {
        agent.say('kid', JSON.stringify(result ?? error));
      }
      announce(agent, 'kid', 'grandchild', { capabilities: null, state: ended });
      announce(agent, sessionId, 'kid', { capabilities: null, state: ended });
    },
  },
  background: {
    what: 'A sub-agent works on behind the end of the turn, asks for a permission and becomes idle.',
    turn: (agent, sessionId) => {
      announce(agent, sessionId, 'kid', {
        title: 'Test detective',
        description: 'Finds the flaky test',
        capabilities: { cancel: {} },
        state: running,
      });
      agent.say('kid', 'The clock is wrong.');
    },
    after: async (agent, sessionId) => {
      const answer = await ask(agent, 'kid');
      agent.say('kid', JSON.stringify(answer.result ?? answer.error));
      announce(agent, sessionId, 'kid', { title: 'Test detective (done)', capabilities: null, state: ended });
    },
  },
  nested: {
    what: 'A sub-agent has one of its own; both become idle before the turn ends.',
    turn: (agent, sessionId) => {
      announce(agent, sessionId, 'kid', { title: 'Lead', state: running });
      announce(agent, 'kid', 'grandchild', { title: 'Helper', state: running });
      agent.say('grandchild', 'deep words');
      announce(agent, 'kid', 'grandchild', { state: ended });
      announce(agent, sessionId, 'kid', { state: ended });
    },
  },
  again: {
    what: 'A sub-agent becomes idle twice, with work between.',
    turn: (agent, sessionId) => {
      announce(agent, sessionId, 'kid', { title: 'Worker', state: running });
      announce(agent, sessionId, 'kid', { state: ended });
      announce(agent, sessionId, 'kid', { state: running });
      announce(agent, sessionId, 'kid', { state: { ...ended, usage: null } });
    },
  },
  messages: {
    what: 'The prompt and the answer of a sub-agent are messages between sessions, and a tool call links it.',
    turn: (agent, sessionId) => {
      announce(agent, sessionId, 'kid', { title: 'Worker', state: running });
      sendPrompt(agent, sessionId);
      agent.update(sessionId, {
        sessionUpdate: 'session_message',
        messageId: 'm3',
        senderSessionId: 'kid',
        recipientSessionId: sessionId,
      });
      agent.update(sessionId, {
        sessionUpdate: 'session_message_chunk',
        messageId: 'm3',
        content: { type: 'text', text: 'It is the clock.' },
      });
      announce(agent, sessionId, 'kid', { state: ended });
    },
  },
  states: {
    what: 'Sub-agents whose states are unknown, its own and null may be cancelled, also when the turn has ended.',
    turn: (agent, sessionId) => {
      const states = { lost: { state: 'unknown' }, busy: { state: '_busy' }, unconfirmed: null };
      for (const [kid, state] of Object.entries(states)) {
        workUntilCancelled(agent, sessionId, kid);
        announce(agent, sessionId, kid, { state });
      }
    },
  },
  resume: {
    what: 'Its sub-agent still works when the session is loaded or resumed, and is announced again in one write with the answer.',
    resumes: true,
    on: { 'session/load': continueWork, 'session/resume': continueWork },
  },
  cancel: {
    what: 'Sub-agents at two depths work until they are cancelled, also when the turn has ended.',
    turn: (agent, sessionId) => {
      workUntilCancelled(agent, sessionId, 'kid');
      workUntilCancelled(agent, 'kid', 'grandchild');
    },
  },
  paced: {
    what: 'In each turn its only sub-agent says one thing, and is announced before the first.',
    on: {
      'session/prompt': (agent, { id, params: { sessionId, prompt } }) => {
        const [{ text }] = prompt;
        if (text === 'one') announce(agent, sessionId, 'kid', { title: 'Worker', state: running });
        agent.say(sessionId, text);
        agent.say('kid', `kid ${text}`);
        agent.send({ id, result: { stopReason: 'end_turn' } });
      },
    },
  },
  open: {
    what: 'Sub-agents at two depths work, and one waits for a permission.',
    turn: async (agent, sessionId) => {
      const call = { sessionUpdate: 'tool_call', toolCallId: 't0', title: 'Search', status: 'in_progress' };
      announce(agent, sessionId, 'kid', { title: 'Worker', capabilities: { cancel: {} }, state: running });
      announce(agent, 'kid', 'grandchild', { title: 'Helper', capabilities: { cancel: {} }, state: running });
      agent.update('grandchild', call);
      agent.say('kid', 'half done');
      const answer = await ask(agent, 'kid');
      agent.say('kid', JSON.stringify(answer.result ?? answer.error));
      agent.update('grandchild', { ...call, sessionUpdate: 'tool_call_update', status: 'completed' });
      announce(agent, 'kid', 'grandchild', { capabilities: null, state: ended });
      announce(agent, sessionId, 'kid', { capabilities: null, state: ended });
    },
  },
  stuck: {
    what: 'A sub-agent works for ever, and does not let itself be cancelled.',
    turn: (agent, sessionId) => announce(agent, sessionId, 'kid', { title: 'Worker', state: running }),
  },
  foreign: {
    what: 'It updates and asks in sessions that were never announced, and announces what it must not.',
    turn: async (agent, sessionId) => {
      agent.say('ghost', 'boo');
      announce(agent, sessionId, sessionId);
      announce(agent, 'ghost', 'other');
      announce(agent, sessionId, 'kid', { title: 'Worker' });
      announce(agent, 'kid', sessionId);
      const answer = await ask(agent, 'ghost');
      agent.say(sessionId, JSON.stringify(answer.error ?? answer.result));
    },
  },
  crash: {
    what: 'It ends while a sub-agent works.',
    turn: (agent, sessionId) => {
      announce(agent, sessionId, 'kid', { title: 'Worker', capabilities: { cancel: {} }, state: running });
      agent.say('kid', 'half done');
      process.exit(7);
    },
  },
  steering: {
    what: 'It takes text into a running turn; "late" comes too late, "started" begins a turn, "failed" fails, and "lost" is an error.',
    steers: true,
    on: {
      '_session/steering': (agent, { id, params }) => {
        const [{ text }] = params.prompt;
        if (text === 'lost') agent.send({ id, error: { code: -32603, message: 'it broke' } });
        else if (text === 'late') {
          agent.send({ id, result: { outcome: 'promptRequired', reason: 'noRunningTurn' } });
        } else if (text === 'started') agent.send({ id, result: { outcome: 'startedNewTurn' } });
        else if (text === 'failed') agent.send({ id, result: { outcome: 'failed' } });
        else {
          agent.say(params.sessionId, `heard ${text}`);
          agent.send({ id, result: { outcome: 'injected' } });
        }
      },
    },
  },
  crowd: {
    what: '1,000 sub-agents say a word each, and work on.',
    turn: (agent, sessionId) => {
      for (let kid = 0; kid < 1000; kid++) {
        announce(agent, sessionId, `kid-${kid}`, { title: `Worker ${kid}`, state: running });
        agent.say(`kid-${kid}`, 'x');
      }
    },
  },
};
