import type { PromptContext } from '@parley/acp';
import type { Workplace } from '../tools/tool.ts';
import { createClientFiles } from './client-files.ts';

/** Where the tools of one turn work: in the session's workplace, but through the client what it offers to do. */
export function toTurnWorkplace(workplace: Workplace, context: PromptContext): Workplace {
  return { ...workplace, files: createClientFiles(workplace, context) };
}
