/** Texts of the sign-in page, by language. */
export const texts = {
  en: {
    title: 'Sign in to Parley',
    how: 'Open the URL printed by',
    howEnd: ', or enter a token.',
    token: 'Token',
    submit: 'Sign in',
    once: 'This link signs in one browser, once.',
    other:
      'Signed in on another device? Create a link there under Settings. To create a permanent token, run “parley serve tokens add NAME”.',
    faults: {
      unknown: 'Invalid or revoked token. If the server was restarted, use the URL it printed last.',
      used: 'This link has already been used, or it has expired. Each link works once. Enter a token, or create a new link in a browser that is signed in.',
      'too-often': 'Too many failed attempts. Try again in a minute.',
    },
  },
  'zh-CN': {
    title: '登录 Parley',
    how: '打开',
    howEnd: ' 输出的 URL，或输入令牌。',
    token: '令牌',
    submit: '登录',
    once: '此链接可让一个浏览器登录一次。',
    other:
      '已在其他设备上登录？请在该设备的“设置”中创建链接。要创建长期令牌，请运行“parley serve tokens add NAME”。',
    faults: {
      unknown: '令牌无效或已被撤销。如果服务器已重新启动，请使用它最后输出的 URL。',
      used: '此链接已被使用或已过期。每个链接只能使用一次。请输入令牌，或在已登录的浏览器中创建新链接。',
      'too-often': '尝试失败次数过多。请在一分钟后重试。',
    },
  },
} as const;
