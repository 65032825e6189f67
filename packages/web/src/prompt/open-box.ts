import { createContext, createRef, type Context, type RefObject } from 'react';
import type { PromptEditorHandle } from './prompt-editor.tsx';

/** The prompt box of the open session, for components outside of its page. */
export const OpenBoxContext: Context<RefObject<PromptEditorHandle | null>> =
  createContext(createRef<PromptEditorHandle>());
