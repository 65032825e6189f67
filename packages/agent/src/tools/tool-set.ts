import type { Conversation } from '../conversation/conversation.ts';
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
import { taskTool } from './task.ts';
import { thinkTool } from './think.ts';
import type { Tool } from './tool.ts';

/** The tools of a session in its present mode. Sub-agents start none of their own. */
export function offerTools({ mode, servers, parent }: Conversation): readonly Tool[] {
  switch (parent?.kind) {
    case 'explore':
      return [...readingTools, ...generalTools, ...servers.tools().filter(({ isReadOnly }) => isReadOnly)];
    case 'work':
      return [...readingTools, ...workingTools, ...generalTools, ...servers.tools()];
    case undefined:
      return [
        ...readingTools,
        ...workingTools,
        ...generalTools,
        taskTool,
        ...(mode === 'plan' ? [submitPlanTool] : []),
        ...servers.tools(),
      ];
  }
}

const readingTools: readonly Tool[] = [readTool, listTool, globTool, searchTool];

const workingTools: readonly Tool[] = [
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
];

const generalTools: readonly Tool[] = [planTool, thinkTool, askTool];
