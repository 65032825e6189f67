/** The box that prompts are written in, and the settings beside it. */
export const prompt = {
  title: 'Prompt',
};
