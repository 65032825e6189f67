import { summaryHead } from '../../compaction/compact-messages.ts';
import { firstCharacters } from '../../first-characters.ts';
import type { ModelMessage, ModelPart, SummaryRequest } from '../model.ts';

const lastPrompts = 20;
const promptChars = 200;
const earlierChars = 4000;

/** What the offline model has of a conversation: what it was asked, and which calls it made. */
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
      'By the offline model, which understands nothing: the prompts, and how often each tool was called.',
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
