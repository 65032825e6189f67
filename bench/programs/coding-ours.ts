import { serveAgent } from '@parley/agent/node';
import { processTransport } from '@parley/wire/node';
import { createScriptedModel } from './scripted-parts.ts';

// Our agent as a user has it: its sessions are saved, its files confined to the session's directories.
const [, , stateDirectory = ''] = process.argv;
serveAgent({
  transport: processTransport(),
  stateDirectory,
  model: createScriptedModel(),
  limits: { maxSteps: Number.MAX_SAFE_INTEGER },
});
