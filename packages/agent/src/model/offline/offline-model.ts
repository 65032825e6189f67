import type { Clock } from '../../environment.ts';
import { firstCharacters } from '../../first-characters.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import type {
  Model,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelToolResult,
  RepeatablePart,
} from '../model.ts';
import { limitResponse } from './limit-response.ts';
import { instructionForms, parseInstruction } from './parse-instruction.ts';
import type { Instruction, SingleInstruction } from './parse-instruction.ts';
import { summarize } from './summarize.ts';

/** The embedded model `parley/offline`: not a language model, but a program that follows one instruction per line. */
export function createOfflineModel(clock: Clock): Model {
  return {
    id: 'parley/offline',
    contextSize: 1_000_000,
    notice: {
      title: 'The offline model answers',
      description:
        'parley/offline is not a language model. It follows one instruction per line; ' +
        'send "help" for the list.',
    },
    respond: (request, signal) => {
      const parts = respond(request, signal, clock);
      return request.maxTokens === undefined ? parts : limitResponse(parts, request.maxTokens);
    },
    summarize,
  };
}

async function* respond(
  { messages, tools }: ModelRequest,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<ModelPart, void, undefined> {
  yield { type: 'usage', usedTokens: estimateTokens(messages) };
  const lines = promptLines(messages);
  const answered = messages.at(-1);
  let index = 0;
  if (answered?.role === 'tool') {
    for (const result of answered.results) {
      const line = Number(result.id);
      if (result.isError) yield say(failure(lines[line] ?? result.name, result));
      index = line + 1;
    }
  }
  const images = answered?.role === 'user' ? (answered.images ?? []) : [];
  if (images.length > 0) yield say(blindness(images.length));
  const firstIndex = index;
  let hasSaidForms: boolean | undefined;
  for (; index < lines.length; index += 1) {
    signal.throwIfAborted();
    const line = lines[index] ?? '';
    const { times, instruction } = unrolled(parseInstruction(line));
    if (instruction.kind === 'unknown') {
      hasSaidForms ??= lines.slice(0, firstIndex).some(isUnknown);
      if (!hasSaidForms) yield say(forms());
      hasSaidForms = true;
      continue;
    }
    if (instruction.kind === 'sleep') {
      for (let time = 0; time < times; time += 1) await clock.sleep(instruction.ms, signal);
      continue;
    }
    const part = toPart(line, String(index), instruction, (tool) => tools.some(({ name }) => name === tool));
    if (part === undefined) continue;
    yield times === 1 ? part : { type: 'repeat', times, part };
    // Tasks on lines that follow each other are one response: they are carried out at the same time.
    if (part.type === 'tool-call' && !(part.name === 'task' && isTask(lines[index + 1]))) {
      yield { type: 'stop', reason: 'tool-calls' };
      return;
    }
  }
  yield { type: 'stop', reason: 'end' };
}

function blindness(images: number): string {
  return images === 1
    ? 'An image is attached. I cannot see it: I am the offline model.'
    : `${String(images)} images are attached. I cannot see them: I am the offline model.`;
}

/** The lines of the prompt of this turn. */
function promptLines(messages: readonly ModelMessage[]): readonly string[] {
  const prompt = messages.findLast((message) => message.role === 'user');
  return prompt === undefined ? [] : prompt.text.split(/\r\n|\n|\r/u);
}

function isTask(line = ''): boolean {
  const instruction = parseInstruction(line);
  return instruction.kind === 'call' && instruction.tool === 'task';
}

function isUnknown(line: string): boolean {
  return parseInstruction(line).kind === 'unknown';
}

function unrolled(instruction: Instruction): {
  readonly times: number;
  readonly instruction: SingleInstruction;
} {
  return instruction.kind === 'repeat' ? instruction : { times: 1, instruction };
}

function toPart(
  line: string,
  id: string,
  instruction: Exclude<SingleInstruction, { readonly kind: 'unknown' | 'sleep' }>,
  hasTool: (name: string) => boolean,
): RepeatablePart | undefined {
  switch (instruction.kind) {
    case 'blank':
      return undefined;
    case 'wrong':
      return say(`I cannot follow "${shorten(line)}": ${instruction.reason}.`);
    case 'say':
      return say(instruction.text);
    case 'think':
      return { type: 'thought', text: instruction.text, startsMessage: true };
    case 'plan':
      return {
        type: 'plan',
        entries: instruction.steps.map((content) => ({ content, priority: 'medium', status: 'pending' })),
      };
    case 'use':
      return hasTool(instruction.tool)
        ? { type: 'tool-call', id, name: instruction.tool, input: instruction.input }
        : say(`I cannot follow "${shorten(line)}": the tool "${instruction.tool}" is not available here.`);
    case 'call':
      // Goes through even when there is no such tool: the turn answers that.
      return { type: 'tool-call', id, name: instruction.tool, input: instruction.input };
  }
}

function say(text: string): Extract<RepeatablePart, { readonly type: 'text' }> {
  return { type: 'text', text, startsMessage: true };
}

function failure(line: string, result: ModelToolResult): string {
  // Of a command's output only the last line, which says how it ended: the rest was shown already.
  return `"${shorten(line)}" failed: ${result.text.trimEnd().split('\n').at(-1) ?? ''}`;
}

function forms(): string {
  return [
    'I am the offline model: not a language model, but a program that follows these instructions, one per line:',
    '',
    ...instructionForms.map((form) => `- \`${form}\``),
  ].join('\n');
}

function shorten(line: string): string {
  const text = line.trim();
  return text.length > 80 ? `${firstCharacters(text, 79)}…` : text;
}
