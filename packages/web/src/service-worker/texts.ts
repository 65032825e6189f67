/** What is shown while no page is open. */
export interface WorkerTexts {
  readonly language: string;
  readonly question: string;
  readonly finished: string;
  readonly title: string;
  readonly offline: string;
  readonly unreachable: (host: string) => string;
  readonly retry: string;
}

const english: WorkerTexts = {
  language: 'en',
  question: 'A session needs your input',
  finished: 'A turn finished',
  title: 'Parley is not reachable',
  offline: 'This device is offline. Sessions continue on the server.',
  unreachable: (host) =>
    `The server at ${host} does not respond. Check that “parley serve” is running and that this device can reach it.`,
  retry: 'Try again',
};

const chinese: WorkerTexts = {
  language: 'zh-CN',
  question: '有会话需要你的输入',
  finished: '一轮已结束',
  title: '无法连接到 Parley',
  offline: '此设备处于离线状态。会话会在服务器上继续运行。',
  unreachable: (host) =>
    `${host} 上的服务器没有响应。请检查“parley serve”是否正在运行，以及此设备能否访问它。`,
  retry: '重试',
};

/** The texts in the first of these languages that there are any in. */
export function textsOf(languages: readonly string[]): WorkerTexts {
  for (const language of languages) {
    if (/^zh\b/iu.test(language)) return chinese;
    if (/^en\b/iu.test(language)) return english;
  }
  return english;
}
