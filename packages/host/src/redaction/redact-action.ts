import type {
  RequestedAction,
  RequestedCommand,
  RequestedFile,
} from '../permission/request/requested-action.ts';
import type { Redaction } from './redaction.ts';

/** Redacts the requested action of a permission request. */
export function redactAction(action: RequestedAction, hidden: Redaction): RequestedAction {
  if (!hidden.isNeeded) return action;
  const { title, command, address, blockedHost, input } = action;
  return {
    ...action,
    ...(title !== undefined && { title: hidden.text(title) }),
    ...(command !== undefined && { command: redactCommand(command, hidden) }),
    files: action.files.map((file) => redactFile(file, hidden)),
    ...(address !== undefined && { address: hidden.text(address) }),
    ...(blockedHost !== undefined && { blockedHost: hidden.text(blockedHost) }),
    ...(input !== undefined && { input: hidden.value(input) }),
    texts: action.texts.map((text) => hidden.text(text)),
  };
}

function redactCommand(command: RequestedCommand, hidden: Redaction): RequestedCommand {
  const { command: words, program, cwd, env } = command;
  return {
    ...command,
    command: typeof words === 'string' ? hidden.text(words) : words.map((word) => hidden.text(word)),
    ...(program !== undefined && { program: hidden.text(program) }),
    cwd: hidden.text(cwd),
    env: env.map(({ name, value }) => ({ name, value: hidden.text(value) })),
  };
}

function redactFile(file: RequestedFile, hidden: Redaction): RequestedFile {
  const { path, realPath, content } = file;
  if (content === undefined) {
    return {
      ...file,
      path: hidden.text(path),
      ...(realPath !== undefined && { realPath: hidden.text(realPath) }),
    };
  }
  const { newText, oldText } = content;
  return {
    ...file,
    path: hidden.text(path),
    ...(realPath !== undefined && { realPath: hidden.text(realPath) }),
    content: {
      ...content,
      newText: hidden.text(newText),
      ...(oldText !== undefined && { oldText: hidden.text(oldText) }),
    },
  };
}
