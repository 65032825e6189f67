// node subagent-agent.mjs SCENE: an ACP agent that starts sub-agents in its first turn, as the announcement of 20 November 2026
// describes them, or is steered. Without a scene it lists all scenes.
import { introduction, startAgent } from '../faulty-agent/agent.mjs';
import { scenes } from './scenes.mjs';

/** What the client declared. @type {object | undefined} */
let declared;

const [name] = process.argv.slice(2);
const scene = new Map(Object.entries(scenes)).get(name ?? '');
if (scene !== undefined) {
  startAgent({
    ...scene,
    on: {
      initialize: (agent, { id, params }) => {
        declared = params.clientCapabilities?.subagents;
        const agentInfo = { name: 'subagents', version: '1.0.0' };
        const meta = scene.steers === true ? { _meta: { steering: { supported: true } } } : {};
        const { agentCapabilities } = introduction;
        const sessionCapabilities = {
          ...agentCapabilities.sessionCapabilities,
          ...(scene.resumes === true && { resume: {} }),
        };
        agent.send({
          id,
          result: {
            ...introduction,
            agentInfo,
            agentCapabilities: { ...agentCapabilities, sessionCapabilities },
            ...meta,
          },
        });
      },
      ...scene.on,
    },
    // Without the capability an agent must not send any of it.
    ...(scene.turn !== undefined && {
      turn: (agent, sessionId) =>
        declared === undefined ? agent.say(sessionId, 'not declared') : scene.turn?.(agent, sessionId),
    }),
  });
} else if (name === undefined) {
  for (const [each, { what }] of Object.entries(scenes)) process.stdout.write(`${each}\t${what}\n`);
} else {
  process.stderr.write(
    `There is no scene ${JSON.stringify(name)}. Without an argument all scenes are listed.\n`,
  );
  process.exitCode = 2;
}
