/** Providers whose key has this form of name, whether or not one was chosen. */
const knownProviders: ReadonlySet<string> = new Set(
  (
    'OPENAI AZURE_OPENAI ANTHROPIC GEMINI GOOGLE GOOGLE_GENERATIVE_AI DEEPSEEK MISTRAL GROQ XAI OPENROUTER TOGETHER ' +
    'FIREWORKS COHERE PERPLEXITY CEREBRAS DASHSCOPE QWEN MOONSHOT KIMI ZHIPU ZAI MINIMAX OLLAMA VLLM LMSTUDIO LLM'
  ).split(' '),
);

/**
 * Removes the keys of model providers from the environment of a child process: those of well-known providers, of
 * `LLM_PROVIDER`, and of each that has a base URL or model too.
 */
export function withoutProviderKeys(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, undefined>> {
  const chosen = variables['LLM_PROVIDER']?.trim().toUpperCase();
  const hidden: Record<string, undefined> = {};
  for (const name of Object.keys(variables)) {
    const prefix = /^(.+)_(?:API_KEY|AUTH_TOKEN)$/iu.exec(name)?.[1];
    if (prefix === undefined) continue;
    const isProvider =
      knownProviders.has(prefix.toUpperCase()) ||
      prefix.toUpperCase() === chosen ||
      `${prefix}_BASE_URL` in variables ||
      `${prefix}_MODEL` in variables;
    if (isProvider) hidden[name] = undefined;
  }
  return hidden;
}
