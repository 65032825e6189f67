import { summaryHead } from '../../compaction/compact-messages.ts';
import { firstCharacters } from '../../first-characters.ts';
import type { ModelMessage, ModelPart, SummaryRequest } from '../model.ts';

const lastPrompts = 20;
/** Characters of a prompt in a summary of the offline model. */
const promptChars = 200;
/** Characters of an earlier summary that are included in a new one. */
const earlierChars = 4000;

/** Summarizes a conversation without understanding it: lists its prompts and tool calls. */
export async function* summarize({
  messages,
  focus,
}: SummaryRequest): AsyncGenerator<ModelPart, void, undefined> {
  const asked = messages.filter((message) => message.role === 'user');
  const earlier = asked.find(isSummary);
  const prompts = asked.filter((message) => !isSummary(message));
  const shown = prompts.slice(-lastPrompts);
  yield {
    type: 'text',
    text: [
      'Written by the offline model, which is not a language model: the prompts, and how often each tool was called.',
      ...(focus === undefined ? [] : [`To be kept: ${focus}`]),
      ...(earlier === undefined
        ? []
        : [`Before: ${firstCharacters(earlier.text.slice(summaryHead.length).trim(), earlierChars)}`]),
      `${String(prompts.length)} prompts${shown.length < prompts.length ? ', the last of them' : ''}:`,
      ...shown.map((message) => `- ${firstCharacters(message.text.replace(/\s+/gu, ' '), promptChars)}`),
      ...toolLines(messages),
    ].join('\n'),
  };
}

function isSummary({ text }: { readonly text: string }): boolean {
  return text.startsWith(summaryHead);
}

function toolLines(messages: readonly ModelMessage[]): readonly string[] {
  const calls = new Map<string, { count: number; failures: number }>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const { name, isError } of message.results) {
      const { count, failures } = calls.get(name) ?? { count: 0, failures: 0 };
      calls.set(name, { count: count + 1, failures: failures + (isError ? 1 : 0) });
    }
  }
  return [...calls].map(
    ([name, { count, failures }]) => `Calls of ${name}: ${String(count)}, ${String(failures)} of them failed`,
  );
}
