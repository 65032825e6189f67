/** The guides of the site, in the order of its sidebar. */
export const guides = [
  {
    text: 'Get started',
    items: [
      { text: 'Start', link: '/' },
      { text: 'The web interface', link: '/web' },
      { text: 'The command line', link: '/packages/cli' },
      { text: 'Tested agents', link: '/agents' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'What agents change', link: '/changes' },
      { text: 'Worktrees and races', link: '/worktrees' },
      { text: 'Delegation', link: '/delegation' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'parley serve', link: '/serve' },
      { text: 'Several machines', link: '/scale' },
      { text: 'parley attach', link: '/attach' },
      { text: 'Agents over HTTP', link: '/aap' },
      { text: 'Remote agents', link: '/remote' },
      { text: 'parley agent', link: '/agent' },
      { text: 'Recordings', link: '/recordings' },
      { text: 'Check an agent', link: '/check' },
    ],
  },
  {
    text: 'Operation',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'Limits', link: '/limits' },
      { text: 'All limits', link: '/all-limits' },
      { text: 'Performance', link: '/performance' },
      { text: 'Forty complaints', link: '/complaints' },
    ],
  },
  {
    text: 'Project',
    items: [
      { text: 'API reference', link: '/reference/' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Contributing', link: '/contributing' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];
