/** What the page to sign in on says, by language. */
export const texts = {
  en: {
    title: 'Sign in to Parley',
    how: 'Open the address that',
    howEnd: ' printed, or enter a token.',
    token: 'Token',
    submit: 'Sign in',
    once: 'This link signs in one browser, once.',
    other:
      'In a browser that is signed in already, you can make a link for this one. “parley serve tokens add NAME” makes a token that lasts.',
    faults: {
      unknown:
        'That token is not known here. It may have been revoked, or the server was started anew and made another.',
      used: 'This link was used already, or it has expired: each works once. Enter a token, or make a new link in a browser that is signed in.',
      'too-often': 'That were too many wrong tokens. Wait a minute, then try again.',
    },
  },
  'zh-CN': {
    title: '登录 Parley',
    how: '请打开',
    howEnd: ' 输出的地址，或在此输入令牌。',
    token: '令牌',
    submit: '登录',
    once: '此链接只能让一个浏览器登录一次。',
    other:
      '你也可以在已登录的浏览器中为此设备生成登录链接，或运行“parley serve tokens add NAME”创建长期有效的令牌。',
    faults: {
      unknown: '令牌无效：它可能已被撤销，或者服务器重新启动后生成了新的令牌。',
      used: '此链接已被使用或已过期，每个链接只能登录一次。请输入令牌，或在已登录的浏览器中生成新的登录链接。',
      'too-often': '错误次数过多，请一分钟后再试。',
    },
  },
} as const;
