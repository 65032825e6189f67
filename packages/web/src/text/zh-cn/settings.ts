import type { settings as english } from '../en/settings.ts';

export const settings: typeof english = {
  appearance: '外观',
  otherDevice: '在其他设备上登录',
  otherDeviceHelp: '生成一个链接，可让一个浏览器登录一次。那台设备要能用同样的地址访问此服务器。',
  makeLink: '生成链接',
  makeAnotherLink: '再生成一个链接',
  copyLink: '复制链接',
  linkObserver: '你登录用的令牌只能查看，不能生成链接。',
  linkEnds: (time) => `只能用一次，${time} 前有效。`,
  access: '访问',
  knownAs: (user) => `其他人会看到，这里的决定由“${user}”作出。`,
  signOutHelp: '只退出此浏览器，正在运行的会话会继续运行。',
  about: '关于',
  recordings: '查看通信录制文件',
  programs: '供程序使用的地址：AAP、ACP、指标',
};
