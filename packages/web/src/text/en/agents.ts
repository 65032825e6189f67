/** The page of the agents. */
export const agents = {
  title: 'Agents',
};
