import type { Session } from '../session/session.ts';
import { askTool } from './ask.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { fetchTool } from './fetch.ts';
import { globTool } from './glob.ts';
import { listTool } from './list.ts';
import { moveTool } from './move.ts';
import { outputTool } from './output.ts';
import { patchTool } from './patch.ts';
import { planTool } from './plan.ts';
import { readTool } from './read.ts';
import { replaceTool } from './replace.ts';
import { runTool } from './run.ts';
import { searchTool } from './search.ts';
import { stopTool } from './stop.ts';
import { submitPlanTool } from './submit-plan.ts';
import { thinkTool } from './think.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

/** The tools of a session in its present mode. */
export function offerTools({ mode, servers }: Session): readonly Tool[] {
  const planning = mode === 'plan' ? [submitPlanTool] : [];
  return [...builtInTools, ...planning, ...servers.tools()];
}

const builtInTools: readonly Tool[] = [
  readTool,
  listTool,
  globTool,
  searchTool,
  writeTool,
  replaceTool,
  editTool,
  patchTool,
  deleteTool,
  moveTool,
  runTool,
  outputTool,
  stopTool,
  fetchTool,
  planTool,
  thinkTool,
  askTool,
];
