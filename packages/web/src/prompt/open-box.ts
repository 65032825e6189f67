import { createContext, createRef, type Context, type RefObject } from 'react';
import type { PromptEditorHandle } from './prompt-editor.tsx';

/** The box of the session that is open, for what stands outside of its page. */
export const OpenBoxContext: Context<RefObject<PromptEditorHandle | null>> =
  createContext(createRef<PromptEditorHandle>());
