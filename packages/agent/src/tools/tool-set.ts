import type { Session } from '../session/session.ts';
import { askTool } from './ask.ts';
import { deleteTool } from './change/delete.ts';
import { editTool } from './change/edit.ts';
import { moveTool } from './change/move.ts';
import { patchTool } from './change/patch.ts';
import { replaceTool } from './change/replace.ts';
import { writeTool } from './change/write.ts';
import { outputTool } from './command/output.ts';
import { runTool } from './command/run.ts';
import { stopTool } from './command/stop.ts';
import { fetchTool } from './fetch.ts';
import { globTool } from './glob.ts';
import { listTool } from './list.ts';
import { planTool } from './plan.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { submitPlanTool } from './submit-plan.ts';
import { thinkTool } from './think.ts';
import type { Tool } from './tool.ts';

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
