import type { ModelMessage, ModelRequest } from '../../model/model.ts';
import type { CallOptions } from './language-model.ts';
import type { ProviderApi } from './provider-settings.ts';

type ProviderOptions = NonNullable<CallOptions['providerOptions']>;

/** How the level of thinking is sent to a model. */
export interface Thinking {
  /** The supported levels, lowest first; empty if there is no choice. */
  readonly levels: readonly string[];
  /** The options of a request; without a level, the model uses its default. */
  toOptions(request: ModelRequest): ProviderOptions;
}

/** Which model, and where it is. */
export interface ThinkingModel {
  readonly api: ProviderApi;
  readonly model: string;
  readonly baseUrl?: string;
}

/** The thinking options of a model, by its name; none for unknown models. */
export function thinkingOf({ api, model, baseUrl }: ThinkingModel): Thinking | undefined {
  switch (api) {
    case 'openai':
      return refusesToThink(model, baseUrl) ? unthinking : ofOpenai(model);
    case 'anthropic':
      return ofClaude(model);
    case 'gemini':
      return ofGemini(model);
  }
}

const openaiLevels: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?:^|\/)gpt-5(?:-mini|-nano)?(?:-\d{4}-\d\d-\d\d)?$/u, ['minimal', 'low', 'medium', 'high']],
  [/(?:^|\/)gpt-5\.1(?:-\d{4}-\d\d-\d\d)?$/u, ['none', 'low', 'medium', 'high']],
  [/(?:^|\/)(?:o1|o3|o3-mini|o4-mini)(?:-\d{4}-\d\d-\d\d)?$/u, ['low', 'medium', 'high']],
  [/(?:^|\/)gpt-oss\b/u, ['low', 'medium', 'high']],
];

function ofOpenai(model: string): Thinking | undefined {
  const levels = levelsIn(openaiLevels, model);
  if (levels === undefined) return undefined;
  return {
    levels,
    toOptions: ({ thoughtLevel }) =>
      thoughtLevel === undefined ? {} : { openaiCompatible: { reasoningEffort: thoughtLevel } },
  };
}

/** Models that OpenAI serves with tools in chat completions only if thinking is disabled. */
function refusesToThink(model: string, baseUrl: string | undefined): boolean {
  const isOwn = baseUrl === undefined || /^https:\/\/api\.openai\.com(?:\/|$)/u.test(baseUrl);
  return isOwn && /^gpt-5\.(?:[5-9]|\d\d)/u.test(model);
}

const unthinking: Thinking = {
  levels: [],
  toOptions: () => ({ openaiCompatible: { reasoningEffort: 'none' } }),
};

/** Tokens of thoughts, for the models of Anthropic that require a number. */
const claudeBudgets: Readonly<Record<string, number>> = { low: 4096, medium: 10_000, high: 16_000 };

const claudeLevels: readonly (readonly [RegExp, readonly string[]])[] = [
  [/claude-(?:sonnet-5-5|opus-5-5|fable-5)/u, ['low', 'medium', 'high', 'xhigh', 'max']],
  [/claude-(?:opus-4-[78]|sonnet-5|opus-5|haiku-5-5)/u, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/claude-(?:opus|sonnet)-4-6/u, ['none', 'low', 'medium', 'high', 'max']],
];

function ofClaude(model: string): Thinking | undefined {
  const levels = levelsIn(claudeLevels, model);
  if (levels !== undefined) return withEffort(levels);
  if (/claude-(?:3-7-sonnet|(?:sonnet|opus|haiku)-4)/u.test(model)) return withBudget;
  return undefined;
}

function withEffort(levels: readonly string[]): Thinking {
  // Without it the thoughts come, and are empty.
  const thinking = { type: 'adaptive', display: 'summarized' };
  return {
    levels,
    toOptions: ({ thoughtLevel }) => {
      if (thoughtLevel === 'none') return { anthropic: { thinking: { type: 'disabled' } } };
      if (thoughtLevel !== undefined) return { anthropic: { thinking, effort: thoughtLevel } };
      // A model that cannot stop to think.
      return levels.includes('none') ? {} : { anthropic: { thinking } };
    },
  };
}

const withBudget: Thinking = {
  levels: Object.keys(claudeBudgets),
  toOptions: ({ thoughtLevel, messages }) => {
    const budgetTokens = claudeBudgets[thoughtLevel ?? ''];
    if (budgetTokens === undefined || hasCalledUnthinking(messages)) return {};
    return { anthropic: { thinking: { type: 'enabled', budgetTokens } } };
  },
};

/** Whether the running turn contains calls without thinking, after which such a model rejects thinking. */
function hasCalledUnthinking(messages: readonly ModelMessage[]): boolean {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return turn.some(
    (message) =>
      message.role === 'assistant' && message.toolCalls.length > 0 && (message.reasoning ?? []).length === 0,
  );
}

const geminiBudgets: Readonly<Record<string, number>> = { none: 0, low: 1024, medium: 8192, high: 24_576 };

const geminiLevels: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^gemini-3-pro/u, ['low', 'high']],
  [/^gemini-3(?:\.[15])?-flash/u, ['minimal', 'low', 'medium', 'high']],
  [/^gemini-3(?:\.\d+)?-(?:pro|flash)/u, ['low', 'medium', 'high']],
  [/^gemini-2\.5-pro/u, ['low', 'medium', 'high']],
  [/^gemini-2\.5-flash/u, ['none', 'low', 'medium', 'high']],
];

function ofGemini(model: string): Thinking | undefined {
  const levels = /-(?:image|tts|live|audio)/u.test(model) ? undefined : levelsIn(geminiLevels, model);
  if (levels === undefined) return undefined;
  const hasBudget = model.startsWith('gemini-2.5');
  return {
    levels,
    toOptions: ({ thoughtLevel }) => ({
      // Without `includeThoughts` the thoughts are not sent.
      google: {
        thinkingConfig: {
          ...(thoughtLevel !== undefined && toAmount(thoughtLevel, hasBudget)),
          includeThoughts: thoughtLevel !== 'none',
        },
      },
    }),
  };
}

function toAmount(thoughtLevel: string, hasBudget: boolean): ProviderOptions[string] {
  const thinkingBudget = geminiBudgets[thoughtLevel];
  return hasBudget && thinkingBudget !== undefined ? { thinkingBudget } : { thinkingLevel: thoughtLevel };
}

function levelsIn(
  table: readonly (readonly [RegExp, readonly string[]])[],
  model: string,
): readonly string[] | undefined {
  return table.find(([name]) => name.test(model))?.[1];
}
