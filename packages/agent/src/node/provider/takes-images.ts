/**
 * Whether a model accepts images, by its name, because providers do not report it. Unknown models do not: a model
 * without support rejects a conversation with images in every later turn.
 */
export function takesImages(model: string): boolean {
  return !blind.test(model) && seeing.test(model);
}

const seeing =
  /claude|gemini|gemma-?3|gpt-4o|gpt-4\.[15]|gpt-4-turbo|gpt-[5-9]|chatgpt|\bo[134]\b|grok-[4-9]|llama-?4|pixtral|mistral-(?:small-3\.[1-9]|medium-3|large-3)|llava|moondream|minicpm-v|internvl|glm-4(?:\.\d)?v|vision|multimodal|omni|\bvl\b|vl[:-]|-vl/iu;

const blind = /claude-(?:1|2|instant)|gpt-3|gpt-4-32k|\bo[13]-mini|embed|gemma-?3:(?:270m|1b)/iu;
