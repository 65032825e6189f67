import type { AgentDefect } from './change-agent.fixture.ts';
import { framingDefects } from './framing-defects.fixture.ts';
import { openingDefects } from './opening-defects.fixture.ts';
import { settingsDefects } from './settings-defects.fixture.ts';
import { storedSessionDefects } from './stored-session-defects.fixture.ts';
import { subagentDefects } from './subagent-defects.fixture.ts';
import { toolDefects } from './tool-defects.fixture.ts';
import { turnDefects } from './turn-defects.fixture.ts';

/** Seeded defects, each with the checks that notice it. */
export const agentDefects: readonly AgentDefect[] = [
  ...framingDefects,
  ...openingDefects,
  ...turnDefects,
  ...toolDefects,
  ...storedSessionDefects,
  ...settingsDefects,
  ...subagentDefects,
];
